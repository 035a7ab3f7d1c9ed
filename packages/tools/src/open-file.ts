// The one place where a file is opened for reading. Synchronous: it runs in worker threads.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { fromErrno } from "./errno.ts";
import { ToolError } from "./error.ts";
import { kindOf, type Located, type PathPolicy, rootOf } from "./path.ts";

export interface OpenedFile {
  readonly fd: number;
  readonly stat: BigIntStats;
}

/**
 * Opens a located regular file and proves that what was opened still lies where it may: a link that was swapped between
 * the check and the open gains nothing, and a FIFO or device is never opened (such an open can block for ever).
 * The caller closes `fd`.
 * @throws ToolError PATH_NOT_FILE (`details.kind`), PATH_OUTSIDE_WORKSPACE, and those of `fromErrno`.
 */
export function openVerified(located: Located, policy: PathPolicy): OpenedFile {
  if (located.kind !== "file") throw notFile(located.path, located.kind);
  let fd: number;
  try {
    // O_NONBLOCK: should a FIFO have taken the file's place, the open returns at once.
    fd = openSync(located.absolute, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw fromErrno(error, located.path);
  }
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (!stat.isFile()) throw notFile(located.path, kindOf(lstatSync(located.absolute)));
    if (!stillInside(fd, stat, located, policy)) {
      throw new ToolError(
        "PATH_OUTSIDE_WORKSPACE",
        `"${located.path}" was moved out of the workspace while it was opened`,
        {
          next: "look at the path again with Glob",
          details: { path: located.path },
        },
      );
    }
    return { fd, stat };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** @param kind a `FileKind` other than `file`. */
export function notFile(path: string, kind: Located["kind"]): ToolError {
  const next = kind === "directory" ? "list it with Glob" : "name a regular file";
  return new ToolError("PATH_NOT_FILE", `"${path}" is a ${kind}, not a file`, { next, details: { path, kind } });
}

function stillInside(fd: number, stat: BigIntStats, located: Located, policy: PathPolicy): boolean {
  const opened = openedPath(fd);
  if (opened !== undefined) return opened === located.absolute || rootOf(opened, policy) !== undefined;
  // Without procfs: the canonical name still leads to this very file.
  const canonical = realpathSync.native(located.absolute);
  if (rootOf(canonical, policy) === undefined) return false;
  const now = lstatSync(canonical, { bigint: true });
  return now.dev === stat.dev && now.ino === stat.ino;
}

function openedPath(fd: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // No procfs here; the caller compares identities instead.
    return undefined;
  }
}
