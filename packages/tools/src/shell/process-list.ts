import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isAlive, type ProcessStat, readProcess, readProcFile } from "./process-id.ts";

/** How long a scan may hold the event loop before others get a turn. */
const SLICE_MS = 3;

/** Calls `look` with each living process of the system in order of pid, giving the event loop its turns. */
export async function eachProcess(
  look: (found: ProcessStat) => void,
  pids: Iterable<number> = listPids(),
): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const pid of pids) {
    const found = readProcess(pid);
    if (found !== undefined && isAlive(found)) look(found);
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

/** The pids there are, ascending; empty without procfs. */
export function listPids(): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0)
      .sort((first, second) => first - second);
  } catch {
    // No procfs here.
    return [];
  }
}

/** Whether the number is a process's, not that of one of its further threads (`/proc` shows those too when asked for). */
export function isProcess(pid: number): boolean {
  const status = readProcFile(pid, "status")?.toString("latin1");
  return status !== undefined && new RegExp(`^Tgid:\\s+${pid}$`, "m").test(status);
}

/** The pid that was given out last in this namespace; threads count too. undefined without procfs. */
export function newestPid(): number | undefined {
  try {
    const last = readFileSync("/proc/loadavg", "utf8").trim().split(" ").at(-1);
    return last === undefined ? undefined : Number(last);
  } catch {
    // No procfs here.
    return undefined;
  }
}

/** What a descriptor of a process leads to, as `pipe:[123]` or `socket:[123]`. */
export function descriptorTarget(pid: number, descriptor: number | string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    // Closed or gone meanwhile, or another user's.
    return undefined;
  }
}

/** Whether one of the process's descriptors leads to one of `targets`. */
export function holdsAny(pid: number, targets: ReadonlySet<string>): boolean {
  if (targets.size === 0) return false;
  let descriptors: string[];
  try {
    descriptors = readdirSync(`/proc/${pid}/fd`);
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
  return descriptors.some((descriptor) => {
    const target = descriptorTarget(pid, descriptor);
    return target !== undefined && targets.has(target);
  });
}
