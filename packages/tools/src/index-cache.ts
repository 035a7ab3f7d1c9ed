import type { FileIndex } from "./worker/file-index.ts";

/** Bounds of the process's cache: files, and bytes of their checkpoints. */
const MAX_FILES = 256;
const MAX_BYTES = 16 * 1024 * 1024;
/** A smaller file is scanned again sooner than its index is looked up. */
const MIN_FILE_BYTES = 256 * 1024;

/** Indexes of files by path; whether one still holds is for the reader to check against the opened file. */
export interface IndexCache {
  get(path: string): FileIndex | undefined;
  set(path: string, index: FileIndex): void;
}

export function createIndexCache(maxFiles: number = MAX_FILES, maxBytes: number = MAX_BYTES): IndexCache {
  const indexes = new Map<string, FileIndex>();
  let bytes = 0;

  const drop = (path: string): void => {
    bytes -= indexes.get(path)?.checkpoints.byteLength ?? 0;
    indexes.delete(path);
  };
  return {
    get: (path) => {
      const index = indexes.get(path);
      if (index === undefined) return undefined;
      indexes.delete(path);
      indexes.set(path, index);
      return index;
    },
    set: (path, index) => {
      drop(path);
      if (index.bytes < MIN_FILE_BYTES) return;
      indexes.set(path, index);
      bytes += index.checkpoints.byteLength;
      for (const oldest of indexes.keys()) {
        if (indexes.size <= maxFiles && bytes <= maxBytes) return;
        drop(oldest);
      }
    },
  };
}

let shared: IndexCache | undefined;

/** The process's one cache: a file that several sessions page through is scanned once. */
export function sharedIndexCache(): IndexCache {
  shared ??= createIndexCache();
  return shared;
}
