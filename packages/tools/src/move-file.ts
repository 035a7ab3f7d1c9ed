// Takes a file's name away or gives it another. Synchronous: it runs in worker threads.
import { type BigIntStats, linkSync, lstatSync, renameSync, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { errnoOf } from "./errno.ts";
import { isToolError, ToolError } from "./error.ts";
import { fileChanged } from "./file-changed.ts";
import { type Folder, fromFolderErrno, openFolder } from "./folder.ts";
import { isUnchanged } from "./in-place.ts";
import { makeFolders, removeFolders } from "./make-folders.ts";
import type { Located } from "./path.ts";

/**
 * @param before the file as it was when its content was looked at; undefined: whatever is there.
 * @throws ToolError FILE_CHANGED, PERMISSION_DENIED.
 */
export function removeFile(located: Located, before: BigIntStats | undefined): void {
  inFolder(located, (folder) => {
    const target = folder.at(basename(located.absolute));
    assertSame(target, before, located.path);
    unlinkSync(target);
    folder.sync();
  });
}

/**
 * Renames a file; nothing that exists is replaced. Folders are made. False: the destination is on another file system.
 * @throws ToolError FILE_CHANGED, PATH_EXISTS, PERMISSION_DENIED, DISK_FULL.
 */
export function moveFile(from: Located, to: Located, before: BigIntStats): boolean {
  const made = makeFolders(dirname(to.absolute), to.path);
  try {
    return inFolder(from, (oldFolder) =>
      inFolder(to, (newFolder) => {
        const source = oldFolder.at(basename(from.absolute));
        const target = newFolder.at(basename(to.absolute));
        assertSame(source, before, from.path);
        const renamed = rename(source, target, from, to);
        newFolder.sync();
        oldFolder.sync();
        return renamed;
      }),
    );
  } catch (error) {
    removeFolders(dirname(to.absolute), made);
    throw error;
  }
}

/** A second name first, which fails where a plain rename would replace. */
function rename(source: string, target: string, from: Located, to: Located): boolean {
  try {
    linkSync(source, target);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw exists(to.path);
    if (errnoOf(error) === "EXDEV") return false;
    // A file system without hard links.
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw exists(to.path);
    ofEitherFolder(from, to, () => renameSync(source, target));
    return true;
  }
  try {
    ofEitherFolder(from, to, () => unlinkSync(source));
  } catch (error) {
    // Half a move is none.
    unlinkSync(target);
    throw error;
  }
  return true;
}

/** The system does not tell which of the two folders refused. */
function ofEitherFolder(from: Located, to: Located, act: () => void): void {
  try {
    act();
  } catch (error) {
    const atTarget = fromFolderErrno(error, dirname(to.absolute), to.path);
    if (isToolError(atTarget) && atTarget.details?.folder !== undefined) throw atTarget;
    throw fromFolderErrno(error, dirname(from.absolute), from.path);
  }
}

function exists(path: string): ToolError {
  return new ToolError("PATH_EXISTS", `"${path}" exists already`, {
    next: "choose another name for MV",
    details: { path },
  });
}

function assertSame(target: string, before: BigIntStats | undefined, path: string): void {
  if (before === undefined) return;
  const now = lstatSync(target, { bigint: true, throwIfNoEntry: false });
  if (now === undefined || !isUnchanged(now, before)) throw fileChanged(path);
}

function inFolder<Value>(located: Located, act: (folder: Folder) => Value): Value {
  try {
    const folder = openFolder(dirname(located.absolute), located.path);
    try {
      return act(folder);
    } finally {
      folder.close();
    }
  } catch (error) {
    throw fromFolderErrno(error, dirname(located.absolute), located.path);
  }
}
