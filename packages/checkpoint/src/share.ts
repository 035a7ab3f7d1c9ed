/**
 * Max-min fairness: the level at which `sum(min(size, level))` just stays within the total. Sizes below the level stay
 * whole, the others share what is left evenly. Infinity if all fit.
 */
export function fairLevel(sizes: readonly number[], total: number): number {
  const ascending = sizes.toSorted((a, b) => a - b);
  let left = total;
  for (const [at, size] of ascending.entries()) {
    const level = left / (ascending.length - at);
    if (size > level) return Math.max(0, Math.floor(level));
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
