// What does it cost to capture a flood of output, to run a small command, and to end a tree of 200 processes?
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import treeKill from "tree-kill";
import { signalProcess } from "../src/shell/hunt.ts";
import { createToolbox, type Toolbox } from "../src/toolbox.ts";

interface Measure {
  readonly ms: number;
  /** Peak resident memory above what the process had before. */
  readonly rssBytes: number;
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
}

/** Prints three markdown tables. */
export async function run({ quick }: { quick: boolean }): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "spillway-bench-")));
  const box = await createToolbox({ root, dataDir: join(root, ".data") });
  try {
    await ours(box, "true");
    await floods(box, root, quick);
    await smallCommands(box, quick);
    await kills(box, quick);
  } finally {
    await box.close({ remove: true });
    await rm(root, { recursive: true, force: true });
  }
}

async function floods(box: Toolbox, root: string, quick: boolean): Promise<void> {
  const bytes = quick ? 64_000_000 : 500_000_000;
  const log = join(root, "log.txt");
  writeLog(log, bytes / 4);
  const producers = [
    { name: "2-byte lines", command: `yes | head -c ${bytes}` },
    { name: "numbers", command: `seq 1 ${Math.round(bytes / 8.9)}` },
    { name: "107-byte lines", command: `cat ${log} ${log} ${log} ${log}` },
    { name: "one endless line", command: `head -c ${bytes} /dev/zero | tr '\\0' x` },
  ];
  const ways = [
    { name: "\\| wc -l", run: (command: string) => shell(`${command} | wc -l`) },
    { name: "\\| cat >/dev/null", run: (command: string) => shell(`${command} | cat >/dev/null`) },
    { name: "Bash", run: (command: string) => ours(box, command) },
    { name: "spawn, bytes unread", run: (command: string) => dropBytes(command) },
    { name: "indexOf for each line", run: (command: string) => countByIndexOf(command) },
    { name: "setEncoding and split", run: (command: string) => countBySplit(command) },
  ];
  console.log(`Capturing ${bytes / 1e6} MB, milliseconds (and times \`| wc -l\`):\n`);
  console.log(`| output | ${ways.map(({ name }) => name).join(" | ")} | Bash: memory | event loop p99 / max |`);
  console.log(`| --- | ${ways.map(() => "---").join(" | ")} | --- | --- |`);
  for (const { name, command } of producers) {
    const results = new Map(ways.map((way) => [way.name, [] as Measure[]]));
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      for (const way of ways) results.get(way.name)?.push(await measured(() => way.run(command)));
    }
    const medians = ways.map((way) => median((results.get(way.name) ?? []).map(({ ms }) => ms)));
    const cells = medians.map((ms) => `${ms.toFixed(0)} (${(ms / (medians[0] ?? 1)).toFixed(2)})`);
    const own = results.get("Bash") ?? [];
    const rss = Math.max(...own.map(({ rssBytes }) => rssBytes)) / 2 ** 20;
    const p99 = median(own.map(({ loopP99Ms }) => loopP99Ms));
    const max = Math.max(...own.map(({ loopMaxMs }) => loopMaxMs));
    console.log(
      `| ${name} | ${cells.join(" | ")} | +${rss.toFixed(0)} MiB | ${p99.toFixed(1)} / ${max.toFixed(1)} ms |`,
    );
  }
}

async function smallCommands(box: Toolbox, quick: boolean): Promise<void> {
  const calls = quick ? 20 : 200;
  const ways = [
    { name: "spawn, `true`", run: () => shell("true") },
    { name: "Bash, `true`", run: () => ours(box, "true") },
    { name: "spawn, `ls; true`", run: () => shell("ls / >/dev/null; true") },
    { name: "Bash, `ls; true` (a process besides the shell)", run: () => ours(box, "ls / >/dev/null; true") },
  ];
  const times = new Map(ways.map(({ name }) => [name, [] as number[]]));
  for (let call = 0; call < calls; call++) {
    for (const way of ways) times.get(way.name)?.push((await measured(way.run)).ms);
  }
  console.log("\nSmall commands, milliseconds:\n\n| | p50 | p99 |\n| --- | --- | --- |");
  for (const { name } of ways) {
    const sorted = (times.get(name) ?? []).toSorted((first, second) => first - second);
    const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
    console.log(`| ${name} | ${at(0.5)} | ${at(0.99)} |`);
  }
}

const TREE = "for i in $(seq 10); do bash -c 'for j in $(seq 19); do sleep 1000 & done; wait' & done";
const DAEMONS = "for i in 1 2 3 4 5; do (setsid bash -c 'sleep 1000; true' &); done";

async function kills(box: Toolbox, quick: boolean): Promise<void> {
  const rounds = quick ? 1 : 7;
  const trees = [
    { name: "200 processes", command: `${TREE}; wait`, processes: 201 },
    { name: "and 5 double-forked sessions", command: `${TREE}; ${DAEMONS}; wait`, processes: 211 },
  ];
  console.log("\nFrom the request to end until every process is dead, milliseconds:\n");
  console.log("| tree | Bash (abort) | tree-kill (SIGKILL) | ratio | survivors of Bash / of tree-kill |");
  console.log("| --- | --- | --- | --- | --- |");
  for (const { name, command, processes } of trees) {
    const own: number[] = [];
    const peer: number[] = [];
    let ownSurvivors = 0;
    let peerSurvivors = 0;
    for (let round = 0; round < rounds; round++) {
      const first = await endByAbort(box, command, processes);
      own.push(first.ms);
      ownSurvivors += first.survivors;
      const second = await endByTreeKill(command, processes);
      peer.push(second.ms);
      peerSurvivors += second.survivors;
    }
    const ratio = median(own) / median(peer);
    console.log(
      `| ${name} | ${median(own).toFixed(0)} | ${median(peer).toFixed(0)} | ${ratio.toFixed(2)} | ${ownSurvivors} / ${peerSurvivors} |`,
    );
  }
}

interface Kill {
  readonly ms: number;
  readonly survivors: number;
}

async function endByAbort(box: Toolbox, command: string, processes: number): Promise<Kill> {
  const tag = newTag();
  const controller = new AbortController();
  const call = box.call("Bash", { command, env: { BENCH_TAG: tag } }, { signal: controller.signal });
  await untilCount(tag, processes);
  const begin = performance.now();
  controller.abort();
  await call;
  const ms = performance.now() - begin;
  return { ms, survivors: endRest(tag) };
}

async function endByTreeKill(command: string, processes: number): Promise<Kill> {
  const tag = newTag();
  const child = spawn("bash", ["-c", command], {
    detached: true,
    stdio: "ignore",
    env: { ...process.env, BENCH_TAG: tag },
  });
  await untilCount(tag, processes);
  const begin = performance.now();
  await new Promise((resolve) => treeKill(child.pid ?? 0, "SIGKILL", resolve));
  // What was signalled may take a moment to vanish; what is there after a second was not.
  const end = performance.now() + 1_000;
  while (tagged(tag).length > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 2));
  const left = endRest(tag);
  return { ms: performance.now() - begin - (left > 0 ? 1_000 : 0), survivors: left };
}

function newTag(): string {
  return `bench-${Math.random().toString(36).slice(2)}`;
}

async function untilCount(tag: string, count: number): Promise<void> {
  while (tagged(tag).length < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

function endRest(tag: string): number {
  const left = tagged(tag);
  for (const pid of left) signalProcess(pid, "SIGKILL");
  return left.length;
}

function tagged(tag: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && environ(pid).includes(tag));
}

function environ(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // Gone meanwhile.
    return "";
  }
}

async function ours(box: Toolbox, command: string): Promise<void> {
  const outcome = await box.call("Bash", { command, timeout: 600 });
  if (!outcome.ok) throw new Error(outcome.error.message);
}

async function shell(command: string): Promise<void> {
  await once(spawn("bash", ["-c", command], { stdio: "ignore" }), "close");
}

function piped(command: string): ChildProcess & { stdout: NonNullable<ChildProcess["stdout"]> } {
  return spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "ignore"] });
}

async function dropBytes(command: string): Promise<void> {
  const child = piped(command);
  child.stdout.resume();
  await once(child, "close");
}

async function countByIndexOf(command: string): Promise<number> {
  const child = piped(command);
  let lines = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  });
  await once(child, "close");
  return lines;
}

async function countBySplit(command: string): Promise<number> {
  const child = piped(command);
  let lines = 0;
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    lines += chunk.split("\n").length - 1;
  });
  await once(child, "close");
  return lines;
}

async function measured(act: () => Promise<unknown>): Promise<Measure> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  delay.enable();
  const begin = performance.now();
  await act();
  const ms = performance.now() - begin;
  delay.disable();
  clearInterval(sampler);
  return { ms, rssBytes: peak - before, loopP99Ms: delay.percentile(99) / 1e6, loopMaxMs: delay.max / 1e6 };
}

function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)] ?? 0;
}

function writeLog(path: string, bytes: number): void {
  const block = Buffer.from(
    `${"2026-01-01T00:00:00Z INFO request served in 12 ms ".padEnd(106, "x")}\n`.repeat(10_000),
  );
  const file = openSync(path, "w");
  for (let written = 0; written < bytes; written += block.length) writeSync(file, block);
  closeSync(file);
}
