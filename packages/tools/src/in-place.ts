// Overwriting a file that a rename would damage. Synchronous: it runs in worker threads.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";

const CHUNK_BYTES = 256 * 1024;

/** Copies all of one open file over another from its start, cuts it to length and syncs it. */
export function copyOver(from: number, to: number, throwIfCancelled: () => void = () => undefined): void {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = 0;
  for (;;) {
    throwIfCancelled();
    const read = readSync(from, buffer, 0, buffer.length, position);
    if (read === 0) break;
    writeFully(to, buffer.subarray(0, read), position);
    position += read;
  }
  ftruncateSync(to, position);
  fsyncSync(to);
}

export function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}

/**
 * Gives a target back the content it had before its overwriting was cut short, if what it holds is just that: a first part
 * of the new content and then the old one. Otherwise somebody has changed it since and the backup stays where it is.
 */
export function undoInPlace(target: string, temporary: string, backup: string): boolean {
  const fds: number[] = [];
  const open = (path: string, flags: number): number => {
    const fd = openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    fds.push(fd);
    return fd;
  };
  try {
    const now = open(target, constants.O_RDWR);
    const after = open(temporary, constants.O_RDONLY);
    const before = open(backup, constants.O_RDONLY);
    if (!isTorn(now, before, after)) return false;
    copyOver(before, now);
    return true;
  } catch {
    // One of the three is gone or closed to us: nothing can be proven, so nothing is changed.
    return false;
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

/** Whether `now` is the new content up to some byte and the old content from there on. */
function isTorn(now: number, before: number, after: number): boolean {
  const size = fstatSync(now).size;
  const fromNew = commonPrefix(now, after, 0);
  if (fromNew >= size) return true;
  return size === fstatSync(before).size && commonPrefix(now, before, fromNew) === size;
}

/** First position at or after `start` where the files differ or one ends. */
function commonPrefix(left: number, right: number, start: number): number {
  const leftBuffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const rightBuffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = start;
  for (;;) {
    const read = Math.min(
      readSync(left, leftBuffer, 0, CHUNK_BYTES, position),
      readSync(right, rightBuffer, 0, CHUNK_BYTES, position),
    );
    if (read === 0) return position;
    if (!leftBuffer.subarray(0, read).equals(rightBuffer.subarray(0, read))) {
      let same = 0;
      while (leftBuffer[same] === rightBuffer[same]) same++;
      return position + same;
    }
    position += read;
  }
}

export function isSameFile(left: BigIntStats, right: BigIntStats): boolean {
  return left.dev === right.dev && left.ino === right.ino;
}

/** The very file, unchanged since it was looked at. */
export function isUnchanged(left: BigIntStats, right: BigIntStats): boolean {
  return (
    isSameFile(left, right) &&
    left.size === right.size &&
    left.mtimeNs === right.mtimeNs &&
    left.ctimeNs === right.ctimeNs
  );
}
