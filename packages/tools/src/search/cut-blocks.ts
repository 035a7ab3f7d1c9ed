import type { TextMatcher } from "../pattern/text-matcher.ts";
import type { AddRow, Window } from "./cut-rows.ts";
import { linesBefore } from "./cut-rows.ts";
import { blocksOf } from "./multiline.ts";
import { shownLine } from "./window-text.ts";

/** Cuts matches over several lines, and the lines around them, out of a whole text. */
export function cutBlocks(text: Buffer, matcher: TextMatcher, window: Window, add: AddRow): void {
  const { skip, take, before, after, maxLineChars } = window;
  let passed = 0;
  let lastShown = 0;
  let pending: { readonly from: number; readonly line: number } | undefined;
  const showContext = (start: number, line: number): boolean => {
    const feed = text.indexOf(10, start);
    lastShown = line;
    const end = feed === -1 ? text.length : feed;
    return add({ line, context: true, ...shownLine(text, start, end, start, maxLineChars) });
  };
  /** The lines behind the last match, up to the next one. */
  const showAfter = (limit: number): boolean => {
    if (pending === undefined) return true;
    let { from, line } = pending;
    pending = undefined;
    for (let left = after; left > 0 && from < limit; left -= 1, line += 1) {
      if (!showContext(from, line)) return false;
      const feed = text.indexOf(10, from);
      from = feed === -1 ? text.length : feed + 1;
    }
    return true;
  };
  for (const block of blocksOf(text, matcher)) {
    passed += 1;
    if (passed <= skip) continue;
    if (passed > skip + take) break;
    if (!showAfter(block.start)) return;
    const starts = linesBefore(text, block.start, Math.min(before, block.line - 1 - lastShown));
    for (const [index, start] of starts.entries()) {
      if (!showContext(start, block.line - starts.length + index)) return;
    }
    const { line, lastLine, start, end, at } = block;
    const shown = shownLine(text, start, end, at, maxLineChars);
    if (!add({ line, ...(lastLine > line && { lastLine }), context: false, ...shown })) return;
    lastShown = lastLine;
    pending = { from: end + 1, line: lastLine + 1 };
  }
  showAfter(text.length);
}
