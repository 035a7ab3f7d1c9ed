import { CHARS_PER_TOKEN, checkCount, HEAD_SHARE } from "./budget.ts";
import { wellFormed } from "./code-point.ts";
import { allowanceOf, take, walk } from "./cut.ts";
import { CHECKPOINT_MARKER } from "./marker.ts";
import { weightInQuarters } from "./measure.ts";

export interface TruncateMiddleOptions {
  /** Share of the allowance that the head gets, from 0 to 1. */
  readonly headShare?: number;
  readonly marker?: string;
}

/**
 * Keeps head and tail of a text within `maxTokens` estimated tokens, marker included, and puts the marker in between.
 * An allowance below the marker's own cost leaves the marker alone. Costs the kept part, not the text.
 *
 * @throws RangeError when `maxTokens` is no whole number or `headShare` is not from 0 to 1.
 */
export function truncateMiddle(
  text: string,
  maxTokens: number,
  { headShare = HEAD_SHARE, marker = CHECKPOINT_MARKER }: TruncateMiddleOptions = {},
): { text: string; truncated: boolean } {
  checkCount("maxTokens", maxTokens, 0);
  if (!(headShare >= 0 && headShare <= 1)) {
    throw new RangeError(`Invalid headShare ${headShare}: pass a number from 0 to 1`);
  }
  const { stoppedBy } = walk(text, 0, allowanceOf({ maxTokens }), "head", "text");
  if (stoppedBy === null) return { text: wellFormed(text), truncated: false };

  const quarters = maxTokens * CHARS_PER_TOKEN - weightInQuarters(marker);
  if (quarters < 0) return { text: wellFormed(marker), truncated: true };
  const headQuarters = Math.floor(quarters * headShare);
  const head = take(text, { ...allowanceOf({}), quarters: headQuarters }, "head");
  const tail = take(text, { ...allowanceOf({}), quarters: quarters - headQuarters }, "tail");
  return { text: head + wellFormed(marker) + tail, truncated: true };
}
