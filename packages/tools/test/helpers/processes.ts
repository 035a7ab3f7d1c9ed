import { readdirSync, readFileSync } from "node:fs";

export interface FoundProcess {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
}

/** A number that stands in the environment or the command line of a test's processes and of nobody else's. */
export function newTag(): string {
  return `9${String(Math.floor(Math.random() * 1e9)).padStart(9, "0")}`;
}

/** Living processes (zombies have ended) that have `tag` in their environment or their command line. Linux only. */
export function processesTagged(tag: string): FoundProcess[] {
  return allProcesses().filter(
    ({ pid, state, command }) =>
      state !== "Z" && state !== "X" && (command.includes(tag) || read(pid, "environ").includes(tag)),
  );
}

export function allProcesses(): FoundProcess[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid) => {
      const stat = read(pid, "stat");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === undefined || parent === undefined) return [];
      return [{ pid, parent: Number(parent), state, command: read(pid, "cmdline").replaceAll("\0", " ").trim() }];
    });
}

/** Waits until `condition` holds; for what another process does. */
export async function until(condition: () => boolean, what: string, withinMs: number = 30_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Waited ${withinMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Aborts some time after the first process with `tag` was there; a loaded machine may take long to start one. */
export function abortOnceRunning(tag: string, afterMs: number = 200): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  void until(() => processesTagged(tag).length > 0, `a process of ${tag}`, 20_000).then(
    () => setTimeout(abort, afterMs),
    abort,
  );
  return controller.signal;
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}
