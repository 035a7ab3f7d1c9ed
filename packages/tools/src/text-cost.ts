/** What a text takes of a page's three bounds; additive over its parts. */
export interface TextCost {
  /** Code points. */
  readonly chars: number;
  /** Bytes of UTF-8. */
  readonly bytes: number;
  /** Quarters of an estimated token: 1 for an ASCII character, 4 for any other (spec 1.5). */
  readonly quarters: number;
}

export const QUARTERS_PER_TOKEN = 4;

// A search is many times faster than a look at every character, above all in the slices of a larger text.
const NON_ASCII = /[\u0080-\uffff]/;
const HIGH_SURROGATE = /[\ud800-\udbff]/;

export function textCost(text: string): TextCost {
  if (!NON_ASCII.test(text)) return { chars: text.length, bytes: text.length, quarters: text.length };
  let chars = text.length;
  let bytes = text.length;
  let others = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    others += 1;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      index += 1;
      chars -= 1;
      bytes += 2;
    } else bytes += 2;
  }
  return { chars, bytes, quarters: chars - others + QUARTERS_PER_TOKEN * others };
}

/** Number of code points. */
export function charCount(text: string): number {
  if (!HIGH_SURROGATE.test(text)) return text.length;
  let chars = text.length;
  for (let index = 0; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && isLowSurrogate(text.charCodeAt(index + 1))) chars -= 1;
  }
  return chars;
}

/** The index of the code unit behind the first `chars` code points; `text.length` when it has no more. */
export function unitIndex(text: string, chars: number): number {
  if (!HIGH_SURROGATE.test(text)) return Math.min(chars, text.length);
  let index = 0;
  for (let left = chars; left > 0 && index < text.length; left--) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
