import type { Fact, ReadRange } from "./fact.ts";

type Call = Extract<Fact, { kind: "call" }>;

/** What of the files and searches is in one context at the moment. */
export interface Seen {
  /** True when everything that the call asks for is there already, from a result that `isLive`. */
  has(call: Call, isLive: (row: number) => boolean): boolean;
  /** The result of the call stands in that row. One that was cut ends somewhere. */
  add(call: Call, row: number, wasCut: boolean): void;
  /** After a change a read is no repeat. */
  forget(call: Call): void;
}

export function createSeen(): Seen {
  const reads = new Map<string, SeenRead[]>();
  const searches = new Map<string, number>();
  return {
    has(call, isLive) {
      if (call.callKind === "search") return isLive(searches.get(call.key) ?? -1);
      const { range } = call;
      if (call.callKind !== "read" || range === undefined) return false;
      const earlier = reads.get(call.paths[0] ?? "") ?? [];
      return earlier.some((read) => isLive(read.row) && covers(read, range));
    },
    add(call, row, wasCut) {
      if (call.callKind === "search") searches.set(call.key, row);
      if (call.callKind !== "read" || call.range === undefined) return;
      const path = call.paths[0] ?? "";
      const earlier = reads.get(path);
      const read = { range: call.range, row, wasCut };
      if (earlier === undefined) reads.set(path, [read]);
      else earlier.push(read);
    },
    forget(call) {
      if (call.callKind !== "edit") return;
      for (const path of call.paths) reads.delete(path);
      if (call.paths.length === 0) reads.clear();
      searches.clear();
    },
  };
}

interface SeenRead {
  readonly range: ReadRange;
  readonly row: number;
  readonly wasCut: boolean;
}

/** Every line that the later read asks for is in the earlier one, or it is the same call again. */
function covers({ range, wasCut }: SeenRead, later: ReadRange): boolean {
  if (range.start === later.start && range.end === later.end) return true;
  if (range.start > later.start || wasCut) return false;
  // A read without an end goes to the file's.
  return range.end === undefined || (later.end !== undefined && later.end <= range.end);
}
