import { readdirSync, readFileSync } from "node:fs";

/** Whether a living process has this text in its command line. Linux only; false elsewhere. */
export function isRunning(text: string): boolean {
  return pidsOf(text).length > 0;
}

/** Living processes (zombies have ended) with this text in their command line. */
export function pidsOf(text: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => read(pid, "cmdline").includes(text) && !/^State:\s*[ZX]/m.test(read(pid, "status")));
}

/** Waits until `condition` holds; for what another process does. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  withinMs: number = 30_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Waited ${withinMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
