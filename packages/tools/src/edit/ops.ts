// The edit language as data. Line numbers are 1-based, those of the tagged file; ends are inclusive.

export type SpanTarget =
  | { readonly kind: "range"; readonly first: number; readonly last: number }
  /** The syntactic block that opens at `line`. */
  | { readonly kind: "block"; readonly line: number };

export type GapTarget =
  | { readonly kind: "before"; readonly line: number }
  | { readonly kind: "after"; readonly line: number }
  | { readonly kind: "after-block"; readonly line: number }
  | { readonly kind: "end" };

export type Target = SpanTarget | GapTarget;

interface Written {
  /** The op as it was written, without its body. */
  readonly source: string;
}

export interface PutOp extends Written {
  readonly kind: "put";
  readonly target: Target;
  readonly body: readonly string[];
}

export interface CutOp extends Written {
  readonly kind: "cut";
  readonly target: SpanTarget;
  /** Undefined: the call's unnamed register. */
  readonly register?: string;
}

export interface PasteOp extends Written {
  readonly kind: "paste";
  readonly target: Target;
  readonly register?: string;
}

export type LineOp = PutOp | CutOp | PasteOp;

export interface RemoveOp extends Written {
  readonly kind: "remove";
}

export interface MoveOp extends Written {
  readonly kind: "move";
  readonly destination: string;
}

export type Op = LineOp | RemoveOp | MoveOp;

export interface EditScript {
  /** A `[path#TAG]` line in front of the ops. */
  readonly header?: { readonly path: string; readonly tag: string };
  readonly ops: readonly Op[];
}

/** Text of a new line, or the raw bytes of a captured one; without a line ending. */
export type Row = string | Uint8Array;

/** Replaces the lines `first` to `last` with `rows`; an insertion in front of `first` has `last` = `first` - 1. */
export interface LineEdit {
  readonly first: number;
  readonly last: number;
  readonly rows: readonly Row[];
  /** Index of the op it comes from. */
  readonly op: number;
  /** An append: it stays at the end whatever the file became. */
  readonly atEnd?: boolean;
}

/** The lines an op covered, and those that stand in their place; an empty side has its last line in front of its first. */
export interface ResolvedSpan {
  readonly op: string;
  readonly first: number;
  readonly last: number;
  readonly newFirst: number;
  readonly newLast: number;
}
