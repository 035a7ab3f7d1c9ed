import { readdirSync, readFileSync } from "node:fs";

/** A process of a command that a host in this process started, by the mark in its environment; zombies have none. */
export function markedPids(host: number = process.pid): number[] {
  const mark = new RegExp(`SPILLWAY_CALL=[^\\0]*\\b[0-9a-f]{20}\\.${host}-`);
  return allPids().filter((pid) => pid !== process.pid && mark.test(read(pid, "environ")));
}

/** Children of this process that have ended and that nobody asked for. */
export function zombieChildren(): number[] {
  return childPids().filter((pid) => /^\d+ \(.*\) [ZX] /s.test(read(pid, "stat")));
}

/** Number, state and command line of a process, for a message. */
export function describePid(pid: number): string {
  const state = /^\d+ \(.*\) (\S)/s.exec(read(pid, "stat"))?.[1] ?? "gone";
  return `${pid} ${state} ${read(pid, "cmdline").replaceAll("\0", " ").slice(0, 80)}`;
}

/** Children of this process, also those that have ended. */
export function childPids(): number[] {
  return allPids().filter((pid) => Number(/^\d+ \(.*\) \S (\d+)/s.exec(read(pid, "stat"))?.[1]) === process.pid);
}

/** Empty where there is no procfs. */
function allPids(): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

function read(pid: number, name: "cmdline" | "environ" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    // It has ended meanwhile, or is another user's.
    return "";
  }
}
