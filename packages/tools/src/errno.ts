import { ToolError, type ToolErrorCode } from "./error.ts";

const TABLE: Record<string, { code: ToolErrorCode; reason: string; next: string }> = {
  ENOENT: { code: "PATH_NOT_FOUND", reason: "does not exist", next: "check the path with Glob" },
  ENOTDIR: { code: "PATH_NOT_FOUND", reason: "goes through a file", next: "check the path with Glob" },
  ELOOP: { code: "PATH_NOT_FOUND", reason: "is a loop of symbolic links", next: "name the real file" },
  ENAMETOOLONG: {
    code: "INVALID_ARGUMENT",
    reason: "is longer than the file system allows",
    next: "use a shorter path",
  },
  EISDIR: { code: "PATH_NOT_FILE", reason: "is a directory", next: "list it with Glob" },
  EACCES: { code: "PERMISSION_DENIED", reason: "may not be accessed", next: "ask the user to change its permissions" },
  EPERM: { code: "PERMISSION_DENIED", reason: "may not be changed", next: "ask the user to change its permissions" },
  EROFS: { code: "PERMISSION_DENIED", reason: "is on a read-only file system", next: "choose another place" },
  ENOSPC: { code: "DISK_FULL", reason: "does not fit on the disk", next: "ask the user to free some space" },
  EDQUOT: { code: "DISK_FULL", reason: "is over the disk quota", next: "ask the user to free some space" },
  EEXIST: { code: "PATH_EXISTS", reason: "exists already", next: "choose another name" },
  EFBIG: { code: "FILE_TOO_LARGE", reason: "is larger than the file system allows", next: "write it in parts" },
  EMFILE: { code: "HOST_OVERLOADED", reason: "cannot be opened, too many files are open", next: "try again" },
  ENFILE: { code: "HOST_OVERLOADED", reason: "cannot be opened, too many files are open", next: "try again" },
};

/** A system error about `path` as the tool error it stands for; any other error is returned as it is. Idempotent. */
export function fromErrno(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  const row = TABLE[errno] ?? unexpected(errno);
  return new ToolError(row.code, `"${path}" ${row.reason}`, { next: row.next, details: { path, errno }, cause: error });
}

/** A failing disk, a lost network share, a file of the kernel that cannot be read. */
function unexpected(errno: string): { code: ToolErrorCode; reason: string; next: string } {
  return {
    code: "TOOL_FAILED",
    reason: `could not be used, the system says ${errno}`,
    next: "look at it through Bash, or ask the user",
  };
}

/** `ENOENT` and the like of a Node system error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return "errno" in error ? error.code : undefined;
}
