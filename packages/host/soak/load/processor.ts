// Who uses the processors: a number that was measured while somebody else had them says nothing about this process.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { childPids } from "../../test/helpers/call-marks.ts";

/** Shares of all cores in one stretch of time, from 0 to 1; `until` by `performance.now()`. */
export interface ProcessorUse {
  readonly until: number;
  /** This process, its threads, its helpers and their ended commands. */
  readonly own: number;
  readonly others: number;
}

export interface ProcessorLog {
  readonly uses: ProcessorUse[];
  close(): void;
}

const STRETCH_MS = 1000;

export function startProcessorLog(): ProcessorLog {
  const uses: ProcessorUse[] = [];
  let before = look();
  const timer = setInterval(() => {
    const now = look();
    const total = now.total - before.total;
    const own = Math.min(1, (now.own - before.own) / total);
    if (total > 0) uses.push({ until: now.at, own, others: Math.max(0, 1 - (now.idle - before.idle) / total - own) });
    before = now;
  }, STRETCH_MS);
  timer.unref();
  return { uses, close: () => clearInterval(timer) };
}

/** How much of the time from `from` to `to` others had. */
export function othersWhile(uses: readonly ProcessorUse[], from: number, to: number): number {
  const met = uses.filter(({ until }) => until > from && until - STRETCH_MS < to);
  return Math.max(0, ...met.map(({ others }) => others));
}

interface Look {
  readonly at: number;
  /** Seconds of all cores since the start of the machine. */
  readonly total: number;
  readonly idle: number;
  readonly own: number;
}

function look(): Look {
  const times = cpus().map(({ times: { user, nice, sys, idle, irq } }) => ({
    total: (user + nice + sys + idle + irq) / 1000,
    idle: idle / 1000,
  }));
  return {
    at: performance.now(),
    total: times.reduce((sum, { total }) => sum + total, 0),
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    own: [process.pid, ...childPids()].reduce((sum, pid) => sum + secondsOf(pid), 0),
  };
}

/** Ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

function secondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    // utime, stime, cutime, cstime of proc(5), counted from the state.
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0) / TICKS_PER_SECOND;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
