import { checkCount, quote } from "./budget.ts";
import { countByte, countByteInLines } from "./count-bytes.ts";
import type { CaptureTotals } from "./truncation.ts";

export interface CaptureOptions {
  readonly maxBytes: number;
  readonly maxLines: number;
  /** `head` keeps the first bytes of the stream, `tail` the last. */
  readonly keep: "head" | "tail";
  /** How many line feeds a chunk has, for a host with a faster way to count them than plain JavaScript. */
  readonly countLineFeeds?: (chunk: Uint8Array) => number;
}

/** What a capture kept and counted. */
export interface CaptureResult extends CaptureTotals {
  /** The kept bytes as text; U+FFFD only where the stream itself is no UTF-8. */
  readonly text: string;
  /** Something that passed was not kept. */
  readonly truncated: boolean;
}

/** Holds one end of a byte stream in bounded memory and counts all of it. */
export interface Capture {
  /** Takes a copy of what it keeps: the caller may reuse the chunk. @throws Error after `finish`. */
  push(chunk: Uint8Array): void;
  /** The kept bytes, raw, as a copy: whole characters and at most `maxLines` lines, as in the result's `text`. */
  bytes(): Uint8Array;
  /** Ends the capture. Calling it again gives the same result. */
  finish(): CaptureResult;
}

const LINE_FEED = 10;
const FIRST_STORE_BYTES = 4_096;

/**
 * A capture that holds at most `maxBytes`, whatever arrives, and counts every byte and line that passed.
 *
 * @throws RangeError when a limit is no positive safe integer or `keep` is none of the two ends.
 */
export function createCapture({
  maxBytes,
  maxLines,
  keep,
  countLineFeeds = (chunk) => countByteInLines(chunk, LINE_FEED),
}: CaptureOptions): Capture {
  checkCount("maxBytes", maxBytes, 1);
  checkCount("maxLines", maxLines, 1);
  if (keep !== "head" && keep !== "tail") throw new RangeError(`Invalid keep ${quote(keep)}: pass "head" or "tail"`);
  const store = keep === "head" ? createHeadStore(maxBytes) : createTailStore(maxBytes);
  let totalBytes = 0;
  let lineFeeds = 0;
  let endsInsideLine = false;
  let result: CaptureResult | undefined;

  const bytes = (): Uint8Array => {
    const held = store.read();
    const whole = held.length === totalBytes ? held : wholeCharacters(held, keep);
    return keep === "head" ? firstLines(whole, maxLines) : lastLines(whole, maxLines);
  };

  return {
    push(chunk) {
      if (!isUint8Array(chunk)) {
        throw new TypeError(`Cannot capture ${quote(chunk)}: pass a Uint8Array, so leave the stream's encoding unset`);
      }
      if (result) throw new Error("Cannot capture after finish: create a new capture for the next stream");
      if (chunk.length === 0) return;
      totalBytes += chunk.length;
      lineFeeds += countLineFeeds(chunk);
      endsInsideLine = chunk[chunk.length - 1] !== LINE_FEED;
      store.add(chunk);
    },
    bytes,
    finish() {
      result ??= resultOf(bytes(), totalBytes, lineFeeds + (endsInsideLine ? 1 : 0));
      return result;
    },
  };
}

// By its tag, since a chunk made in another realm (a test environment, say) is no instance of this realm's class.
function isUint8Array(chunk: unknown): boolean {
  return Object.prototype.toString.call(chunk) === "[object Uint8Array]";
}

function resultOf(kept: Uint8Array, totalBytes: number, totalLines: number): CaptureResult {
  const inside = kept.length > 0 && kept[kept.length - 1] !== LINE_FEED;
  return {
    text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(kept),
    keptBytes: kept.length,
    keptLines: countByte(kept, LINE_FEED) + (inside ? 1 : 0),
    totalBytes,
    totalLines,
    truncated: kept.length < totalBytes,
  };
}

interface Store {
  add(chunk: Uint8Array): void;
  read(): Uint8Array;
}

function createHeadStore(maxBytes: number): Store {
  let held = new Uint8Array(0);
  let length = 0;
  return {
    add(chunk) {
      const taken = Math.min(chunk.length, maxBytes - length);
      if (taken === 0) return;
      held = withRoom(held, length, length + taken, maxBytes);
      held.set(chunk.subarray(0, taken), length);
      length += taken;
    },
    read: () => held.slice(0, length),
  };
}

// Grows like the head store until it is full, then goes round: `next` is both the oldest byte and the next one to write.
function createTailStore(maxBytes: number): Store {
  let held = new Uint8Array(0);
  let length = 0;
  let next = 0;
  return {
    add(chunk) {
      const last = chunk.length > maxBytes ? chunk.subarray(chunk.length - maxBytes) : chunk;
      held = withRoom(held, length, Math.min(length + last.length, maxBytes), maxBytes);
      const toEnd = Math.min(last.length, held.length - next);
      held.set(last.subarray(0, toEnd), next);
      held.set(last.subarray(toEnd), 0);
      next = (next + last.length) % maxBytes;
      length = Math.min(length + last.length, maxBytes);
    },
    read() {
      if (length < maxBytes) return held.slice(0, length);
      const ordered = new Uint8Array(length);
      ordered.set(held.subarray(next), 0);
      ordered.set(held.subarray(0, next), length - next);
      return ordered;
    },
  };
}

function withRoom(
  held: Uint8Array<ArrayBuffer>,
  length: number,
  needed: number,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  if (needed <= held.length) return held;
  const grown = new Uint8Array(Math.min(maxBytes, Math.max(needed, held.length * 2, FIRST_STORE_BYTES)));
  grown.set(held.subarray(0, length));
  return grown;
}

// A character takes at most four bytes, so at most three of them can be left over at the cut.
function wholeCharacters(bytes: Uint8Array, keep: "head" | "tail"): Uint8Array {
  if (keep === "tail") {
    let start = 0;
    while (start < 3 && start < bytes.length && isContinuation(bytes[start])) start++;
    return bytes.subarray(start);
  }
  let back = 1;
  while (back <= 3 && back <= bytes.length && isContinuation(bytes[bytes.length - back])) back++;
  const lead = bytes[bytes.length - back] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function firstLines(bytes: Uint8Array, maxLines: number): Uint8Array {
  let lines = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LINE_FEED && ++lines === maxLines) return bytes.subarray(0, at + 1);
  }
  return bytes;
}

function lastLines(bytes: Uint8Array, maxLines: number): Uint8Array {
  let lines = 1;
  for (let at = bytes.length - 2; at >= 0; at--) {
    if (bytes[at] === LINE_FEED && lines++ === maxLines) return bytes.subarray(at + 1);
  }
  return bytes;
}
