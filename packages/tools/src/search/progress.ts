// What a search that may get stuck has in hand at any moment, in memory that survives its thread.

export interface Progress {
  begin(path: string, mtimeMs: number): void;
  /** Matches of the file so far. */
  counted(count: number): void;
  end(): void;
}

/** The file that a search was in. */
export interface InHand {
  readonly path: string;
  readonly mtimeMs: number;
  readonly count: number;
}

/** One more than the path's length; 0 between two files. */
const IN_HAND = 0;
const COUNT = 1;
const TIME_AT = 8;
const PATH_AT = 16;
const MAX_PATH_BYTES = 8192;

export function createProgressMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(PATH_AT + MAX_PATH_BYTES);
}

export function openProgress(memory: SharedArrayBuffer): Progress {
  const numbers = new Int32Array(memory, 0, 2);
  const time = new Float64Array(memory, TIME_AT, 1);
  const path = Buffer.from(memory, PATH_AT);
  return {
    begin: (of, mtimeMs) => {
      numbers[COUNT] = 0;
      time[0] = mtimeMs;
      Atomics.store(numbers, IN_HAND, path.write(of) + 1);
    },
    counted: (count) => Atomics.store(numbers, COUNT, count),
    end: () => Atomics.store(numbers, IN_HAND, 0),
  };
}

/** Undefined between two files. */
export function readProgress(memory: SharedArrayBuffer): InHand | undefined {
  const numbers = new Int32Array(memory, 0, 2);
  const inHand = Atomics.load(numbers, IN_HAND);
  if (inHand === 0) return undefined;
  const path = Buffer.from(memory, PATH_AT, inHand - 1).toString();
  return { path, mtimeMs: new Float64Array(memory, TIME_AT, 1)[0] ?? 0, count: Atomics.load(numbers, COUNT) };
}
