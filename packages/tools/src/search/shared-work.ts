// What the threads of one search share: folders that wait for a thread, when all is done, and how new a file must be to
// matter. Each thread keeps its own stack of folders and hands over the older half as soon as another has nothing to do.

import type { Folder } from "../walk.ts";
import type { JobContext } from "../worker/jobs.ts";
import type { Segment } from "./segments.ts";

/** A folder to list, some files of one that was listed, or a piece of the file that `path` names. */
export interface WorkItem extends Folder {
  readonly names?: readonly string[];
  readonly segment?: Segment;
}

export interface SharedWork {
  /**
   * Walks until no thread has anything left. `visit` gives what it found below the item.
   * @param rest asked once this thread has nothing left, before it waits for others: what it had put off.
   * @returns false when the search was over before this thread came.
   */
  drain(root: WorkItem, visit: (item: WorkItem) => readonly WorkItem[], rest?: () => readonly WorkItem[]): boolean;
  /** Ends the search for all threads. */
  stop(): void;
  /** Modification time (milliseconds) that a file must have to matter; -Infinity at first. */
  floor(): number;
  raiseFloor(mtimeMs: number): void;
}

const LOCK = 0;
const USED = 1;
const WAITING = 2;
const ACTIVE = 3;
const DONE = 4;
const WAKE = 5;
const STARTED = 6;
const FLOOR_AT = 32;
const STACK_AT = 64;
const STACK_BYTES = 512 * 1024;
/** So long a thread sleeps before it looks whether the caller gave up. */
const NAP_MS = 20;

export function createSharedWork(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(STACK_AT + STACK_BYTES);
  new Float64Array(memory, FLOOR_AT, 1)[0] = Number.NEGATIVE_INFINITY;
  return memory;
}

/** How many threads take part in the search; it does not change any more once one of them has answered. */
export function joinedThreads(memory: SharedArrayBuffer): number {
  return Atomics.load(new Int32Array(memory), ACTIVE);
}

export function openSharedWork(memory: SharedArrayBuffer, context: JobContext): SharedWork {
  const flags = new Int32Array(memory, 0, 8);
  const floors = new Float64Array(memory, FLOOR_AT, 1);
  const stack = Buffer.from(memory, STACK_AT, STACK_BYTES);

  const locked = <Value>(act: () => Value): Value => {
    while (Atomics.compareExchange(flags, LOCK, 0, 1) !== 0) {
      // The holder may have been ended in the middle: then the caller gives up for us all.
      context.throwIfCancelled();
      Atomics.wait(flags, LOCK, 1, NAP_MS);
    }
    try {
      return act();
    } finally {
      Atomics.store(flags, LOCK, 0);
      Atomics.notify(flags, LOCK, 1);
    }
  };
  const wakeAll = (): void => {
    Atomics.add(flags, WAKE, 1);
    Atomics.notify(flags, WAKE);
  };
  const used = (): number => flags[USED] ?? 0;

  /** Puts items on the shared stack until it is full; gives how many. */
  const publish = (items: readonly WorkItem[]): number =>
    locked(() => {
      let count = 0;
      for (const item of items) {
        const text = Buffer.from(encodeItem(item));
        const at = used();
        if (at + text.length + 4 > STACK_BYTES) break;
        text.copy(stack, at);
        stack.writeUInt32LE(text.length, at + text.length);
        flags[USED] = at + text.length + 4;
        count += 1;
      }
      wakeAll();
      return count;
    });

  const takeShared = (): WorkItem | undefined => {
    const end = used();
    if (end === 0) return undefined;
    const start = end - 4 - stack.readUInt32LE(end - 4);
    flags[USED] = start;
    return decodeItem(stack.toString("utf8", start, end - 4));
  };

  /** Waits for an item of another thread; undefined when all is done. */
  const next = (): WorkItem | undefined => {
    let waiting = false;
    for (;;) {
      const woken = Atomics.load(flags, WAKE);
      const item = locked(() => {
        const found = flags[DONE] === 1 ? undefined : takeShared();
        if (found === undefined && !waiting) {
          waiting = true;
          flags[WAITING] = (flags[WAITING] ?? 0) + 1;
          if (flags[WAITING] === flags[ACTIVE]) {
            flags[DONE] = 1;
            wakeAll();
          }
        } else if (found !== undefined && waiting) {
          flags[WAITING] = (flags[WAITING] ?? 0) - 1;
        }
        return found;
      });
      if (item !== undefined) return item;
      if (Atomics.load(flags, DONE) === 1) return undefined;
      Atomics.wait(flags, WAKE, woken, NAP_MS);
      context.throwIfCancelled();
    }
  };

  /** Joins the search. The first thread begins with the root; none joins one that is done. */
  const join = (root: WorkItem): WorkItem[] | undefined =>
    locked(() => {
      if (flags[DONE] === 1) return undefined;
      flags[ACTIVE] = (flags[ACTIVE] ?? 0) + 1;
      if (flags[STARTED] === 1) return [];
      flags[STARTED] = 1;
      return [root];
    });

  return {
    drain: (root, visit, rest = () => []) => {
      const own = join(root);
      if (own === undefined) return false;
      for (;;) {
        context.throwIfCancelled();
        if (Atomics.load(flags, DONE) === 1) return true;
        let item = own.pop();
        if (item === undefined) {
          for (const left of rest()) own.push(left);
          item = own.pop() ?? next();
        }
        if (item === undefined) return true;
        for (const found of visit(item)) own.push(found);
        if (own.length > 1 && Atomics.load(flags, WAITING) > 0 && used() === 0) {
          const half = own.slice(0, own.length >> 1);
          own.splice(0, publish(half));
        }
      }
    },
    stop: () => {
      Atomics.store(flags, DONE, 1);
      wakeAll();
    },
    floor: () => floors[0] ?? Number.NEGATIVE_INFINITY,
    raiseFloor: (mtimeMs) => {
      locked(() => {
        if (mtimeMs > (floors[0] ?? 0)) floors[0] = mtimeMs;
      });
    },
  };
}

/** Neither paths nor names hold a NUL. */
function encodeItem({ path, names = [], segment }: WorkItem): string {
  return [path, ...(segment === undefined ? names : ["", ...segment])].join("\0");
}

function decodeItem(text: string): WorkItem {
  const [path = "", ...names] = text.split("\0");
  const item: WorkItem = { path, rules: "unknown" };
  if (names.length === 0) return item;
  return names[0] === ""
    ? { ...item, segment: [Number(names[1]), Number(names[2]), Number(names[3])] }
    : { ...item, names };
}
