// Vector code for searches: finds texts, and walks an automaton's table. Absent where the machine has no vectors.
import { createMemory, instantiate } from "./instance.ts";
import { SEARCH_WASM } from "./search-wasm.ts";

/** A text to find, with the two of its bytes that are looked at first. */
export interface Needle {
  /** Letters that may have either case are lower case. */
  readonly bytes: Uint8Array;
  /** For each byte 32 where it is such a letter, else 0. */
  readonly folds: Uint8Array;
  readonly one: number;
  readonly two: number;
}

export interface SearchKernel {
  /** Files are read straight into it; only what lies in it can be searched here. */
  readonly text: Buffer;
  /** Room for an automaton's table of `MAX_ENTRIES`. */
  readonly table: Int32Array;
  /** Classes of the 256 bytes. */
  readonly classes: Uint8Array;
  /** Whose table it is at the moment. */
  owner: object | undefined;
  /** Bytes (below 128) that `run` stops at in idle states. */
  setStops(isStop: (byte: number) => boolean): void;
  /** Where the needle begins first in `text[from, end)`, or -1. */
  find(needle: Needle, from: number, end: number): number;
  /** Follows the table over `text[from, end)` as far as it leads from state to state; `state()` is the one it ended in. */
  run(from: number, end: number, state: number, lastIdle: number): number;
  state(): number;
  /** Line feeds in `text[from, end)`. */
  feeds(from: number, end: number): number;
  /** Where the first of them lies, or `end`. */
  feed(from: number, end: number): number;
}

/** What `text` holds at most. */
export const TEXT_BYTES: number = 256 * 1024;
export const MAX_ENTRIES: number = 1 << 20;
export const MAX_NEEDLE_BYTES = 1024;

const FOLDS_AT = 1024;
const CLASSES_AT = 2048;
const LOW_AT = 2304;
const HIGH_AT = 2320;
const STATE_AT = 2336;
const TEXT_AT = 4096;
const TABLE_AT = 267_264;
const PAGES = 69;

/** Where the bytes lie in the kernel's text; -1 when they do not. */
export function placeIn(kernel: SearchKernel, bytes: Uint8Array, length: number = bytes.length): number {
  const start = bytes.byteOffset - kernel.text.byteOffset;
  return bytes.buffer === kernel.text.buffer && start >= 0 && start + length <= kernel.text.length ? start : -1;
}

let made: SearchKernel | undefined;
let tried = false;

/** The thread's kernel. */
export function searchKernel(): SearchKernel | undefined {
  if (!tried) {
    tried = true;
    made = createSearchKernel();
  }
  return made;
}

function createSearchKernel(): SearchKernel | undefined {
  const memory = createMemory(PAGES);
  const { find, run, feeds, feed } = instantiate(SEARCH_WASM, memory) ?? {};
  if (find === undefined || run === undefined || feeds === undefined || feed === undefined) {
    return undefined;
  }
  const { buffer } = memory;
  const bytes = new Uint8Array(buffer);
  const state = new Int32Array(buffer, STATE_AT, 1);
  let aimed: Needle | undefined;
  return {
    text: Buffer.from(buffer, TEXT_AT, TEXT_BYTES),
    table: new Int32Array(buffer, TABLE_AT, MAX_ENTRIES),
    classes: new Uint8Array(buffer, CLASSES_AT, 256),
    owner: undefined,
    setStops: (isStop) => {
      bytes.fill(0, LOW_AT, HIGH_AT + 16);
      for (let half = 0; half < 8; half += 1) bytes[HIGH_AT + half] = 1 << half;
      for (let byte = 0; byte < 128; byte += 1) {
        const at = LOW_AT + (byte & 15);
        if (isStop(byte)) bytes[at] = (bytes[at] ?? 0) | (1 << (byte >> 4));
      }
    },
    find: (needle, from, end) => {
      if (aimed !== needle) {
        aimed = needle;
        bytes.set(needle.bytes, 0);
        bytes.set(needle.folds, FOLDS_AT);
      }
      const { length } = needle.bytes;
      const place = Number(find(TEXT_AT + from, TEXT_AT + end, length, needle.one, needle.two));
      return place === -1 ? -1 : place - TEXT_AT;
    },
    run: (from, end, start, lastIdle) => Number(run(TEXT_AT + from, TEXT_AT + end, start, lastIdle)) - TEXT_AT,
    state: () => state[0] ?? 0,
    feeds: (from, end) => Number(feeds(TEXT_AT + from, TEXT_AT + end)),
    feed: (from, end) => Number(feed(TEXT_AT + from, TEXT_AT + end)) - TEXT_AT,
  };
}
