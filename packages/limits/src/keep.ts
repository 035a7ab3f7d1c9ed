import { type Budget, HEAD_SHARE } from "./budget.ts";
import { ownText } from "./code-point.ts";
import { takeWithin } from "./cut.ts";
import { type Fit, fitLines } from "./fit.ts";
import { byteLength } from "./measure.ts";

/** What is kept at one end: whole lines, or a piece of the line there. */
export interface KeptPart {
  readonly text: string;
  readonly bytes: number;
  readonly lines: number;
  /** The line that `text` is a piece of: its bytes in the source, and whether the source shows where it begins and ends. */
  readonly pieceOf?: { readonly bytes: number; readonly seenWhole: boolean };
}

/** A text to cut. Not `complete`: its stream went on beyond the end that is not kept. */
export interface Source {
  readonly text: string;
  readonly complete: boolean;
}

export const NOTHING_KEPT: KeptPart = Object.freeze({ text: "", bytes: 0, lines: 0 });

/** The lines that fit, or up to `maxBytes` of the line at that end if not one does. */
export function keepFit(source: Source, fit: Fit, maxBytes: number, end: "head" | "tail"): KeptPart {
  const { text, complete } = source;
  if (fit.lines > 0) return { text: ownText(text.slice(fit.start, fit.end)), bytes: fit.bytes, lines: fit.lines };
  const line = lineAt(text, end);
  if (line.text === "") return NOTHING_KEPT;
  const piece = takeWithin(line.text, { maxBytes }, end);
  const pieceOf = { bytes: byteLength(line.text), seenWhole: complete || line.bounded };
  return { text: piece, bytes: byteLength(piece), lines: 0, pieceOf };
}

/**
 * The lines of a text that fits although its stream went on. The line at the far end is a fragment (at the start of a
 * tail it may be one), and a fragment is not kept as a line.
 */
export function keepComplete(text: string, fit: Fit, maxBytes: number, end: "head" | "tail"): KeptPart {
  // After a line end the fragment is empty. One character stands for it, so that the cut there is like any other.
  const endsWithLine = end === "head" && text.endsWith("\n");
  const withFragment = endsWithLine ? `${text}x` : text;
  const maxLines = endsWithLine ? fit.lines : Math.max(0, fit.lines - 1);
  return keepFit(
    { text: withFragment, complete: false },
    fitLines(withFragment, { maxBytes, maxLines }, end),
    maxBytes,
    end,
  );
}

/**
 * Both ends of a text that is over the budget, 75/25. `joiner` is the LF of the text that stays between them unless
 * both are pieces of lines: head, joiner and tail together are what is left of the text, and within the budget.
 */
export function keepBoth(text: string, budget: Budget): { head: KeptPart; joiner: "" | "\n"; tail: KeptPart } {
  const forHead = { maxBytes: headShare(budget.maxBytes), maxLines: headShare(budget.maxLines) };
  const forTail = { maxBytes: budget.maxBytes - forHead.maxBytes - 1, maxLines: budget.maxLines - forHead.maxLines };
  const source = { text, complete: true };
  const head = keepFit(source, fitLines(text, forHead, "head"), forHead.maxBytes, "head");
  if (forTail.maxBytes < 1 || forTail.maxLines < 1) return { head, joiner: "", tail: NOTHING_KEPT };
  const tail = keepFit(source, fitLines(text, forTail, "tail"), forTail.maxBytes, "tail");
  const joined = head.lines + tail.lines > 0 && !head.text.endsWith("\n");
  return { head, joiner: joined ? "\n" : "", tail };
}

function headShare(max: number): number {
  return Math.max(1, Math.floor(max * HEAD_SHARE));
}

function lineAt(text: string, end: "head" | "tail"): { text: string; bounded: boolean } {
  if (end === "head") {
    const lineFeed = text.indexOf("\n");
    return lineFeed < 0 ? { text, bounded: false } : { text: text.slice(0, lineFeed), bounded: true };
  }
  const last = text.endsWith("\n") ? text.length - 1 : text.length;
  const lineFeed = last === 0 ? -1 : text.lastIndexOf("\n", last - 1);
  return { text: text.slice(lineFeed + 1, last), bounded: lineFeed >= 0 };
}
