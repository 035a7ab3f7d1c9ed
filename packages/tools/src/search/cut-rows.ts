// Cuts the lines that match, and the lines around them, out of a file's text.
import { createLineHit, type LineMatcher, textEndOf } from "../pattern/line-matcher.ts";
import { countFeeds } from "./multiline.ts";
import type { TextPieces } from "./text-pieces.ts";
import { shownLine } from "./window-text.ts";

export interface Row {
  readonly line: number;
  readonly text: string;
  /** The last line of a match over several. */
  readonly lastLine?: number;
  /** Not a match but a line near one. */
  readonly context: boolean;
  /** Only where a part of the line is shown: its 1-based first character, and the characters of the whole line. */
  readonly column?: number;
  readonly lineChars?: number;
}

export interface Window {
  /** Matches that are passed over, and how many behind them are wanted. */
  readonly skip: number;
  readonly take: number;
  /** Lines shown around a match. */
  readonly before: number;
  readonly after: number;
  readonly maxLineChars: number;
  /** No line matches in front of this byte of the text. */
  readonly quietBytes?: number;
}

/** Takes rows in order. False: the row has no room, and none behind it. */
export type AddRow = (row: Row) => boolean;

/** Bytes of earlier lines that are kept for the context of a match in the next piece. */
const MAX_KEPT_BYTES = 1024 * 1024;
const LINE_FEED = 10;

export function cutRows(
  pieces: TextPieces,
  matcher: LineMatcher,
  window: Window,
  add: AddRow,
  onPiece: () => void,
): void {
  const { skip, take, before, after, maxLineChars, quietBytes = 0 } = window;
  const hit = createLineHit();
  let passedBytes = 0;
  let line = 1;
  let passed = 0;
  let shown = 0;
  let lastShown = 0;
  let afterLeft = 0;
  let keepFrom: number | undefined;

  for (let piece = pieces.next(keepFrom); piece !== undefined; piece = pieces.next(keepFrom)) {
    onPiece();
    const { bytes } = piece;
    let at = piece.from;
    passedBytes += bytes.length - piece.from;
    const isQuiet = passedBytes <= quietBytes;
    const show = (start: number, number: number, context: boolean, around: number): boolean => {
      const feed = bytes.indexOf(LINE_FEED, start);
      const end = textEndOf(bytes, start, feed === -1 ? bytes.length : feed);
      lastShown = number;
      return add({ line: number, context, ...shownLine(bytes, start, end, around, maxLineChars) });
    };
    for (;;) {
      const found = !isQuiet && shown < take && at < bytes.length && matcher.next(bytes, at, hit);
      const limit = found ? hit.lineStart : bytes.length;
      for (; afterLeft > 0 && at < limit; afterLeft -= 1) {
        if (!show(at, line, true, at)) return;
        at = lineAfter(bytes, at);
        line += 1;
      }
      if (!found) break;
      line += countFeeds(bytes, at, hit.lineStart);
      at = Math.min(bytes.length, hit.lineEnd + 1);
      const number = line;
      if (hit.lineEnd < bytes.length) line += 1;
      passed += 1;
      if (passed <= skip) continue;
      const starts = linesBefore(bytes, hit.lineStart, Math.min(before, number - 1 - lastShown));
      for (const [index, start] of starts.entries()) {
        if (!show(start, number - starts.length + index, true, start)) return;
      }
      if (!show(hit.lineStart, number, false, hit.at)) return;
      shown += 1;
      afterLeft = after;
    }
    if (shown >= take && afterLeft === 0) return;
    line += countFeeds(bytes, at, bytes.length);
    keepFrom = before === 0 ? bytes.length : keptFrom(bytes, before);
  }
}

/** Where the last lines begin that a match in the next piece may want to show. */
function keptFrom(bytes: Buffer, lines: number): number {
  const first = linesBefore(bytes, bytes.length, lines)[0] ?? bytes.length;
  return bytes.length - first <= MAX_KEPT_BYTES ? first : lineAfter(bytes, bytes.length - MAX_KEPT_BYTES);
}

/** Starts of up to `count` lines in front of the line that starts at `start`, in the text's order. */
export function linesBefore(bytes: Buffer, start: number, count: number): number[] {
  const starts: number[] = [];
  for (let at = start; starts.length < count && at > 0; ) {
    at = at < 2 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 2) + 1;
    starts.unshift(at);
  }
  return starts;
}

function lineAfter(bytes: Buffer, at: number): number {
  const feed = bytes.indexOf(LINE_FEED, at);
  return feed === -1 ? bytes.length : feed + 1;
}
