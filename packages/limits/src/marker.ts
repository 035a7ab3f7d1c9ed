import type { Budget } from "./budget.ts";
import type { CaptureTotals, PartialLine, StoppedBy } from "./truncation.ts";

/** Stands between head and tail of a message that was cut to cross a checkpoint. */
export const CHECKPOINT_MARKER = "[checkpoint truncated: this message crossed the retained context budget]";

/** The facts a marker tells; all of them are in the `Truncation` or were given by the caller. */
export interface MarkerFacts {
  readonly kept: Budget["keep"];
  readonly headLines: number;
  readonly tailLines: number;
  readonly totalLines: number;
  readonly stoppedBy: StoppedBy;
  readonly partial: readonly PartialLine[];
  readonly budget: Budget;
  readonly spillPath: string | undefined;
  readonly spillIsWhole: boolean;
  readonly capture: CaptureTotals | undefined;
}

/** The one line that tells which end survived, how much of the total, the limit, and where the rest is. */
export function truncationMarker(facts: MarkerFacts): string {
  return `[truncated: ${whatSurvived(facts)} ${whereTheRestIs(facts)}]`;
}

function whatSurvived(facts: MarkerFacts): string {
  const { budget, partial, headLines, tailLines, totalLines, stoppedBy } = facts;
  const [first, second] = partial;
  if (first && headLines + tailLines === 0) return noCompleteLine(facts, first, second);
  const limit = stoppedBy === "capture" ? "the capture reached its limit." : `limit ${bothLimits(budget)}.`;
  const head = partial.find((part) => part.end === "head");
  const tail = partial.find((part) => part.end === "tail");
  if (facts.kept === "head") return `kept the first ${headLines} of ${totalLines} lines; ${limit}`;
  if (facts.kept === "tail") return `kept the last ${tailLines} of ${totalLines} lines; ${limit}`;
  if (head) {
    return `kept the first ${head.keptBytes} bytes of ${lineSize(head)} and the last ${tailLines} of ${totalLines} lines; ${limit}`;
  }
  if (tail) {
    return `kept the first ${headLines} of ${totalLines} lines and the last ${tail.keptBytes} bytes of ${lineSize(tail)}; ${limit}`;
  }
  return `kept the first ${headLines} and the last ${tailLines} of ${totalLines} lines; ${limit}`;
}

function noCompleteLine(
  { budget, kept, totalLines, stoppedBy }: MarkerFacts,
  first: PartialLine,
  second: PartialLine | undefined,
): string {
  const limit = stoppedBy === "capture" ? "the capture limit" : `the ${kilobytes(budget.maxBytes)} limit`;
  const opening = `no complete line fits ${limit}; kept`;
  if (second && first.line !== second.line) {
    return `${opening} the first ${first.keptBytes} bytes of ${lineSize(first)} and the last ${second.keptBytes} bytes of ${lineSize(second)}, the first and the last of ${totalLines} lines.`;
  }
  const amount = second
    ? `the first ${first.keptBytes} and the last ${second.keptBytes}`
    : kept === "tail"
      ? `the last ${first.keptBytes}`
      : `${first.keptBytes}`;
  const place = totalLines > 1 ? `, the ${kept === "tail" ? "last" : "first"} of ${totalLines} lines` : "";
  return `${opening} ${amount} bytes of ${lineSize(first)}${place}.`;
}

function lineSize({ lineBytes, lineBytesKnown }: PartialLine): string {
  return lineBytesKnown ? `a single ${lineBytes}-byte line` : `a single line of at least ${lineBytes} bytes`;
}

function whereTheRestIs({ spillPath, spillIsWhole, capture, kept }: MarkerFacts): string {
  if (spillPath !== undefined) {
    const output = spillIsWhole ? "Full output" : `Partial output${capture ? ` (${share(capture, kept)})` : ""}`;
    return `${output} saved to ${spillPath} — Grep it, or Read it with offset/limit.`;
  }
  const narrow = "Narrow the request to see more.";
  if (!capture || !captureDropped(capture)) return narrow;
  const { keptBytes, totalBytes, keptLines, totalLines } = capture;
  return `Capture kept ${keptBytes} of ${totalBytes} bytes, ${keptLines} of ${totalLines} lines. ${narrow}`;
}

function share({ keptBytes, totalBytes, keptLines, totalLines }: CaptureTotals, kept: Budget["keep"]): string {
  return `${kept === "tail" ? "last" : "first"} ${keptBytes} of ${totalBytes} bytes, ${keptLines} of ${totalLines} lines`;
}

export function captureDropped(capture: CaptureTotals): boolean {
  return capture.keptBytes < capture.totalBytes || capture.keptLines < capture.totalLines;
}

function bothLimits({ maxLines, maxBytes }: Budget): string {
  return `${maxLines} lines / ${kilobytes(maxBytes)}`;
}

function kilobytes(bytes: number): string {
  const value = bytes / 1024;
  return `${Number.isInteger(value) ? value : value.toFixed(1)}KB`;
}
