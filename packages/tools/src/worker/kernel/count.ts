import { COUNT_WASM } from "./count-wasm.ts";
import { BUFFER_AT, COUNTS_AT, instantiate, KERNEL_BUFFER_BYTES, kernelMemory } from "./instance.ts";

export interface ByteCounts {
  readonly lineFeeds: number;
  readonly carriageReturns: number;
  /** Carriage returns directly before a line feed, both inside the stretch. */
  readonly crlf: number;
  /** Bytes 80 to BF: in UTF-8 the second and later bytes of characters. */
  readonly continuations: number;
  readonly isAscii: boolean;
}

/** A buffer to read into and the counting of what lies in it. */
export interface CountingBuffer {
  /** `KERNEL_BUFFER_BYTES` long; a file's bytes are read straight into it. */
  readonly bytes: Uint8Array;
  /** Counts the bytes from `start` up to `end`. */
  count(start: number, end: number): ByteCounts;
}

let counting: CountingBuffer | undefined;

/** The thread's one counting buffer: vector code, or plain JavaScript where the machine has no vectors. */
export function countingBuffer(): CountingBuffer {
  counting ??= vectorBuffer() ?? plainBuffer();
  return counting;
}

/** Undefined where WebAssembly has no 128-bit vectors. */
export function vectorBuffer(): CountingBuffer | undefined {
  const count = instantiate(COUNT_WASM)?.count;
  if (count === undefined) return undefined;
  const counts = new Uint32Array(kernelMemory(), COUNTS_AT, 5);
  return {
    bytes: bufferBytes(),
    count: (start, end) => {
      count(BUFFER_AT + start, BUFFER_AT + end);
      const [lineFeeds = 0, carriageReturns = 0, crlf = 0, continuations = 0, high = 0] = counts;
      return { lineFeeds, carriageReturns, crlf, continuations, isAscii: high === 0 };
    },
  };
}

export function plainBuffer(): CountingBuffer {
  const bytes = bufferBytes();
  return { bytes, count: (start, end) => countPlainly(bytes, start, end) };
}

function bufferBytes(): Uint8Array {
  return new Uint8Array(kernelMemory(), BUFFER_AT, KERNEL_BUFFER_BYTES);
}

function countPlainly(bytes: Uint8Array, start: number, end: number): ByteCounts {
  let lineFeeds = 0;
  let carriageReturns = 0;
  let crlf = 0;
  let continuations = 0;
  let isAscii = true;
  for (let index = start; index < end; index++) {
    const byte = bytes[index] ?? 0;
    if (byte >= 0x80) {
      isAscii = false;
      if (byte < 0xc0) continuations += 1;
    } else if (byte === 0x0a) lineFeeds += 1;
    else if (byte === 0x0d) {
      carriageReturns += 1;
      if (index + 1 < end && bytes[index + 1] === 0x0a) crlf += 1;
    }
  }
  return { lineFeeds, carriageReturns, crlf, continuations, isAscii };
}
