// Keeps the newest entries that together weigh as much as is needed, whatever the number offered. Pure.

export interface Dated {
  readonly path: string;
  /** Modification time, milliseconds. */
  readonly mtimeMs: number;
  /** How much of the result it fills. */
  readonly weight: number;
  /** Where a piece of a file begins to matter, for entries that are pieces. */
  readonly firstAt?: number;
}

export interface Newest<Entry extends Dated> {
  add(entry: Entry): void;
  /** Anything older than this cannot be among them any more. */
  floor(): number;
  /** Newest first, ties by path. */
  readonly entries: readonly Entry[];
}

/** So many entries are gathered before they are sorted in. */
const BATCH = 64;

export function createNewest<Entry extends Dated>(needed: number): Newest<Entry> {
  let entries: Entry[] = [];
  let pending: Entry[] = [];
  let weight = 0;
  let floor = Number.NEGATIVE_INFINITY;
  const settle = (): void => {
    if (pending.length === 0) return;
    entries = [...entries, ...pending].sort(comparePieces);
    pending = [];
    for (let last = entries.at(-1); last !== undefined && weight - last.weight >= needed; last = entries.at(-1)) {
      entries.pop();
      weight -= last.weight;
    }
    if (weight >= needed) floor = entries.at(-1)?.mtimeMs ?? floor;
  };
  return {
    get entries() {
      settle();
      return entries;
    },
    add: (entry) => {
      pending.push(entry);
      weight += entry.weight;
      const isFirst = floor === Number.NEGATIVE_INFINITY && weight >= needed;
      if (isFirst || pending.length >= Math.max(BATCH, entries.length >> 2)) settle();
    },
    floor: () => floor,
  };
}

function comparePieces(left: Dated, right: Dated): number {
  return compareDated(left, right) || (left.firstAt ?? 0) - (right.firstAt ?? 0);
}

export function compareDated(left: Pick<Dated, "path" | "mtimeMs">, right: Pick<Dated, "path" | "mtimeMs">): number {
  if (left.mtimeMs !== right.mtimeMs) return right.mtimeMs - left.mtimeMs;
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}
