import { checkCount } from "./budget.ts";
import { wellFormed } from "./code-point.ts";
import { takeWithin } from "./cut.ts";

/** The line, or its first `maxChars` code points. The text has no lone surrogate. */
export function clipLine(line: string, maxChars: number): { text: string; clipped: boolean } {
  checkCount("maxChars", maxChars, 0);
  if (line.length <= maxChars) return { text: wellFormed(line), clipped: false };
  const text = takeWithin(line, { maxChars }, "head");
  return { text, clipped: text.length < line.length };
}
