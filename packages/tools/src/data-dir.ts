import { lstat, mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";

/** The folder for sessions that name none: private to the user, under the system's temporary one. */
export async function defaultDataDir(): Promise<string> {
  const folder = join(tmpdir(), `spillway-${userInfo().uid}`);
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
  return (await isPrivate(folder)) ? folder : mkdtemp(join(tmpdir(), "spillway-"));
}

/** Somebody else may have made a folder of that name in a shared temporary directory. */
async function isPrivate(folder: string): Promise<boolean> {
  if (process.platform === "win32") return true;
  const stat = await lstat(folder).catch(() => undefined);
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
}

/** The real path of `path`, of which a last part need not exist. */
export async function canonicalPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // Not there (yet), or not to be looked at: the part above decides.
    const parent = dirname(path);
    return parent === path ? path : join(await canonicalPath(parent), basename(path));
  }
}
