// Pure: ops to line edits on the numbers of the tagged file.
import { ToolError } from "../error.ts";
import type { LineRange } from "../line-ranges.ts";
import type { CutOp, GapTarget, LineEdit, LineOp, PasteOp, ResolvedSpan, Row, SpanTarget, Target } from "./ops.ts";

/** 100 000 lines, and as many bytes as sixteen full registers. */
const MAX_NEW_LINES = 100_000;
const MAX_PASTED_BYTES = 16 * 1024 * 1024;

/** What lowering asks of the tagged file. */
export interface LowerContext {
  readonly totalLines: number;
  /** Sees the anchors before anything else is decided; it throws to refuse them. */
  admit(anchors: readonly LineRange[]): void;
  /** @throws ToolError EDIT_BLOCK_UNRESOLVED */
  block(line: number, op: string): LineRange;
  /** The lines' bytes; undefined when they are too much for a register. */
  capture(first: number, last: number): readonly Uint8Array[] | undefined;
  /** A register of the session. */
  register(name: string): readonly Row[] | undefined;
}

export interface Lowered {
  /** Sorted, without overlap. */
  readonly edits: readonly LineEdit[];
  /** The lines that the ops lean on: each one that goes, and each that an insertion is named by. */
  readonly anchors: readonly LineRange[];
  /** Named registers that the ops filled. */
  readonly captured: ReadonlyMap<string, readonly Uint8Array[]>;
}

interface Placed {
  readonly op: LineOp;
  readonly first: number;
  readonly last: number;
  readonly anchors: readonly LineRange[];
  readonly atEnd?: boolean;
}

/** @throws ToolError EDIT_RANGE_INVALID, EDIT_REGISTER_EMPTY, EDIT_REGISTER_AMBIGUOUS, EDIT_AMPLIFICATION_LIMIT, EDIT_BLOCK_UNRESOLVED. */
export function lowerOps(ops: readonly LineOp[], context: LowerContext): Lowered {
  const placed = ops.map((op) => place(op, context));
  const anchors = placed.flatMap((item) => item.anchors);
  context.admit(anchors);
  assertDisjoint(placed);
  const registers = createCallRegisters(context);
  const edits = placed.map((item, op) => ({
    first: item.first,
    last: item.last,
    rows: registers.rowsOf(item),
    op,
    ...(item.atEnd && { atEnd: true }),
  }));
  assertBounded(edits);
  return {
    edits: edits.sort((left, right) => left.first - right.first || left.last - right.last),
    anchors,
    captured: registers.captured,
  };
}

export function isHeadOrTail(target: Target): boolean {
  return target.kind === "end" || (target.kind === "before" && target.line === 1);
}

/** What each op came to, in the order of the ops. */
export function spansOf(edits: readonly LineEdit[], ops: readonly LineOp[]): readonly ResolvedSpan[] {
  let shift = 0;
  const spans = edits.map(({ op, first, last, rows }) => {
    const newFirst = first + shift;
    shift += rows.length - (last - first + 1);
    return {
      index: op,
      span: { op: ops[op]?.source ?? "", first, last, newFirst, newLast: newFirst + rows.length - 1 },
    };
  });
  return spans.sort((left, right) => left.index - right.index).map(({ span }) => span);
}

function place(op: LineOp, context: LowerContext): Placed {
  const { target } = op;
  if (target.kind === "range" || target.kind === "block") {
    const [first, last] = spanOf(op, target, context);
    return { op, first, last, anchors: [[first, last]] };
  }
  return placeGap(op, target, context);
}

function spanOf(op: LineOp, target: SpanTarget, context: LowerContext): LineRange {
  if (target.kind === "block") {
    assertExists(op, target.line, context);
    return context.block(target.line, op.source);
  }
  assertExists(op, target.last, context);
  return [target.first, target.last];
}

function placeGap(op: LineOp, target: GapTarget, context: LowerContext): Placed {
  const at = (after: number, anchors: readonly LineRange[]): Placed => ({ op, first: after + 1, last: after, anchors });
  if (target.kind === "end") return { ...at(context.totalLines, []), atEnd: true };
  if (isHeadOrTail(target)) return at(0, []);
  assertExists(op, target.line, context);
  const own: LineRange = [target.line, target.line];
  if (target.kind === "before") return at(target.line - 1, [own]);
  if (target.kind === "after") return at(target.line, [own]);
  const [, last] = context.block(target.line, op.source);
  return at(last, [own, [last, last]]);
}

function assertExists(op: LineOp, line: number, { totalLines }: LowerContext): void {
  if (line <= totalLines) return;
  const lines = totalLines === 1 ? "1 line" : `${totalLines} lines`;
  throw new ToolError("EDIT_RANGE_INVALID", `"${op.source}" names line ${line}, the file has ${lines}`, {
    next:
      totalLines === 0
        ? 'write into the empty file with "PUT >$:"'
        : `use lines 1 to ${totalLines}, or append with "PUT >$:"`,
    details: { op: op.source, line, totalLines },
  });
}

function assertDisjoint(placed: readonly Placed[]): void {
  const spans = placed.filter(({ first, last }) => first <= last).sort((left, right) => left.first - right.first);
  for (const [index, span] of spans.entries()) {
    const previous = spans[index - 1];
    if (previous !== undefined && previous.last >= span.first) throw overlap(previous, span);
  }
  const gaps = new Map<number, Placed>();
  for (const gap of placed.filter(({ first, last }) => first > last)) {
    const other = gaps.get(gap.last);
    if (other !== undefined) throw overlap(other, gap);
    gaps.set(gap.last, gap);
    const span = spans.find((candidate) => leansOn(gap, candidate));
    if (span !== undefined) throw overlap(span, gap);
  }
}

/** An insertion inside a span, or one named by a line of it. */
function leansOn(gap: Placed, span: Placed): boolean {
  const isInside = gap.last >= span.first && gap.last < span.last;
  return isInside || gap.anchors.some(([first, last]) => first <= span.last && last >= span.first);
}

function overlap(left: Placed, right: Placed): ToolError {
  return new ToolError("EDIT_RANGE_INVALID", `"${left.op.source}" and "${right.op.source}" meet at the same lines`, {
    next: "put both changes into one op, line numbers are those before the call",
    details: { ops: [left.op.source, right.op.source] },
  });
}

interface CallRegisters {
  readonly captured: ReadonlyMap<string, readonly Uint8Array[]>;
  rowsOf(item: Placed): readonly Row[];
}

/** Registers as the ops fill and use them, in their order. */
function createCallRegisters(context: LowerContext): CallRegisters {
  const captured = new Map<string, readonly Uint8Array[]>();
  let unnamed: readonly Uint8Array[] | "too large" | undefined;
  let unpasted: string[] = [];

  const cut = ({ first, last }: Placed, op: CutOp): readonly Row[] => {
    const lines = context.capture(first, last);
    if (op.register !== undefined) {
      if (lines === undefined) throw captureTooLarge(op, first, last);
      captured.set(op.register, lines);
      return [];
    }
    unnamed = lines ?? "too large";
    unpasted.push(op.source);
    return [];
  };
  const paste = (op: PasteOp): readonly Row[] => {
    if (op.register !== undefined) {
      const rows = captured.get(op.register) ?? context.register(op.register);
      if (rows === undefined) throw registerEmpty(op, `fill it first: "CUT N.=M @${op.register}"`);
      return rows;
    }
    if (unnamed === undefined)
      throw registerEmpty(op, 'put a "CUT N.=M" before it in the same call, or name a register');
    if (unpasted.length > 1) throw ambiguous(op, unpasted);
    if (unnamed === "too large") throw registerEmpty(op, "what was cut is over 4096 lines or 1 MiB, move it in parts");
    unpasted = [];
    return unnamed;
  };
  return {
    captured,
    rowsOf: (item) => {
      if (item.op.kind === "put") return item.op.body;
      return item.op.kind === "cut" ? cut(item, item.op) : paste(item.op);
    },
  };
}

function registerEmpty(op: PasteOp, next: string): ToolError {
  const name = op.register === undefined ? "The unnamed register" : `Register @${op.register}`;
  return new ToolError("EDIT_REGISTER_EMPTY", `${name} holds nothing for "${op.source}"`, {
    next,
    details: { op: op.source },
  });
}

function ambiguous(op: PasteOp, cuts: readonly string[]): ToolError {
  const listed = cuts.map((cut) => `"${cut}"`).join(" and ");
  return new ToolError("EDIT_REGISTER_AMBIGUOUS", `"${op.source}" could paste what ${listed} took`, {
    next: `name the registers, like "${cuts[0]} @a" and "${op.source} @a"`,
    details: { op: op.source, cuts },
  });
}

function captureTooLarge(op: CutOp, first: number, last: number): ToolError {
  const what = `"${op.source}" captures ${last - first + 1} lines, a register holds 4096 lines or 1 MiB`;
  return new ToolError("EDIT_AMPLIFICATION_LIMIT", what, {
    next: "cut it in parts, or leave the register out to delete only",
    details: { op: op.source, lines: last - first + 1 },
  });
}

function assertBounded(edits: readonly LineEdit[]): void {
  let lines = 0;
  let bytes = 0;
  for (const { rows } of edits) {
    lines += rows.length;
    for (const row of rows) if (typeof row !== "string") bytes += row.length;
  }
  if (lines <= MAX_NEW_LINES && bytes <= MAX_PASTED_BYTES) return;
  throw new ToolError("EDIT_AMPLIFICATION_LIMIT", `The ops come to ${lines} new lines with ${bytes} pasted bytes`, {
    next: `keep a call within ${MAX_NEW_LINES} lines and ${MAX_PASTED_BYTES} pasted bytes`,
    details: { lines, bytes, maxLines: MAX_NEW_LINES, maxBytes: MAX_PASTED_BYTES },
  });
}
