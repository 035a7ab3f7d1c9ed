import { CHARS_PER_TOKEN } from "./budget.ts";
import { bytesOfUnit, isPairAt } from "./code-point.ts";
import { countByte, countCodePoints } from "./count-bytes.ts";

/** Counts the tokens of a text; `estimateTokens` is one, a real tokenizer another. */
export type TokenCounter = (text: string) => number;

/** Size of a text: UTF-8 bytes and lines. */
export interface TextSize {
  readonly bytes: number;
  readonly lines: number;
}

const LINE_FEED = 10;
const SHORT_UNITS = 256;
const BLOCK_UNITS = 16_384;
const BYTES_PER_UNIT = 3;
// Above this many line ends a block is counted by its bytes: a search for each end costs more.
const SPARSE_LINE_FEEDS = BLOCK_UNITS / 64;

/** Number of UTF-8 bytes; a lone surrogate counts as the U+FFFD that is written for it. */
export function byteLength(text: string): number {
  if (text.length > SHORT_UNITS) return sumOverBlocks(text, (block) => block.length);
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    bytes += bytesOfUnit(text.charCodeAt(index));
    if (isPairAt(text, index)) bytes -= 2;
  }
  return bytes;
}

/** Number of lines: each LF ends one, and a last line without LF counts. */
export function countLines(text: string): number {
  return measureText(text).lines;
}

/** Bytes and lines in one pass. */
export function measureText(text: string): TextSize {
  let bytes = 0;
  let dense = false;
  let next = text.indexOf("\n");
  const lineFeeds = sumOverBlocks(text, (block, start, end) => {
    bytes += block.length;
    if (dense) {
      const count = countByte(block, LINE_FEED);
      dense = count > SPARSE_LINE_FEEDS;
      return count;
    }
    if (next >= 0 && next < start) next = text.indexOf("\n", start);
    let count = 0;
    for (; next >= 0 && next < end; next = text.indexOf("\n", next + 1)) {
      count++;
      dense = count > SPARSE_LINE_FEEDS;
      if (dense) return countByte(block, LINE_FEED);
    }
    return count;
  });
  return { bytes, lines: lineFeeds + (text === "" || text.endsWith("\n") ? 0 : 1) };
}

/** The lines of a text without their ends: LF, or CR and LF. A CR elsewhere is text. */
export function splitLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop();
  const ended = lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return last === undefined || last === "" ? ended : [...ended, last];
}

/**
 * Estimated tokens: an ASCII character weighs 1/4, any other code point 1, rounded up over the whole text.
 * Real counts of base64, digits, dense JSON and emoji are up to 2.7 times higher.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(weightInQuarters(text) / CHARS_PER_TOKEN);
}

/** The estimate before rounding, in quarters of a token: these add up over the parts of a text. */
export function weightInQuarters(text: string): number {
  if (text.length > SHORT_UNITS) return sumOverBlocks(text, weightOfBlock);
  let quarters = 0;
  for (let index = 0; index < text.length; index++) {
    quarters += text.charCodeAt(index) < 0x80 ? 1 : CHARS_PER_TOKEN;
    if (isPairAt(text, index)) index++;
  }
  return quarters;
}

function weightOfBlock(block: Uint8Array, start: number, end: number): number {
  // As many bytes as code units: all of them are ASCII.
  if (block.length === end - start) return block.length;
  const { ascii, other } = countCodePoints(block);
  return ascii + other * CHARS_PER_TOKEN;
}

// Encodes one block after the other into the same bytes: no memory of the text's own size is needed.
function sumOverBlocks(text: string, measureBlock: (block: Uint8Array, start: number, end: number) => number): number {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array((Math.min(text.length, BLOCK_UNITS) + 1) * BYTES_PER_UNIT);
  let sum = 0;
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + BLOCK_UNITS, text.length);
    if (isPairAt(text, end - 1)) end++;
    const { written } = encoder.encodeInto(text.slice(start, end), bytes);
    sum += measureBlock(bytes.subarray(0, written), start, end);
    start = end;
  }
  return sum;
}
