// Runs the ways to do one search by turns, and says what they took.
import { spawnSync } from "node:child_process";
import { availableParallelism, cpus, loadavg } from "node:os";
import { performance } from "node:perf_hooks";
import type { Toolbox } from "../src/toolbox.ts";
import { rgPath } from "../test/helpers/ripgrep.ts";

export interface Way {
  readonly name: string;
  run(): unknown;
  /** Slow ways take part in one round only. */
  readonly once?: boolean;
}

/** Median milliseconds of each way, in rounds that take turns, each round in another order, after one to warm up. */
export async function mediansOf(ways: readonly Way[], rounds: number): Promise<number[]> {
  const times = ways.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (let place = 0; place < ways.length; place += 1) {
      const index = (place + round + 1) % ways.length;
      const way = ways[index];
      if (way === undefined || (way.once === true && round !== 0)) continue;
      const started = performance.now();
      await way.run();
      if (round >= 0) times[index]?.push(performance.now() - started);
    }
  }
  return times.map((values) => values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN);
}

/** What a program prints. @throws Error when it fails; 1 means that nothing was found. */
export function output(command: string, args: readonly string[], cwd: string): Buffer {
  const ran = spawnSync(command, args, { cwd, maxBuffer: 2 ** 30 });
  if (ran.status !== 0 && ran.status !== 1) throw new Error(`${command} failed: ${ran.error ?? ran.stderr}`);
  return ran.stdout;
}

/** What rg prints about the folder it stands in. */
export function ripgrep(args: readonly string[], cwd: string): Buffer {
  if (rgPath === undefined) throw new Error("There is no rg here: install @vscode/ripgrep");
  return output(rgPath, ["--no-config", "--color", "never", ...args], cwd);
}

/** The result of a call that must succeed. */
export async function callOk(box: Toolbox, tool: "Grep" | "Glob", args: object): Promise<Record<string, unknown>> {
  const outcome = await box.call(tool, args);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.result as unknown as Record<string, unknown>;
}

export function milliseconds(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
}

export function ratio(ms: number, base: number): string {
  return Number.isNaN(ms / base) ? "-" : (ms / base).toFixed(2);
}

/** The machine, and how busy it is. */
export function machine(): string {
  const load = loadavg()[0]?.toFixed(1);
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, load average ${load} when the run began`;
}
