// Byte pair merging. Pure; costs n log n whatever the bytes.
import { NO_TOKEN, type PairRanks } from "./pair-ranks.ts";

/** Up to this many bytes a search for the lowest pair costs less than a heap. */
const MAX_SCANNED_BYTES = 32;

/** How many tokens the bytes of one piece become: the pair with the lowest rank merges first, the leftmost of equals. */
export function countMerged(piece: string, ranks: PairRanks): number {
  return piece.length <= MAX_SCANNED_BYTES ? countByScan(piece, ranks) : countByHeap(piece, ranks);
}

function countByScan(piece: string, ranks: PairRanks): number {
  const starts: number[] = [];
  const parts: number[] = [];
  const pairs: number[] = [];
  for (let index = 0; index < piece.length; index++) {
    starts.push(index);
    parts.push(ranks.ofByte(piece.charCodeAt(index)));
  }
  const pairFrom = (at: number): number => {
    if (at + 1 >= parts.length) return NO_TOKEN;
    return ranks.ofPair(
      parts[at] ?? NO_TOKEN,
      parts[at + 1] ?? NO_TOKEN,
      piece,
      starts[at] ?? 0,
      starts[at + 2] ?? piece.length,
    );
  };
  for (let at = 0; at < parts.length; at++) pairs.push(pairFrom(at));
  for (;;) {
    let lowest = NO_TOKEN;
    let at = -1;
    for (let candidate = 0; candidate < pairs.length; candidate++) {
      const rank = pairs[candidate] ?? NO_TOKEN;
      if (rank >= lowest) continue;
      lowest = rank;
      at = candidate;
    }
    if (at === -1) return parts.length;
    parts[at] = lowest;
    starts.splice(at + 1, 1);
    parts.splice(at + 1, 1);
    pairs.splice(at + 1, 1);
    pairs[at] = pairFrom(at);
    if (at > 0) pairs[at - 1] = pairFrom(at - 1);
  }
}

/** Ranks are below 2^30 and positions below 2^23: both fit into one double, ordered by rank, then by position. */
const POSITIONS = 2 ** 23;

function countByHeap(piece: string, ranks: PairRanks): number {
  const size = piece.length;
  // A part is known by its first byte; `ends` and `befores` link the parts that are left.
  const ends = new Uint32Array(size);
  const befores = new Int32Array(size);
  const parts = new Int32Array(size);
  const pairs = new Int32Array(size).fill(NO_TOKEN);
  const heap = createHeap(2 * size);
  let count = size;

  const look = (start: number): void => {
    const middle = ends[start] ?? size;
    if (middle >= size) {
      pairs[start] = NO_TOKEN;
      return;
    }
    const rank = ranks.ofPair(parts[start] ?? NO_TOKEN, parts[middle] ?? NO_TOKEN, piece, start, ends[middle] ?? size);
    pairs[start] = rank;
    if (rank !== NO_TOKEN) heap.push(rank * POSITIONS + start);
  };
  for (let start = 0; start < size; start++) {
    ends[start] = start + 1;
    befores[start] = start - 1;
    parts[start] = ranks.ofByte(piece.charCodeAt(start));
  }
  for (let start = 0; start < size - 1; start++) look(start);
  for (let lowest = heap.pop(); lowest !== undefined; lowest = heap.pop()) {
    const start = lowest % POSITIONS;
    const rank = Math.floor(lowest / POSITIONS);
    // An entry whose parts have merged with others since.
    if (pairs[start] !== rank) continue;
    const middle = ends[start] ?? size;
    const end = ends[middle] ?? size;
    ends[start] = end;
    parts[start] = rank;
    pairs[middle] = NO_TOKEN;
    if (end < size) befores[end] = start;
    count -= 1;
    look(start);
    const before = befores[start] ?? -1;
    if (before >= 0) look(before);
  }
  return count;
}

interface Heap {
  push(value: number): void;
  /** The smallest value. */
  pop(): number | undefined;
}

function createHeap(capacity: number): Heap {
  let values = new Float64Array(capacity);
  let length = 0;
  return {
    push: (value) => {
      if (length === values.length) {
        const larger = new Float64Array(2 * length);
        larger.set(values);
        values = larger;
      }
      let at = length++;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        const above = values[parent] ?? 0;
        if (above <= value) break;
        values[at] = above;
        at = parent;
      }
      values[at] = value;
    },
    pop: () => {
      if (length === 0) return undefined;
      const smallest = values[0];
      const last = values[--length] ?? 0;
      let at = 0;
      for (let child = 1; child < length; child = 2 * at + 1) {
        if (child + 1 < length && (values[child + 1] ?? 0) < (values[child] ?? 0)) child += 1;
        const below = values[child] ?? 0;
        if (below >= last) break;
        values[at] = below;
        at = child;
      }
      values[at] = last;
      return smallest;
    },
  };
}
