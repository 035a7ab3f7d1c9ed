import { isAscii, isUtf8 } from "node:buffer";
import { guessLegacy } from "./guess.ts";
import { type EncodingName, encodingOfBom, type FileEncoding, isUtf16, UTF8 } from "./names.ts";
import { createSampler } from "./sampler.ts";

/** Watches a file's bytes pass by, first to last, in pieces of any size; the verdict does not depend on the pieces. */
export interface EncodingDetector {
  /** @param plain whether all of the bytes are ASCII, for callers that know. */
  update(bytes: Uint8Array, plain?: boolean): void;
  /** @param asked the caller's `encoding` argument: it counts where neither a byte order mark nor valid UTF-8 decides. */
  finish(asked?: EncodingName): Detection;
}

export interface Detection {
  readonly encoding: FileEncoding;
  /** Every byte is valid UTF-8 (a byte order mark of UTF-8 included). */
  readonly validUtf8: boolean;
}

/** The encoding of a whole file in memory. See `createEncodingDetector`. */
export function detectEncoding(bytes: Uint8Array, asked?: EncodingName): FileEncoding {
  const detector = createEncodingDetector();
  detector.update(bytes);
  return detector.finish(asked).encoding;
}

/**
 * Decides in this order: byte order mark, valid UTF-8, the caller's word, the evidence of the bytes. What no encoding
 * explains is UTF-8 with faults. Cost: one validation of the bytes; the evidence is at most 16 KB.
 */
export function createEncodingDetector(): EncodingDetector {
  const sampler = createSampler();
  const validator = createUtf8Validator();
  let head: Uint8Array = new Uint8Array(0);
  let hasNul = false;

  return {
    update: (bytes, plain = isAscii(bytes)) => {
      if (head.length < HEAD_BYTES) {
        head = Buffer.concat([head, bytes.subarray(0, HEAD_BYTES - head.length)]);
        hasNul = head.includes(0);
      }
      if (plain) validator.plain(bytes.length);
      else validator.update(bytes);
      sampler.update(bytes, plain);
    },
    finish: (asked) => {
      const marked = encodingOfBom(head);
      const validUtf8 = validator.finish() && (marked === undefined || marked.name === "utf-8");
      if (marked !== undefined) return { encoding: marked, validUtf8 };
      // Bytes of UTF-16 without a mark can be valid UTF-8 full of NUL characters.
      const isAskedUtf16 = asked !== undefined && isUtf16(asked) && hasNul;
      if (validUtf8 && !isAskedUtf16) return { encoding: UTF8, validUtf8 };
      const name = asked ?? guessLegacy(sampler.finish());
      return { encoding: { name, bom: false }, validUtf8: validUtf8 && name === "utf-8" };
    },
  };
}

/** Where NUL characters are looked for; a UTF-16 file has one in every second byte of ordinary text. */
const HEAD_BYTES = 4096;

interface Utf8Validator {
  /** A piece without any byte above 7F: it can only break off a character that was not complete. */
  plain(length: number): void;
  update(bytes: Uint8Array): void;
  finish(): boolean;
}

function createUtf8Validator(): Utf8Validator {
  let valid = true;
  let pending: Uint8Array = new Uint8Array(0);
  return {
    plain: (length) => {
      if (length > 0 && pending.length > 0) valid = false;
    },
    update: (bytes) => {
      if (!valid) return;
      let start = 0;
      if (pending.length > 0) {
        start = Math.min(bytes.length, sequenceLength(pending[0] ?? 0) - pending.length);
        const joined = Buffer.concat([pending, bytes.subarray(0, start)]);
        pending = incompleteTail(joined) === joined.length ? joined : new Uint8Array(0);
        if (pending.length === 0 && !isUtf8(joined)) valid = false;
        if (pending.length > 0) return;
      }
      const tail = incompleteTail(bytes.subarray(start));
      if (!isUtf8(bytes.subarray(start, bytes.length - tail))) valid = false;
      if (tail > 0) pending = Uint8Array.prototype.slice.call(bytes, bytes.length - tail);
    },
    finish: () => valid && pending.length === 0,
  };
}

/** How many bytes at the end are the beginning of a UTF-8 sequence that needs more; 0 to 3. */
function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
