import { type Caps, CHARS_PER_TOKEN, checkCaps } from "./budget.ts";
import { bytesOfUnit, isPairAt, isSurrogate, ownText, wellFormed } from "./code-point.ts";

/** What a stretch of text may cost at most, or costs; `quarters` are fourths of an estimated token. */
export interface Cost {
  readonly bytes: number;
  readonly chars: number;
  readonly quarters: number;
}

/** A stretch of text from some place on; `units` are UTF-16 code units. */
export interface Stretch extends Cost {
  readonly units: number;
  /** The allowance that the next code point would break; null at a line end or at the end of the text. */
  readonly stoppedBy: "bytes" | "chars" | "tokens" | null;
}

const LINE_FEED = 10;
const MAX_BYTES_PER_UNIT = 3;

/**
 * The longest prefix (tail: suffix) within the caps. It never splits a code point and has no lone surrogate; it costs
 * the kept part, not the text.
 *
 * @throws RangeError when a cap is no whole number.
 */
export function takeWithin(text: string, caps: Omit<Caps, "maxLines">, end: "head" | "tail"): string {
  checkCaps(caps);
  return take(text, allowanceOf(caps), end);
}

/** The longest prefix (tail: suffix) of at most `maxTokens` estimated tokens. @throws RangeError as `takeWithin`. */
export function takeTokens(text: string, maxTokens: number, end: "head" | "tail"): string {
  return takeWithin(text, { maxTokens }, end);
}

export function allowanceOf({ maxBytes = Infinity, maxChars = Infinity, maxTokens = Infinity }: Caps): Cost {
  return { bytes: maxBytes, chars: maxChars, quarters: maxTokens * CHARS_PER_TOKEN };
}

export function take(text: string, allowance: Cost, end: "head" | "tail"): string {
  const { units } = walk(text, end === "head" ? 0 : text.length, allowance, end, "text");
  if (units === text.length) return wellFormed(text);
  return ownText(end === "head" ? text.slice(0, units) : text.slice(text.length - units));
}

/** Goes from `at` (a head forwards, a tail backwards) by whole code points, while the allowance and the line or text last. */
export function walk(
  text: string,
  at: number,
  allowance: Cost,
  end: "head" | "tail",
  within: "line" | "text",
): Stretch {
  const forward = end === "head";
  const room = forward ? text.length - at : at;
  const stop = within === "line" ? LINE_FEED : -1;
  // What the room can cost at most is a small integer: the loop then compares no floating-point numbers.
  const maxBytes = Math.min(allowance.bytes, room * MAX_BYTES_PER_UNIT);
  const maxChars = Math.min(allowance.chars, room);
  const maxQuarters = Math.min(allowance.quarters, room * CHARS_PER_TOKEN);
  let units = 0;
  let bytes = 0;
  let chars = 0;
  let quarters = 0;
  let stoppedBy: Stretch["stoppedBy"] = null;
  while (units < room) {
    let index = forward ? at + units : at - units - 1;
    let unit = text.charCodeAt(index);
    if (unit < 0x80) {
      // An ASCII character costs one of everything: up to the nearest bound there is nothing else to check.
      const free = Math.min(room - units, maxBytes - bytes, maxChars - chars, maxQuarters - quarters);
      let run = 0;
      for (; run < free && unit < 0x80 && unit !== stop; run++) {
        index += forward ? 1 : -1;
        unit = text.charCodeAt(index);
      }
      units += run;
      bytes += run;
      chars += run;
      quarters += run;
      if (units === room || unit === stop) break;
    }
    const pair = isSurrogate(unit) && isPairAt(text, forward ? index : index - 1);
    const size = pair ? 4 : bytesOfUnit(unit);
    const weight = unit < 0x80 ? 1 : CHARS_PER_TOKEN;
    if (bytes + size > maxBytes) stoppedBy = "bytes";
    else if (chars === maxChars) stoppedBy = "chars";
    else if (quarters + weight > maxQuarters) stoppedBy = "tokens";
    if (stoppedBy !== null) break;
    units += pair ? 2 : 1;
    bytes += size;
    chars += 1;
    quarters += weight;
  }
  return { units, bytes, chars, quarters, stoppedBy };
}
