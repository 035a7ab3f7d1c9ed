// Pure: what looks like a path of a file to make, and would make something else.
import { sep } from "node:path";
import { ToolError } from "./error.ts";

/**
 * For a path that leads to nothing yet, before a file is made there.
 * @throws ToolError INVALID_ARGUMENT for `~` (a shell's word for the home folder: a folder of that name is a trap for the
 * next `rm -r ~`), for a URL, and for a path that ends with a slash.
 */
export function assertNewFilePath(path: string): void {
  if (/^~(?:[/\\]|$)/.test(path)) {
    const next = `give the path itself, or "./${path}" for a folder that is called "~"`;
    throw refused(path, `"${path}" begins with "~", which only a shell takes for the home folder`, next);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw refused(path, `"${path}" is a URL, not a path`, "give the plain path of the file");
  }
  if (path.endsWith("/") || path.endsWith(sep)) {
    throw refused(path, `"${path}" names a folder`, "give the file's name too: missing folders are made for it");
  }
}

function refused(path: string, message: string, next: string): ToolError {
  return new ToolError("INVALID_ARGUMENT", message, { next, details: { argument: "path", path } });
}
