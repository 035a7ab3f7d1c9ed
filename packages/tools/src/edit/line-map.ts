// Pure: which lines of two texts are the same, as an alignment.

/** Differences that are looked for between two lines known to match; beyond, the stretch counts as changed. */
const MAX_DISTANCE = 256;

/**
 * For each line of `before` (index 0 is line 1) the index of the same line in `after`, or -1. Matches never cross. First
 * common ends, then lines that are unique on both sides, then the shortest edit script within a bound: near-linear for
 * any input, and where it gives up it says "changed".
 */
export function mapLines(before: readonly string[], after: readonly string[]): Int32Array {
  const ids = new Map<string, number>();
  const idOf = (line: string): number => {
    const known = ids.get(line);
    if (known !== undefined) return known;
    ids.set(line, ids.size);
    return ids.size - 1;
  };
  const left = Int32Array.from(before, idOf);
  const right = Int32Array.from(after, idOf);
  const map = new Int32Array(before.length).fill(-1);
  const pending: Region[] = [{ leftStart: 0, leftEnd: left.length, rightStart: 0, rightEnd: right.length }];
  for (let region = pending.pop(); region !== undefined; region = pending.pop()) {
    const inner = matchEnds(left, right, region, map);
    if (inner.leftStart === inner.leftEnd || inner.rightStart === inner.rightEnd) continue;
    const unique = uniquePairs(left, right, inner);
    if (unique.length > 0) pending.push(...split(inner, unique));
    else matchShortest(left, right, inner, map);
  }
  return map;
}

interface Region {
  readonly leftStart: number;
  readonly leftEnd: number;
  readonly rightStart: number;
  readonly rightEnd: number;
}

type Pair = readonly [left: number, right: number];

function matchEnds(left: Int32Array, right: Int32Array, region: Region, map: Int32Array): Region {
  let { leftStart, leftEnd, rightStart, rightEnd } = region;
  while (leftStart < leftEnd && rightStart < rightEnd && left[leftStart] === right[rightStart]) {
    map[leftStart++] = rightStart++;
  }
  while (leftStart < leftEnd && rightStart < rightEnd && left[leftEnd - 1] === right[rightEnd - 1]) {
    map[--leftEnd] = --rightEnd;
  }
  return { leftStart, leftEnd, rightStart, rightEnd };
}

/** Lines that occur once on each side of the region: the longest run of them in the same order. */
function uniquePairs(left: Int32Array, right: Int32Array, region: Region): readonly Pair[] {
  const leftAt = positions(left, region.leftStart, region.leftEnd);
  const rightAt = positions(right, region.rightStart, region.rightEnd);
  const pairs: Pair[] = [];
  for (const [id, at] of leftAt) {
    const other = rightAt.get(id);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push([at, other]);
  }
  return longestIncreasing(pairs.sort(([a], [b]) => a - b));
}

/** Position of each line that occurs once; -1 for those that occur more often. */
function positions(lines: Int32Array, start: number, end: number): Map<number, number> {
  const found = new Map<number, number>();
  for (let at = start; at < end; at++) {
    const id = lines[at] ?? -1;
    found.set(id, found.has(id) ? -1 : at);
  }
  return found;
}

function longestIncreasing(pairs: readonly Pair[]): readonly Pair[] {
  const tails: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, right]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < right) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = index;
  }
  const chain: Pair[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) chain.push(pair);
  }
  return chain.reverse();
}

/** The stretches from each pair to the next; a pair is the first line of its stretch, so common ends match it. */
function split(region: Region, pairs: readonly Pair[]): readonly Region[] {
  const starts: Pair[] = [[region.leftStart, region.rightStart], ...pairs];
  return starts.map(([leftStart, rightStart], index) => {
    const [leftEnd, rightEnd] = pairs[index] ?? [region.leftEnd, region.rightEnd];
    return { leftStart, leftEnd, rightStart, rightEnd };
  });
}

/** Myers' greedy algorithm with its whole trace, bounded in distance. */
function matchShortest(left: Int32Array, right: Int32Array, region: Region, map: Int32Array): void {
  const rows = region.leftEnd - region.leftStart;
  const columns = region.rightEnd - region.rightStart;
  const bound = Math.min(MAX_DISTANCE, rows + columns);
  const reach = new Int32Array(2 * bound + 3);
  const middle = bound + 1;
  const trace: Int32Array[] = [];
  for (let distance = 0; distance <= bound; distance++) {
    trace.push(reach.slice());
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let x = startOf(reach, middle, diagonal, distance);
      let y = x - diagonal;
      while (x < rows && y < columns && left[region.leftStart + x] === right[region.rightStart + y]) {
        x += 1;
        y += 1;
      }
      reach[middle + diagonal] = x;
      if (x >= rows && diagonal === rows - columns) {
        walkBack(trace, middle, region, map, distance);
        return;
      }
    }
  }
}

/** How far along `diagonal` a path of this distance begins: one step down or right from a neighbour. */
function startOf(reach: Int32Array, middle: number, diagonal: number, distance: number): number {
  const below = reach[middle + diagonal + 1] ?? 0;
  const beside = reach[middle + diagonal - 1] ?? 0;
  const isDown = diagonal === -distance || (diagonal !== distance && beside < below);
  return isDown ? below : beside + 1;
}

function walkBack(trace: readonly Int32Array[], middle: number, region: Region, map: Int32Array, found: number): void {
  let x = region.leftEnd - region.leftStart;
  let y = region.rightEnd - region.rightStart;
  for (let distance = found; distance >= 0; distance--) {
    const reach = trace[distance] ?? new Int32Array(0);
    const diagonal = x - y;
    const start = distance === 0 ? 0 : startOf(reach, middle, diagonal, distance);
    while (x > start) {
      x -= 1;
      y -= 1;
      map[region.leftStart + x] = region.rightStart + y;
    }
    if (distance === 0) return;
    const below = reach[middle + diagonal + 1] ?? 0;
    const beside = reach[middle + diagonal - 1] ?? 0;
    const isDown = diagonal === -distance || (diagonal !== distance && beside < below);
    x = isDown ? below : beside;
    y = isDown ? x - (diagonal + 1) : x - (diagonal - 1);
  }
}
