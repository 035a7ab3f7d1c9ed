// Whether the process that left a claim is still there. Synchronous: it runs in worker threads.
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";

/** Who wrote a claim, as far as its name tells. */
export interface ClaimOwner {
  /** Boot and process-id namespace: process ids of another one say nothing here. */
  readonly host: string;
  readonly pid: number;
  /** In clock ticks after boot, `0` where there is no procfs: tells a process from a later one with its id. */
  readonly start: string;
}

/** Without a start time a recycled process id looks like the owner; no write takes this long. */
const MAX_AGE_MS = 3_600_000;

/** This very process. */
export function ownOwner(): ClaimOwner {
  return { host: hostId(), pid: process.pid, start: processState(process.pid)?.start ?? "0" };
}

/** @param file the claim itself: its age decides where processes cannot be looked up. */
export function isOwnerAlive({ host, pid, start }: ClaimOwner, file: string): boolean {
  const [boot, namespace] = hostId().split("-");
  const [otherBoot, otherNamespace] = host.split("-");
  if (otherBoot !== boot) return false;
  if (otherNamespace !== namespace) return isYoung(file);
  if (!isRunning(pid)) return false;
  const state = processState(pid);
  if (state === undefined) return isYoung(file);
  return !state.zombie && state.start === start;
}

function isYoung(file: string): boolean {
  try {
    return Date.now() - lstatSync(file).mtimeMs < MAX_AGE_MS;
  } catch {
    // Released meanwhile.
    return false;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

let ownHost: string | undefined;

function hostId(): string {
  ownHost ??= `${digest(readOr("/proc/sys/kernel/random/boot_id"))}-${digest(linkOr("/proc/self/ns/pid"))}`;
  return ownHost;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function processState(pid: number): { readonly start: string; readonly zombie: boolean } | undefined {
  const stat = readOr(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses and may hold blanks and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const start = fields[19];
  return start === undefined ? undefined : { start, zombie: fields[0] === "Z" };
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // No procfs on this platform.
    return "";
  }
}

function linkOr(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    // No procfs on this platform.
    return "";
  }
}
