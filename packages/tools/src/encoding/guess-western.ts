import { validShare } from "./utf8-share.ts";

/** Bytes that Windows-1252 leaves without a meaning. */
const UNDEFINED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Š Œ Ž š œ ž Ÿ */
const EXTRA_LETTERS: ReadonlySet<number> = new Set([0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f]);
/** Signs that Western texts and programs have: euro, quotes, dashes, bullet, ellipsis, no-break space, ¡ £ § © « ® ° ± ² ³ µ · » ¼ ½ ¾ ¿ × ÷ … */
const SIGNS: ReadonlySet<number> = new Set([
  0x80, 0x82, 0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0xa0, 0xa1, 0xa3, 0xa7, 0xa9, 0xab, 0xae,
  0xb0, 0xb1, 0xb2, 0xb3, 0xb5, 0xb7, 0xbb, 0xbc, 0xbd, 0xbe, 0xbf, 0xd7, 0xf7,
]);

/** Bytes above 7F that stand together in a Western word: rarely two, hardly ever more. */
const MAX_RUN = 2;

const UNDEFINED_WEIGHT = -4;
/** "Ã©" is how UTF-8 looks when it is taken for Windows-1252; nobody writes that. */
const UTF8_PAIR = -0.5;
const LETTER_IN_WORD = 1;
const LONE_LETTER = 0.7;
const SIGN = 0.7;
const LONG_RUN_LETTER = 0.3;

/** How much the bytes look like ordinary Windows-1252 (Latin-1) text: accented letters single, inside or beside ASCII words. */
export function scoreWestern(sample: Uint8Array): number {
  let count = 0;
  let sum = 0;
  for (let index = 0; index < sample.length; ) {
    if ((sample[index] ?? 0) < 0x80) {
      index += 1;
      continue;
    }
    let end = index;
    while (end < sample.length && (sample[end] ?? 0) >= 0x80) end += 1;
    const touchesWord = isAsciiLetter(sample[index - 1]) || isAsciiLetter(sample[end]);
    const isUtf8Pair = end - index === 2 && validShare(sample.subarray(index, end)) === 1;
    for (let at = index; at < end; at++) {
      sum += isUtf8Pair ? UTF8_PAIR : weigh(sample[at] ?? 0, end - index, touchesWord);
    }
    count += end - index;
    index = end;
  }
  return count === 0 ? 0 : sum / count;
}

function weigh(byte: number, runLength: number, touchesWord: boolean): number {
  if (UNDEFINED.has(byte)) return UNDEFINED_WEIGHT;
  const isLetter = (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) || EXTRA_LETTERS.has(byte);
  if (runLength > MAX_RUN) return isLetter ? LONG_RUN_LETTER : 0;
  if (isLetter) return touchesWord ? LETTER_IN_WORD : LONE_LETTER;
  return SIGNS.has(byte) ? SIGN : 0;
}

function isAsciiLetter(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
