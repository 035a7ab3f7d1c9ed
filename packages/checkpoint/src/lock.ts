import { randomBytes } from "node:crypto";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CheckpointError } from "./error.ts";
import { isAlive, machineName, ownIdentity, type ProcessIdentity } from "./process-identity.ts";

export interface Lock {
  release(): Promise<void>;
}

/**
 * Makes this process the only writer of a file. Every contender puts a file of its own name beside it and then looks
 * for others: of two, at least one sees the other. The file of a dead owner belongs to nobody else, so removing it can
 * never take the lock from a living one.
 * @throws CheckpointError `SESSION_LOCKED`
 */
export async function acquireLock(file: string): Promise<Lock> {
  const own = await ownIdentity();
  for (let attempt = 1; ; attempt++) {
    const path = `${file}${INFIX}${own.pid}-${own.machine}-${own.start}-${randomBytes(4).toString("hex")}`;
    await writeFile(path, "", { flag: "wx", mode: 0o600 });
    const holder = await livingHolder(file, path);
    if (holder === undefined) return { release: () => release(path) };
    await rm(path, { force: true });
    // Only a newcomer may be about to give way as we just did; an older file is a lock that is held.
    if (attempt >= MAX_ATTEMPTS || holder.ageMs > CONTENTION_MS) throw lockedError(file, holder);
    await sleep(5 + Math.random() * 20 * attempt);
  }
}

/** Lock files that this process gave back and could not remove. */
const released = new Set<string>();

async function release(path: string): Promise<void> {
  released.add(path);
  try {
    await rm(path, { force: true });
    released.delete(path);
  } catch {
    // The folder may not be changed right now. The file stays; here it counts for nothing, elsewhere until this process ends.
  }
}

interface Holder {
  readonly path: string;
  readonly pid: number;
  readonly isLocal: boolean;
  readonly ageMs: number;
}

async function livingHolder(file: string, ownPath: string): Promise<Holder | undefined> {
  const prefix = basename(file) + INFIX;
  for (const name of await readdir(dirname(file))) {
    const path = join(dirname(file), name);
    if (!name.startsWith(prefix) || name === basename(ownPath)) continue;
    const owner = parseOwner(name.slice(prefix.length));
    if (owner === undefined) continue;
    const isLocal = owner.machine === machineName();
    if (released.has(path) || (isLocal && !(await isAlive(owner)))) {
      await release(path);
      continue;
    }
    const ageMs = await ageOf(path);
    if (ageMs !== undefined) return { path, pid: owner.pid, isLocal, ageMs };
  }
  return undefined;
}

function parseOwner(name: string): ProcessIdentity | undefined {
  const match = /^(\d+)-([0-9a-f]+)-([0-9a-f]+)-[0-9a-f]+$/.exec(name);
  const [, pid, machine, start] = match ?? [];
  if (pid === undefined || machine === undefined || start === undefined) return undefined;
  return { pid: Number(pid), machine, start };
}

async function ageOf(path: string): Promise<number | undefined> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch {
    // Gone in the meantime: its owner gave way or closed.
    return undefined;
  }
}

function lockedError(file: string, holder: Holder): CheckpointError {
  const next = holder.isLocal ? "close it there first" : `if that process is gone, delete "${holder.path}"`;
  const owner = holder.isLocal ? `process ${holder.pid}` : `process ${holder.pid} of another machine`;
  return new CheckpointError("SESSION_LOCKED", `The journal "${file}" is open in ${owner} — ${next}`, {
    retriable: true,
    details: { file, pid: holder.pid, lockFile: holder.path },
  });
}

const INFIX = ".lock.";
const MAX_ATTEMPTS = 6;
const CONTENTION_MS = 1000;
