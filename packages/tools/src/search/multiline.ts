// Matches that may cross line ends, over a whole text. Pure.

import type { TextMatcher } from "../pattern/text-matcher.ts";
import { placeIn, searchKernel } from "../worker/kernel/search.ts";

/** The lines that a match touches. */
export interface Block {
  /** 1-based. */
  readonly line: number;
  readonly lastLine: number;
  /** Where its first line begins, and the line end of its last one. */
  readonly start: number;
  readonly end: number;
  /** Where the match itself begins. */
  readonly at: number;
}

const LINE_FEED = 10;

/**
 * The blocks of lines with matches. Matches that share a line are one block.
 * @param text UTF-8, its line ends are line feeds.
 */
export function* blocksOf(text: Buffer, matcher: TextMatcher): Generator<Block> {
  let line = 1;
  let counted = 0;
  let open: Block | undefined;
  for (let from = 0; ; ) {
    const match = matcher.find(text, from);
    if (match === undefined) break;
    const { start: at, end: matchEnd } = match;
    // A match that is nothing but the end of the text lies on no line.
    if (at >= text.length && (text.length === 0 || text[at - 1] === LINE_FEED)) break;
    from = matchEnd > at ? matchEnd : afterChar(text, at);
    const start = at === 0 ? 0 : text.lastIndexOf(LINE_FEED, at - 1) + 1;
    // A line feed at the match's end still belongs to the line in front of it.
    const feed = text.indexOf(LINE_FEED, Math.max(at, matchEnd - 1));
    const end = feed === -1 ? text.length : feed;
    if (open !== undefined && start <= open.end) {
      if (end > open.end) open = { ...open, end, lastLine: open.lastLine + countFeeds(text, open.end, end) };
    } else {
      if (open !== undefined) yield open;
      line += countFeeds(text, counted, start);
      counted = start;
      open = { line, lastLine: line + countFeeds(text, start, end), start, end, at };
    }
    if (from > text.length) break;
  }
  if (open !== undefined) yield open;
}

/** Line feeds in `text[from, to)`. */
export function countFeeds(text: Buffer, from: number, to: number): number {
  const kernel = searchKernel();
  const start = kernel === undefined ? -1 : placeIn(kernel, text);
  if (kernel !== undefined && start !== -1) return to > from ? kernel.feeds(start + from, start + to) : 0;
  let count = 0;
  for (let at = text.indexOf(LINE_FEED, from); at !== -1 && at < to; at = text.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

function afterChar(text: Buffer, at: number): number {
  let next = at + 1;
  while (next < text.length && ((text[next] as number) & 0xc0) === 0x80) next += 1;
  return next;
}
