import { isAscii } from "node:buffer";

/** Collects the stretches of a byte stream that hold bytes above 7F, with the ASCII around them, as the detector's evidence. */
export interface Sampler {
  /** @param plain true when no byte of the piece is above 7F. */
  update(bytes: Uint8Array, plain: boolean): void;
  finish(): Uint8Array;
}

/** 8 000 characters of a double-byte encoding: far more than a verdict needs. */
const MAX_SAMPLE_BYTES = 16 * 1024;
/** ASCII kept in front of a stretch and allowed inside one. */
const CONTEXT_BYTES = 16;
/** No byte below this is a part of a multi-byte character in any encoding we read but UTF-16: stretches are cut there. */
const FIRST_TRAIL_BYTE = 0x30;

/** Plain stretches are passed over in steps of this many bytes. */
const STEP_BYTES = 4096;

/** The sample does not depend on how the stream is cut into pieces. */
export function createSampler(): Sampler {
  // Made with the first byte above 7F: most files have none.
  let sample = new Uint8Array(0);
  // The ASCII just passed, oldest first once it wrapped.
  const context = new Uint8Array(CONTEXT_BYTES);
  let contextLength = 0;
  let length = 0;
  let quiet = 0;
  let inside = false;

  const begin = (): void => {
    if (sample.length === 0) sample = new Uint8Array(MAX_SAMPLE_BYTES + CONTEXT_BYTES + 4);
    for (let back = Math.min(contextLength, CONTEXT_BYTES); back > 0; back--) {
      sample[length++] = context[(contextLength - back) % CONTEXT_BYTES] ?? 0;
    }
    inside = true;
  };
  const take = (byte: number): void => {
    if (byte >= 0x80) {
      if (!inside) begin();
      quiet = 0;
    }
    if (!inside) {
      context[contextLength++ % CONTEXT_BYTES] = byte;
      return;
    }
    sample[length++] = byte;
    if (byte >= 0x80) return;
    quiet += 1;
    if (byte >= FIRST_TRAIL_BYTE || (byte !== 0x0a && quiet < CONTEXT_BYTES)) return;
    if (byte !== 0x0a) sample[length++] = 0x0a;
    inside = false;
    contextLength = 0;
  };
  return {
    update: (bytes, plain) => {
      let next = 0;
      for (
        let index = plain && !inside ? lastContext(bytes) : 0;
        index < bytes.length && length < MAX_SAMPLE_BYTES;
        index++
      ) {
        if (!inside && index >= next) {
          next = nextAbove7F(bytes, index);
          index = Math.max(index, next - CONTEXT_BYTES);
        }
        take(bytes[index] ?? 0);
      }
    },
    finish: () => sample.subarray(0, length),
  };
}

function lastContext(bytes: Uint8Array): number {
  return Math.max(0, bytes.length - CONTEXT_BYTES);
}

/** The index of the next byte above 7F, else the end. */
function nextAbove7F(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index < bytes.length && isAscii(bytes.subarray(index, index + STEP_BYTES))) index += STEP_BYTES;
  while (index < bytes.length && (bytes[index] ?? 0) < 0x80) index += 1;
  return Math.min(index, bytes.length);
}
