import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/** Tells one process from a later one that got the same number: pid, machine, and a digest of when it started. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly machine: string;
  readonly start: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, machine: machineName(), start: digest(await startOf(process.pid)) };
}

/** Whether that very process of this machine still runs. Where its start cannot be read, the number alone decides. */
export async function isAlive(owner: ProcessIdentity): Promise<boolean> {
  if (!isRunning(owner.pid)) return false;
  const start = await startOf(owner.pid);
  if (start === ENDED) return false;
  return start === UNKNOWN ? isRunning(owner.pid) : digest(start) === owner.start;
}

/** A short name of this machine (in a container: of the container). */
export function machineName(): string {
  return digest(hostname());
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

// Windows has no quick way to ask for it.
async function startOf(pid: number): Promise<string> {
  if (process.platform === "win32") return UNKNOWN;
  return process.platform === "linux" ? linuxStart(pid) : psStart(pid);
}

// A killed process whose parent has not collected it yet still has a number, but writes nothing any more: state Z or X.
async function linuxStart(pid: number): Promise<string> {
  const stat = await readIfThere(`/proc/${pid}/stat`);
  // Ended just now, or hidden from this user: isAlive asks once more.
  if (stat === undefined) return UNKNOWN;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return ENDED;
  const boot = await readIfThere("/proc/sys/kernel/random/boot_id");
  return `${boot?.trim()} ${fields[START_TICKS_FIELD]}`;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    // Whatever hides it, nothing can be learnt from it.
    return undefined;
  }
}

async function psStart(pid: number): Promise<string> {
  try {
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    const { stdout } = await promisify(execFile)("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { env });
    const [, state, start] = /^\s*(\S+)\s+(.+?)\s*$/.exec(stdout) ?? [];
    return state?.startsWith("Z") ? ENDED : (start ?? UNKNOWN);
  } catch {
    // It has ended just now, or there is no usable ps: isAlive asks once more.
    return UNKNOWN;
  }
}

export function errorCode(error: unknown): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

const ENDED = "ended";
const UNKNOWN = "unknown";
/** Field 22 of /proc/pid/stat (clock ticks since boot), counted from the state, which is field 3. */
const START_TICKS_FIELD = 19;
