import { lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { hasLiveOwner } from "./session-owner.ts";

const DAY_MS = 86_400_000;
/** A dead session's folder stays this long after it was last written to. */
const KEPT_MS = 7 * DAY_MS;

/**
 * Removes the scratch folders of dead sessions that nobody touched for seven days. A living session's folder stays,
 * however old; what cannot be read or removed stays as well. Never rejects.
 */
export async function sweepDeadSessions(dataDir: string, now: number = Date.now()): Promise<void> {
  const scratch = join(dataDir, "scratch");
  for (const name of await names(scratch)) {
    // Looking for an owner is synchronous work, and a host may have hundreds of sessions.
    await nextTurn();
    const folder = join(scratch, name);
    if (hasLiveOwner(folder)) continue;
    const touched = await lastTouched(folder);
    if (touched === undefined || now - touched < KEPT_MS) continue;
    await removeSession(folder, `${folder}.${process.pid}.swept`);
  }
}

/** The folder is moved aside first: a session that begins meanwhile makes a new one and loses nothing. */
async function removeSession(folder: string, aside: string): Promise<void> {
  try {
    await rename(folder, aside);
    if (hasLiveOwner(aside)) await rename(aside, folder);
    else await rm(aside, { recursive: true, force: true });
  } catch {
    // Another host sweeps too, or the permissions do not allow it: the next start tries again.
  }
}

/** The newest change in the folder, in milliseconds; undefined when it is no folder or cannot be read. */
async function lastTouched(folder: string): Promise<number | undefined> {
  const stat = await lstat(folder).catch(() => undefined);
  if (stat?.isDirectory() !== true) return undefined;
  let newest = stat.mtimeMs;
  for (const name of await names(folder)) {
    const path = join(folder, name);
    const entry = await lstat(path).catch(() => undefined);
    const touched = entry?.isDirectory() === true ? await lastTouched(path) : entry?.mtimeMs;
    newest = Math.max(newest, touched ?? 0);
  }
  return newest;
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
