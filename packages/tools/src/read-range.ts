// The range a page covers: the arguments of the next call, and the sentence about both. Pure.
import type { Bound, PageCaps } from "./page.ts";
import { type ReadInput, withRange } from "./window.ts";
import type { Page } from "./worker/build-page.ts";

export type NextCall = Record<string, unknown>;

const READ_ON =
  "The answer may be further on: page on, or find the section with Grep, rather than answer from this page.";

export interface RangeLimits {
  readonly maxLineChars: number;
  readonly readMaxLines: number;
}

/** Ready arguments of the call that shows what comes next; undefined when the page shows all there is. */
export function nextCall(
  input: ReadInput,
  page: Page,
  totalLines: number,
  { maxLineChars, readMaxLines }: RangeLimits,
): NextCall | undefined {
  if (page.lineCount === 0) return undefined;
  const { window, offset, piece } = page;
  const last = offset + page.lineCount - 1;
  if (piece !== undefined && page.endedBy !== null) {
    return withRange(input, { offset, limit: 1, column: piece.column + piece.chars });
  }
  if (window.fromEnd && offset > window.first) {
    return withRange(input, { offset: window.first, limit: Math.min(offset - window.first, readMaxLines) });
  }
  if (last < window.last) {
    return withRange(input, { offset: last + 1, ...(input.limit !== undefined && { limit: window.last - last }) });
  }
  if (last < totalLines) {
    // A walk along one line has its limit of 1 for the walk's sake.
    const keepsLimit = input.limit !== undefined && input.column === undefined;
    return withRange(input, { offset: last + 1, ...(keepsLimit && { limit: input.limit }) });
  }
  const clipped = page.clipped[0];
  return clipped && withRange(input, { offset: clipped.line, limit: 1, column: maxLineChars + 1 });
}

/** The sentence about the range; undefined for a whole file. */
export function rangeSentence(
  page: Page,
  totalLines: number,
  caps: PageCaps,
  next: NextCall | undefined,
): string | undefined {
  const { window, offset, lineCount, piece, endedBy } = page;
  if (totalLines === 0) return "empty file";
  if (window.first > totalLines) {
    return `Offset ${window.first} is past the end: the file has ${lines(totalLines)}, the last is line ${totalLines}.`;
  }
  if (piece !== undefined) return pieceSentence(page, totalLines, caps, next);
  const shown = shownLines(offset, offset + lineCount - 1, totalLines);
  if (endedBy !== null && window.fromEnd) {
    const left = shownLines(window.first, offset - 1);
    return `${shown}: the last ones within ${limitOf(endedBy, caps)}. ${left} were left out: ${callText(next)}. The answer may be there: read them, or find the section with Grep, rather than answer from this page.`;
  }
  if (endedBy !== null) return `${shown}: the page ended at its limit of ${limitOf(endedBy, caps)}. ${readOn(next)}`;
  if (lineCount === totalLines) return undefined;
  if (!window.named && window.last < totalLines) return `${shown}. ${readOn(next)}`;
  return `${shown}.`;
}

function pieceSentence(page: Page, totalLines: number, caps: PageCaps, next: NextCall | undefined): string {
  const { offset, endedBy, piece = { column: 1, chars: 0, lineChars: 0 } } = page;
  const { column, chars, lineChars } = piece;
  if (chars === 0) {
    return `Column ${column} is past the end of line ${offset}, which has ${lineChars} ${lineChars === 1 ? "character" : "characters"}.`;
  }
  const shown = `Line ${offset} of ${totalLines}, characters ${column}-${column + chars - 1} of ${lineChars}`;
  if (endedBy === null) return `${shown}: the line ends here.`;
  const ended = `${shown}: the page ended at its limit of ${limitOf(endedBy, caps)}.`;
  return [ended, ...leftOut(page), readOn(next)].join(" ");
}

/** A tail of which not even the last line fits. */
function leftOut({ window, offset }: Page): string[] {
  if (!window.fromEnd || window.first >= offset) return [];
  return [`${shownLines(window.first, offset - 1)} before it were left out.`];
}

/** `Lines 3-7 of 20`, `Line 3 of 20` */
export function shownLines(first: number, last: number, totalLines?: number): string {
  const range = first === last ? `Line ${first}` : `Lines ${first}-${last}`;
  return totalLines === undefined ? range : `${range} of ${totalLines}`;
}

export function readOn(next: NextCall | undefined): string {
  return `Next: ${callText(next)}. ${READ_ON}`;
}

export function callText(next: NextCall | undefined): string {
  return `Read ${JSON.stringify(next ?? {})}`;
}

function limitOf(bound: Bound, caps: PageCaps): string {
  if (bound === "characters") return `${caps.maxChars} characters`;
  if (bound === "tokens") return `${caps.maxTokens} estimated tokens`;
  return bound === "bytes" ? `${caps.maxBytes} bytes` : `${caps.maxLines} lines`;
}

function lines(count: number): string {
  return `${count} ${count === 1 ? "line" : "lines"}`;
}
