import { isAscii, isUtf8 } from "node:buffer";
import { bomBytes, createStreamDecoder, type EncodingName, type FileEncoding, isUtf16 } from "../encoding.ts";
import { charCount } from "../text-cost.ts";
import type { ByteSource } from "./byte-source.ts";
import { createCheckpointWriter } from "./file-index.ts";
import { genuineReplacements } from "./genuine-replacements.ts";
import type { JobContext } from "./jobs.ts";
import type { ByteCounts, CountingBuffer } from "./kernel/count.ts";
import type { Totals } from "./plain-totals.ts";

/** Stretches that need no decoding are taken in steps up to this size, others in small ones. */
const MAX_STEP_BYTES = 256 * 1024;
const DECODED_STEP_BYTES = 16 * 1024;
/** How far back from the end of a step a place is looked for where a character surely ends. */
const MAX_LOOK_BACK = 4096;
/** No byte below this is part of a longer character in any encoding that is not UTF-16. */
const FIRST_TRAIL_BYTE = 0x30;

/** Counts a file that is not valid UTF-8. Stretches whose bytes tell their characters are counted by bytes, the others are decoded. */
export function decodedTotals(
  source: ByteSource,
  encoding: FileEncoding,
  buffer: CountingBuffer,
  context: JobContext,
): Totals {
  const textStart = bomBytes(encoding).length;
  const checkpoints = createCheckpointWriter(textStart);
  const decoder = createStreamDecoder({ ...encoding, bom: false });
  const counter = createTextCounter();
  let step = MAX_STEP_BYTES;
  let atBorder = true;
  for (let position = textStart; position < source.size; ) {
    context.throwIfCancelled();
    const chunk = source.read(position, position + step);
    if (chunk.length === 0) break;
    const atEnd = position + chunk.length >= source.size;
    const border = atEnd ? chunk.length : characterEnd(chunk, encoding);
    const bytes = chunk.subarray(0, border === 0 ? chunk.length : border);
    if (atBorder && border > 0 && tellsCharacters(bytes, encoding.name)) {
      counter.addBytes(bytes, countBytes(buffer, bytes), encoding.name === "utf-8");
      step = Math.min(2 * step, MAX_STEP_BYTES);
    } else if (step > DECODED_STEP_BYTES) {
      step = DECODED_STEP_BYTES;
      continue;
    } else {
      counter.addText(decoder.write(bytes), genuineReplacements(bytes, encoding.name));
    }
    position += bytes.length;
    atBorder = border > 0;
    if (atBorder && !atEnd) checkpoints.add({ offset: position, lines: counter.lineFeeds, chars: counter.chars });
  }
  counter.addText(decoder.end(), 0);
  return {
    totalLines: counter.lineFeeds + (counter.endsLine ? 0 : 1),
    endings: counter.endings,
    undecodable: counter.replacements,
    checkpoints: checkpoints.finish(),
  };
}

/** Whether the characters of whole bytes can be counted without decoding them. */
function tellsCharacters(bytes: Uint8Array, name: EncodingName): boolean {
  // Every byte of Windows-1252 is one character.
  if (name === "windows-1252") return true;
  if (name === "utf-8") return isUtf8(bytes);
  return !isUtf16(name) && isAscii(bytes);
}

/** Counts bytes wherever they lie. */
function countBytes({ bytes: buffer, count }: CountingBuffer, bytes: Uint8Array): ByteCounts {
  const start = bytes.byteOffset - buffer.byteOffset;
  if (bytes.buffer === buffer.buffer && start >= 0 && start + bytes.length <= buffer.length) {
    return count(start, start + bytes.length);
  }
  buffer.set(bytes);
  return count(0, bytes.length);
}

interface TextCounter {
  /** @param genuine U+FFFD that the source itself holds. */
  addText(text: string, genuine: number): void;
  addBytes(bytes: Uint8Array, counts: ByteCounts, areUtf8: boolean): void;
  readonly lineFeeds: number;
  readonly chars: number;
  /** U+FFFD that stand for faults. */
  readonly replacements: number;
  /** True when nothing came after the last line feed. */
  readonly endsLine: boolean;
  readonly endings: Totals["endings"];
}

function createTextCounter(): TextCounter {
  let lineFeeds = 0;
  let crlf = 0;
  let carriageReturns = 0;
  let chars = 0;
  let replacements = 0;
  let last = "\n";
  return {
    addText: (text, genuine) => {
      for (let index = 0; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        if (unit === 0x0a) {
          lineFeeds += 1;
          const previous = index === 0 ? last : text.charAt(index - 1);
          if (previous === "\r") crlf += 1;
        } else if (unit === 0x0d) carriageReturns += 1;
        else if (unit === 0xfffd) replacements += 1;
      }
      replacements -= genuine;
      chars += charCount(text);
      last = text === "" ? last : text.charAt(text.length - 1);
    },
    addBytes: (bytes, counts, areUtf8) => {
      lineFeeds += counts.lineFeeds;
      carriageReturns += counts.carriageReturns;
      crlf += counts.crlf + (last === "\r" && bytes[0] === 0x0a ? 1 : 0);
      chars += bytes.length - (areUtf8 ? counts.continuations : 0);
      // Only the two line ending characters matter here, and they are the same in every encoding.
      last = String.fromCharCode(bytes[bytes.length - 1] ?? 0);
    },
    get lineFeeds() {
      return lineFeeds;
    },
    get chars() {
      return chars;
    },
    get replacements() {
      return replacements;
    },
    get endsLine() {
      return last === "\n";
    },
    get endings() {
      return { lf: lineFeeds - crlf, crlf, loneCr: carriageReturns - crlf };
    },
  };
}

/** The last place in the chunk where a character surely ends; 0 when none is near its end. */
function characterEnd(chunk: Uint8Array, { name }: FileEncoding): number {
  if (isUtf16(name)) return wideCharacterEnd(chunk, name === "utf-16be");
  // In UTF-8 every ASCII byte is a character by itself.
  const firstTrail = name === "utf-8" ? 0x80 : FIRST_TRAIL_BYTE;
  for (let index = chunk.length; index > Math.max(0, chunk.length - MAX_LOOK_BACK); index--) {
    if ((chunk[index - 1] ?? 0xff) < firstTrail) return index;
  }
  return 0;
}

function wideCharacterEnd(chunk: Uint8Array, isBigEndian: boolean): number {
  const even = chunk.length - (chunk.length % 2);
  const high = chunk[even - (isBigEndian ? 2 : 1)] ?? 0;
  return high >= 0xd8 && high <= 0xdb ? even - 2 : even;
}
