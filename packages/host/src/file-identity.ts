import { realpath, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";

/**
 * One string for a file however it is spelled: `./a`, its absolute path, a symlink or a hard link to it. A missing file
 * is named by its nearest existing parent. Never throws; a path that cannot be examined stands for itself.
 */
export async function fileIdentity(root: string, path: string): Promise<string> {
  const absolute = resolve(root, path);
  try {
    const { dev, ino } = await stat(absolute, { bigint: true });
    return `inode:${dev}:${ino}`;
  } catch {
    // Nothing there (yet), or not ours to look at: the name decides.
    return `path:${await canonicalName(absolute)}`;
  }
}

async function canonicalName(absolute: string): Promise<string> {
  const missing: string[] = [];
  let current = absolute;
  while (dirname(current) !== current) {
    try {
      return resolve(await realpath(current), ...missing);
    } catch {
      missing.unshift(basename(current));
      current = dirname(current);
    }
  }
  return absolute;
}
