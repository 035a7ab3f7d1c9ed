// Text or not, by its characters. Pure.
import { charCount } from "./text-cost.ts";

/** With more than this share of characters that nothing prints, it is binary. */
export const MAX_UNPRINTABLE_SHARE = 0.3;

/** The share of a text's characters that are control characters or stand for bytes that no encoding explains. */
export function unprintableShare(text: string): number {
  let unprintable = 0;
  // By code units: what lies above them is printable, and no unit of a pair looks like a control character.
  for (let at = 0; at < text.length; at += 1) if (!isPrintable(text.charCodeAt(at))) unprintable += 1;
  return text === "" ? 0 : unprintable / charCount(text);
}

/** Text has tab, line feed, form feed, vertical tab, return, backspace (overstrike) and escape (terminal colours). */
function isPrintable(unit: number): boolean {
  if (unit >= 0x20) return unit !== 0x7f && unit !== 0xfffd && (unit < 0x80 || unit >= 0xa0);
  return (unit >= 0x08 && unit <= 0x0d) || unit === 0x1b;
}
