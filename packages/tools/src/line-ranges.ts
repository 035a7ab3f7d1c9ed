/** Inclusive, 1-based. */
export type LineRange = readonly [first: number, last: number];

/** The same lines as sorted ranges that neither overlap nor touch. */
export function normalizeRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const sorted = [...ranges].sort((left, right) => left[0] - right[0]);
  const merged: LineRange[] = [];
  for (const range of sorted) {
    const previous = merged.at(-1);
    if (previous === undefined || range[0] > previous[1] + 1) merged.push(range);
    else if (range[1] > previous[1]) merged[merged.length - 1] = [previous[0], range[1]];
  }
  return merged;
}

export function joinRanges(left: readonly LineRange[], right: readonly LineRange[]): readonly LineRange[] {
  return normalizeRanges([...left, ...right]);
}

/** Those lines of `wanted` that are in none of `have`. */
export function missingRanges(wanted: readonly LineRange[], have: readonly LineRange[]): readonly LineRange[] {
  const missing: LineRange[] = [];
  const known = normalizeRanges(have);
  for (const [first, last] of normalizeRanges(wanted)) {
    let next = first;
    for (let at = firstEndingFrom(known, first); at < known.length && next <= last; at++) {
      const range = known[at];
      if (range === undefined || range[0] > last) break;
      if (range[0] > next) missing.push([next, range[0] - 1]);
      next = Math.max(next, range[1] + 1);
    }
    if (next <= last) missing.push([next, last]);
  }
  return missing;
}

export function countLines(ranges: readonly LineRange[]): number {
  return normalizeRanges(ranges).reduce((total, [first, last]) => total + last - first + 1, 0);
}

/** The first `max` lines of sorted ranges. */
export function takeLines(ranges: readonly LineRange[], max: number): readonly LineRange[] {
  const taken: LineRange[] = [];
  let left = max;
  for (const [first, last] of ranges) {
    if (left <= 0) break;
    taken.push([first, Math.min(last, first + left - 1)]);
    left -= last - first + 1;
  }
  return taken;
}

/** `3, 7-9` */
export function formatRanges(ranges: readonly LineRange[]): string {
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}

/** The part of sorted ranges that lies within `first` to `last`. */
export function clipRanges(ranges: readonly LineRange[], first: number, last: number): readonly LineRange[] {
  return ranges
    .map((range): LineRange => [Math.max(first, range[0]), Math.min(last, range[1])])
    .filter((range) => range[0] <= range[1]);
}

function firstEndingFrom(ranges: readonly LineRange[], line: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range !== undefined && range[1] < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
