import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { errnoOf, fromErrno } from "./errno.ts";
import { ToolError } from "./error.ts";

/** A folder held open: names are looked up in this very folder, whatever its path leads to meanwhile. */
export interface Folder {
  /** A path for `name` in the folder. */
  at(name: string): string;
  /** Makes renames in it durable, where the platform can. */
  sync(): void;
  close(): void;
}

// Linux, from fcntl.h; Node has no name for it. Such a handle needs no right to list the folder.
const O_PATH = 0o10000000;

/**
 * Opens a canonical folder.
 * @param path what errors call the file that is to be changed in it.
 * @throws ToolError PATH_OUTSIDE_WORKSPACE when the path leads somewhere else by now, and those of `fromErrno`.
 */
export function openFolder(folder: string, path: string): Folder {
  const handle = process.platform === "linux" ? openHandle(folder, path) : undefined;
  const at = (name: string): string => join(handle?.base ?? folder, name);
  return {
    at,
    sync: () => syncFolder(at(".")),
    close: () => {
      if (handle !== undefined) closeSync(handle.fd);
    },
  };
}

/**
 * `fromErrno` for a name that could not be made, replaced or removed: what the system refuses then is mostly the folder.
 * @param folder the canonical folder the name is in.
 * @param path what errors call the file.
 */
export function fromFolderErrno(error: unknown, folder: string, path: string): unknown {
  if (errnoOf(error) !== "EACCES") return fromErrno(error, path);
  let existing = folder;
  let shown = dirname(path);
  while (!existsSync(existing) && existing !== dirname(existing)) {
    existing = dirname(existing);
    shown = dirname(shown);
  }
  if (mayChange(existing)) return fromErrno(error, path);
  return new ToolError("PERMISSION_DENIED", `"${path}" may not be written, its folder "${shown}" may not be changed`, {
    next: "ask the user to change the folder's permissions",
    details: { path, folder: shown, errno: "EACCES" },
    cause: error,
  });
}

function mayChange(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function openHandle(folder: string, path: string): { readonly fd: number; readonly base: string } | undefined {
  let fd: number;
  try {
    fd = openSync(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    throw fromErrno(error, path);
  }
  const base = `/proc/self/fd/${fd}`;
  const opened = linkTarget(base);
  if (opened === folder) return { fd, base };
  closeSync(fd);
  if (opened === undefined) return undefined;
  throw new ToolError("PATH_OUTSIDE_WORKSPACE", `The folder of "${path}" was moved while it was opened`, {
    next: "look at the path again with Glob",
    details: { path },
  });
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No procfs here: the plain path is used.
    return undefined;
  }
}

function syncFolder(folder: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(folder, constants.O_RDONLY);
    fsyncSync(fd);
  } catch {
    // Not every platform and file system can sync a folder; the content itself is synced.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
