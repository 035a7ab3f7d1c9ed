// Which process is meant: a pid alone is used again, a pid with its start time is not.
import { closeSync, openSync, readSync } from "node:fs";

/** One process, for good. `start` is in clock ticks since boot. */
export interface ProcessId {
  readonly pid: number;
  readonly start: number;
}

/** What `/proc/<pid>/stat` says of one process. */
export interface ProcessStat extends ProcessId {
  readonly name: string;
  /** One letter of proc(5): `R`, `S`, `D`, `T`, `Z`, … */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** Whether this system shows its processes as files. */
export function hasProcfs(): boolean {
  return readProcess(process.pid) !== undefined;
}

/** undefined: there is no such process any more, or no procfs. */
export function readProcess(pid: number): ProcessStat | undefined {
  const line = readProcFile(pid, "stat");
  return line === undefined ? undefined : parseStat(line.toString("latin1"));
}

// One buffer for every read: these files are read by the hundred, and each is used before the next is read.
let buffer = Buffer.allocUnsafe(16_384);

/**
 * The content of a file of `/proc/<pid>/`, valid until the next call; undefined when it cannot be read. `readFileSync`
 * takes five times as long for such small files.
 */
export function readProcFile(pid: number, name: "stat" | "status" | "environ" | "cmdline"): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(`/proc/${pid}/${name}`, "r");
    let length = 0;
    for (;;) {
      const read = readSync(descriptor, buffer, length, buffer.length - length, null);
      length += read;
      if (read === 0) return buffer.subarray(0, length);
      // The kernel gives at most a page at a time: only an empty read is the end.
      if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    }
  } catch {
    // Gone between two reads, or not for this user's eyes: either way there is nothing to look at.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Parses a line of `/proc/<pid>/stat`. The name may hold spaces, parentheses and line feeds, so its end is the last `)`. */
export function parseStat(line: string): ProcessStat | undefined {
  const open = line.indexOf("(");
  const close = line.lastIndexOf(")");
  if (open < 0 || close < open) return undefined;
  const fields = line.slice(close + 2).split(" ", 20);
  const [state, parent, group, session] = fields;
  const start = fields[19];
  if (state === undefined || start === undefined) return undefined;
  return {
    pid: Number.parseInt(line, 10),
    start: Number(start),
    name: line.slice(open + 1, close),
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
  };
}

/** A zombie has ended; it only waits for its parent to ask. */
export function isAlive({ state }: ProcessStat): boolean {
  return state !== "Z" && state !== "X";
}

/** Whether that very process still runs. Without procfs only its pid can be asked for. */
export function isRunning({ pid, start }: ProcessId): boolean {
  const found = readProcess(pid);
  if (found !== undefined) return found.start === start && isAlive(found);
  if (hasProcfs()) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** This process. Without procfs its start counts as 0. */
export function ownProcess(): ProcessId {
  return { pid: process.pid, start: readProcess(process.pid)?.start ?? 0 };
}
