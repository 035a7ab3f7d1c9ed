// Counting takes four bytes at a time, which is several times faster than one. An accumulator is four counters of eight
// bits, so it is emptied before one of them can pass 255.
const WORDS_PER_SUM = 252;
const LOW_BITS = 0x7f7f7f7f;
const HIGH_BITS = 0x80808080;

const SEARCHES = 16;
const SPARSE_BYTES = 48;
const DENSE_BLOCK = 32_768;

/**
 * How often `byte` occurs, in a stream of lines that may be long or short: while it is rare the next one is searched for,
 * and where the last ones lay close together a block is counted.
 */
export function countByteInLines(bytes: Uint8Array, byte: number): number {
  // The search of a plain array is slower than counting; that of Node's Buffer, which streams deliver, is much faster.
  if (bytes.indexOf === Uint8Array.prototype.indexOf) return countByte(bytes, byte);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    for (let search = 0; search < SEARCHES; search++) {
      const found = bytes.indexOf(byte, at);
      if (found < 0) return count;
      count++;
      at = found + 1;
    }
    if (at - start >= SEARCHES * SPARSE_BYTES) continue;
    const end = Math.min(at + DENSE_BLOCK, bytes.length);
    count += countByte(bytes.subarray(at, end), byte);
    at = end;
  }
  return count;
}

/** How often `byte` occurs. */
export function countByte(bytes: Uint8Array, byte: number): number {
  const pattern = byte * 0x01010101;
  const words = wordsOf(bytes);
  let count = countAround(bytes, words, (each) => each === byte);
  for (let index = 0; index < words.length; ) {
    const end = Math.min(words.length, index + WORDS_PER_SUM);
    let even = 0;
    let odd = 0;
    for (; index + 4 <= end; index += 4) {
      even += zeroBytes((words[index] ?? 0) ^ pattern) + zeroBytes((words[index + 1] ?? 0) ^ pattern);
      odd += zeroBytes((words[index + 2] ?? 0) ^ pattern) + zeroBytes((words[index + 3] ?? 0) ^ pattern);
    }
    for (; index < end; index++) odd += zeroBytes((words[index] ?? 0) ^ pattern);
    count += sumOfBytes(even) + sumOfBytes(odd);
  }
  return count;
}

/** The ASCII bytes of valid UTF-8, and the code points that are not ASCII. */
export function countCodePoints(bytes: Uint8Array): { ascii: number; other: number } {
  const words = wordsOf(bytes);
  let high = countAround(bytes, words, (each) => each >= 0x80);
  let leads = countAround(bytes, words, (each) => each >= 0xc0);
  for (let index = 0; index < words.length; ) {
    const end = Math.min(words.length, index + WORDS_PER_SUM);
    let highs = 0;
    let tops = 0;
    for (; index < end; index++) {
      const word = words[index] ?? 0;
      highs = (highs + ((word & HIGH_BITS) >>> 7)) | 0;
      tops = (tops + ((word & (word << 1) & HIGH_BITS) >>> 7)) | 0;
    }
    high += sumOfBytes(highs);
    leads += sumOfBytes(tops);
  }
  return { ascii: bytes.length - high, other: leads };
}

function wordsOf(bytes: Uint8Array): Int32Array {
  const lead = -bytes.byteOffset & 3;
  if (bytes.length < lead + 4) return new Int32Array(0);
  return new Int32Array(bytes.buffer, bytes.byteOffset + lead, (bytes.length - lead) >>> 2);
}

// The few bytes before the first and after the last aligned word.
function countAround(bytes: Uint8Array, words: Int32Array, matches: (byte: number) => boolean): number {
  const lead = words.length === 0 ? 0 : words.byteOffset - bytes.byteOffset;
  let count = 0;
  for (const byte of bytes.subarray(0, lead)) if (matches(byte)) count++;
  for (const byte of bytes.subarray(lead + words.byteLength)) if (matches(byte)) count++;
  return count;
}

// A one in the low bit of every byte of `word` that is zero; no carry crosses a byte.
function zeroBytes(word: number): number {
  return (~(((word & LOW_BITS) + LOW_BITS) | word) & HIGH_BITS) >>> 7;
}

function sumOfBytes(word: number): number {
  return (word & 255) + ((word >>> 8) & 255) + ((word >>> 16) & 255) + ((word >>> 24) & 255);
}
