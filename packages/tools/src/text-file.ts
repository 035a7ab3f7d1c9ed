// The one place where Write and Edit change a file. Synchronous: it runs in worker threads, which have loaded the hasher.
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { errnoOf } from "./errno.ts";
import { fileChanged } from "./file-changed.ts";
import { type Folder, fromFolderErrno, openFolder } from "./folder.ts";
import { createHasher } from "./hash.ts";
import { isSameFile, isUnchanged, writeFully } from "./in-place.ts";
import { makeFolders, removeFolders } from "./make-folders.ts";
import type { Located } from "./path.ts";
import { type InPlaceReason, publish } from "./publish.ts";
import type { FileVersion } from "./snapshots.ts";
import type { Claim } from "./write-claim.ts";

export type Sink = (bytes: Uint8Array) => void;

export interface Replacement {
  readonly located: Located;
  /** The file as it was when its content was looked at; undefined when there was none. */
  readonly before: BigIntStats | undefined;
  /** A file whose mode and owner the new one gets. Default: `before`. */
  readonly like?: BigIntStats;
  readonly claim: Claim;
  /** Gives the new content in pieces; it may read the old file. */
  readonly produce: (sink: Sink) => void;
  /** Sees the finished content before it takes the file's place; it throws to refuse it. */
  readonly accept?: (written: FileVersion) => void;
  readonly throwIfCancelled: () => void;
}

export interface Landed extends FileVersion {
  /** False when somebody changed the file between our write and our look at it; `hash` and `bytes` are those on disk. */
  readonly asWritten: boolean;
  readonly inPlace?: InPlaceReason;
}

/**
 * Replaces a file as one step, or makes it with its folders: at any moment, also after a kill, a reader finds the old or
 * the new content whole. Mode and owner are kept. On failure the old file is whole and nothing else is left behind.
 * @throws ToolError FILE_CHANGED, PERMISSION_DENIED, DISK_FULL, PATH_NOT_FOUND, FILE_TOO_LARGE.
 */
export function replaceFile(replacement: Replacement): Landed {
  const { located } = replacement;
  const target = dirname(located.absolute);
  const made = makeFolders(target, located.path);
  try {
    const folder = openFolder(target, located.path);
    try {
      return replaceIn(folder, replacement);
    } finally {
      folder.close();
    }
  } catch (error) {
    removeFolders(target, made);
    throw fromFolderErrno(error, target, located.path);
  }
}

function replaceIn(folder: Folder, replacement: Replacement): Landed {
  const { located, before, like = before, claim, produce, accept, throwIfCancelled } = replacement;
  const target = folder.at(basename(located.absolute));
  const temporary = folder.at(basename(claim.temporary));
  const fd = openSync(
    temporary,
    constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
    like === undefined ? 0o666 : 0o600,
  );
  try {
    const written = writeContent(fd, produce, throwIfCancelled);
    accept?.(written);
    const ownerKept = like === undefined || keepOwnerAndMode(fd, like);
    fsyncSync(fd);
    throwIfCancelled();
    assertUnchanged(target, before, located.path);
    const inPlace = publish({ folder, target, temporary, fd, before, claim, ownerKept, path: located.path });
    folder.sync();
    const landed = inPlace === undefined ? onDisk(target, fd, written) : { ...written, asWritten: true };
    return { ...landed, ...(inPlace !== undefined && { inPlace }) };
  } finally {
    closeSync(fd);
    unlinkQuietly(temporary);
  }
}

function writeContent(fd: number, produce: (sink: Sink) => void, throwIfCancelled: () => void): FileVersion {
  const hasher = createHasher();
  let bytes = 0;
  produce((piece) => {
    throwIfCancelled();
    writeFully(fd, piece, bytes);
    hasher.update(piece);
    bytes += piece.byteLength;
  });
  return { hash: hasher.digest(), bytes };
}

/** False when this process may not give the file to its owner. */
function keepOwnerAndMode(fd: number, before: BigIntStats): boolean {
  const now = fstatSync(fd, { bigint: true });
  try {
    if (now.uid !== before.uid || now.gid !== before.gid) fchownSync(fd, Number(before.uid), Number(before.gid));
  } catch (error) {
    if (errnoOf(error) !== "EPERM") throw error;
    return false;
  }
  // After the owner: changing it clears the set-user-id bit.
  fchmodSync(fd, Number(before.mode & 0o7777n));
  return true;
}

function assertUnchanged(target: string, before: BigIntStats | undefined, path: string): void {
  const now = lstatOrMissing(target);
  if (before === undefined ? now !== undefined : now === undefined || !isUnchanged(now, before))
    throw fileChanged(path);
}

function lstatOrMissing(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** What lies at the target now: a watcher may have rewritten it already. */
function onDisk(target: string, fd: number, written: FileVersion): Landed {
  const ours = fstatSync(fd, { bigint: true });
  const now = lstatOrMissing(target);
  if (now === undefined || !now.isFile()) return { ...written, asWritten: false };
  if (isSameFile(now, ours) && now.size === BigInt(written.bytes)) return { ...written, asWritten: true };
  const other = openSync(target, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const version = hashOpened(other);
    return { ...version, asWritten: version.hash === written.hash && version.bytes === written.bytes };
  } finally {
    closeSync(other);
  }
}

function hashOpened(fd: number): FileVersion {
  const hasher = createHasher();
  const buffer = Buffer.allocUnsafe(256 * 1024);
  let bytes = 0;
  for (
    let read = readSync(fd, buffer, 0, buffer.length, 0);
    read > 0;
    read = readSync(fd, buffer, 0, buffer.length, bytes)
  ) {
    hasher.update(buffer.subarray(0, read));
    bytes += read;
  }
  return { hash: hasher.digest(), bytes };
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Renamed over the target, or never made.
  }
}
