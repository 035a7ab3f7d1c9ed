import { type Budget, checkBudget, type KeptEnd } from "./budget.ts";
import { wellFormed } from "./code-point.ts";
import { type Fit, fitLines } from "./fit.ts";
import { type KeptPart, keepBoth, keepComplete, keepFit, NOTHING_KEPT } from "./keep.ts";
import { captureDropped, truncationMarker } from "./marker.ts";
import { measureText } from "./measure.ts";
import type { CaptureTotals, PartialLine, StoppedBy, TruncateOptions, Truncation } from "./truncation.ts";

/**
 * Keeps whole lines from the end the budget names and says in one marker line what was left out. A text within the
 * budget comes back as it is; of a line longer than the budget a piece is kept. The outcome has no lone surrogate.
 *
 * @throws RangeError when the budget is not valid.
 */
export function truncate(text: string, budget: Budget, options: TruncateOptions = {}): Truncation {
  checkBudget(budget);
  const { capture, isPiece = false } = options;
  const dropped = capture !== undefined && captureDropped(capture);
  const kept = dropped ? capturedEnd(capture, budget) : budget.keep;
  const caps = { maxBytes: budget.maxBytes, maxLines: budget.maxLines };
  const fit = fitLines(text, caps, kept === "tail" ? "tail" : "head");
  if (fit.stoppedBy === null && !dropped) return untouched(text, kept, fit);

  const { head, joiner, tail } = keptParts(text, budget, kept, fit, { dropped, isPiece });
  const body = head.text + joiner + tail.text;
  const keptLines = head.lines + tail.lines;
  const keptBytes = head.bytes + joiner.length + tail.bytes;
  const { totalLines, totalBytes } = capture
    ? captureTotals(capture, keptLines, keptBytes + text.length - body.length)
    : textTotals(text);
  const partial = [
    ...pieceIn(head, "head", 1, totalLines, totalBytes),
    ...pieceIn(tail, "tail", totalLines, totalLines, totalBytes),
  ];
  const stoppedBy = stoppedByOf(fit);
  const marker = truncationMarker({
    budget,
    kept,
    headLines: head.lines,
    tailLines: tail.lines,
    totalLines,
    partial,
    stoppedBy,
    capture,
    spillPath: options.spillPath,
    spillIsWhole: options.spillIsWhole ?? !dropped,
  });
  return {
    text: around(head.text, marker, tail.text),
    body,
    truncated: true,
    kept,
    keptLines,
    totalLines,
    keptBytes,
    totalBytes,
    stoppedBy,
    omitted: {
      firstLine: head.lines + 1,
      lastLine: totalLines - tail.lines,
      lines: totalLines - keptLines,
      bytes: totalBytes - keptBytes,
    },
    ...(partial.length > 0 ? { partial } : {}),
  };
}

// What a capture dropped lies beyond one end of the text, so only the other end is an end of the stream.
function capturedEnd(capture: CaptureTotals, budget: Budget): "head" | "tail" {
  return capture.keep ?? (budget.keep === "tail" ? "tail" : "head");
}

function untouched(text: string, kept: KeptEnd, { lines, bytes }: Fit): Truncation {
  const body = wellFormed(text);
  const counts = { keptLines: lines, totalLines: lines, keptBytes: bytes, totalBytes: bytes };
  return { text: body, body, truncated: false, kept, ...counts, stoppedBy: null };
}

function keptParts(
  text: string,
  budget: Budget,
  kept: KeptEnd,
  fit: Fit,
  { dropped, isPiece }: { readonly dropped: boolean; readonly isPiece: boolean },
): { head: KeptPart; joiner: string; tail: KeptPart } {
  if (kept === "both") return keepBoth(text, budget);
  const part =
    fit.stoppedBy === null
      ? keepComplete(text, fit, budget.maxBytes, kept)
      : keepFit({ text, complete: !dropped && !isPiece }, fit, budget.maxBytes, kept);
  return kept === "head"
    ? { head: part, joiner: "", tail: NOTHING_KEPT }
    : { head: NOTHING_KEPT, joiner: "", tail: part };
}

function textTotals(text: string): { totalLines: number; totalBytes: number } {
  const { bytes, lines } = measureText(text);
  return { totalLines: lines, totalBytes: bytes };
}

// Bytes that are no UTF-8 grow when they become text, so the text can be larger than what the capture counted; it has
// at least one byte for every code unit that was not kept.
function captureTotals(
  capture: CaptureTotals,
  keptLines: number,
  leastBytes: number,
): { totalLines: number; totalBytes: number } {
  return {
    totalLines: Math.max(capture.totalLines, keptLines),
    totalBytes: Math.max(capture.totalBytes, leastBytes),
  };
}

function pieceIn(
  { pieceOf, bytes }: KeptPart,
  end: "head" | "tail",
  line: number,
  totalLines: number,
  totalBytes: number,
): PartialLine[] {
  if (!pieceOf) return [];
  if (pieceOf.seenWhole) return [{ line, end, keptBytes: bytes, lineBytes: pieceOf.bytes, lineBytesKnown: true }];
  // Of a stream that is one line, the line is as long as the stream.
  const only = totalLines === 1;
  return [{ line, end, keptBytes: bytes, lineBytes: only ? totalBytes : pieceOf.bytes, lineBytesKnown: only }];
}

function stoppedByOf({ stoppedBy }: Fit): StoppedBy {
  if (stoppedBy === null) return "capture";
  return stoppedBy === "lines" ? "lines" : "bytes";
}

function around(head: string, marker: string, tail: string): string {
  const before = head === "" ? "" : head.endsWith("\n") ? `${head}\n` : `${head}\n\n`;
  return before + marker + (tail === "" ? "" : `\n\n${tail}`);
}
