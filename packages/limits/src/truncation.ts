import type { KeptEnd } from "./budget.ts";

/** What passed through a capture and what it still holds; `createCapture(...).finish()` is one. */
export interface CaptureTotals {
  readonly keptBytes: number;
  readonly keptLines: number;
  readonly totalBytes: number;
  readonly totalLines: number;
  /** The end of the stream that the capture keeps. Default: the end that the budget names, `head` for both. */
  readonly keep?: "head" | "tail";
}

/** The limit that ended the kept part; `capture`: the text fits, but the capture had dropped the rest of the stream. */
export type StoppedBy = "bytes" | "lines" | "capture";

/** The piece of a line that did not fit whole. */
export interface PartialLine {
  /** 1-based number of the line in the whole output. */
  readonly line: number;
  /** The end of the line that was kept. */
  readonly end: "head" | "tail";
  readonly keptBytes: number;
  /** UTF-8 bytes of the whole line without its LF; a lower bound unless `lineBytesKnown`. */
  readonly lineBytes: number;
  readonly lineBytesKnown: boolean;
}

/** What a cut left out. Lines `firstLine` to `lastLine` are not shown in full; `bytes` counts everything not kept. */
export interface Omitted {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly lines: number;
  readonly bytes: number;
}

/** The outcome of `truncate`. Lines count when they are kept whole: kept + omitted = total, for lines and for bytes. */
export interface Truncation {
  /** The kept part with its marker: what a model is shown. */
  readonly text: string;
  /** The kept part alone. */
  readonly body: string;
  readonly truncated: boolean;
  readonly kept: KeptEnd;
  readonly keptLines: number;
  readonly totalLines: number;
  readonly keptBytes: number;
  readonly totalBytes: number;
  readonly stoppedBy: StoppedBy | null;
  readonly omitted?: Omitted;
  readonly partial?: readonly PartialLine[];
}

export interface TruncateOptions {
  /** Absolute path of the file that holds a fuller copy; only if it was really written. */
  readonly spillPath?: string;
  /** The file holds the whole output. Default: true unless `capture` says that something was dropped. */
  readonly spillIsWhole?: boolean;
  /** The text is what this capture kept; totals are then what passed through it. */
  readonly capture?: CaptureTotals;
  /** The text is itself a piece of a line that was cut before, so it does not tell how long that line is. */
  readonly isPiece?: boolean;
}
