import { readSync } from "node:fs";

/** A file's bytes, wherever they are. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from `start` up to `end` (or the end of the file); valid until the next call. */
  read(start: number, end: number): Uint8Array;
}

/** How much of a file is read at a time where only a part of it is wanted. */
export const PIECE_BYTES: number = 64 * 1024;

export function memorySource(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** Reads by position. One `read` gives at most as much as the largest piece that was asked for so far needs. */
export function fileSource(fd: number, size: number): ByteSource {
  let buffer = new Uint8Array(0);
  return {
    size,
    read: (start, end) => {
      const wanted = Math.max(0, Math.min(end, size) - start);
      if (buffer.length < wanted) buffer = new Uint8Array(Math.max(PIECE_BYTES, wanted));
      return buffer.subarray(0, readFully(fd, buffer.subarray(0, wanted), start));
    },
  };
}

/** Fills `into` from `position` on; fewer bytes only at the end of the file. */
export function readFully(fd: number, into: Uint8Array, position: number): number {
  let length = 0;
  while (length < into.length) {
    const read = readSync(fd, into, length, into.length - length, position + length);
    if (read === 0) break;
    length += read;
  }
  return length;
}
