// Keeps the newest entries that together weigh as much as is needed, whatever the number offered. Pure.

export interface Dated {
  readonly path: string;
  /** Modification time, milliseconds. */
  readonly mtimeMs: number;
  /** How much of the result it fills. */
  readonly weight: number;
}

export interface Newest<Entry extends Dated> {
  add(entry: Entry): void;
  /** Anything older than this cannot be among them any more. */
  floor(): number;
  /** Newest first, ties by path. */
  readonly entries: readonly Entry[];
}

export function createNewest<Entry extends Dated>(needed: number): Newest<Entry> {
  const entries: Entry[] = [];
  let weight = 0;
  return {
    entries,
    add: (entry) => {
      entries.splice(placeOf(entries, entry), 0, entry);
      weight += entry.weight;
      for (let last = entries.at(-1); last !== undefined && weight - last.weight >= needed; last = entries.at(-1)) {
        entries.pop();
        weight -= last.weight;
      }
    },
    floor: () => (weight < needed ? Number.NEGATIVE_INFINITY : (entries.at(-1)?.mtimeMs ?? Number.NEGATIVE_INFINITY)),
  };
}

export function compareDated(left: Pick<Dated, "path" | "mtimeMs">, right: Pick<Dated, "path" | "mtimeMs">): number {
  if (left.mtimeMs !== right.mtimeMs) return right.mtimeMs - left.mtimeMs;
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}

function placeOf(entries: readonly Dated[], entry: Dated): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareDated(entries[middle] as Dated, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
