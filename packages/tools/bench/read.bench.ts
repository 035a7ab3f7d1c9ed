// What does a page of a file cost, wherever it lies and however large the file is?
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, createReadStream, openSync, utimesSync, writeSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { createToolbox, type Toolbox } from "../src/toolbox.ts";

interface Way {
  readonly name: string;
  /** Not timed: what has to be so before the way is gone. */
  prepare?(): Promise<void>;
  run(): Promise<unknown>;
  /** Slow ways take part in the first round only. */
  readonly once?: boolean;
}

/** Prints three markdown tables and a line about memory and the main thread. */
export async function run({ quick }: { quick: boolean }): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "spillway-bench-")));
  const box = await createToolbox({ root, dataDir: join(root, ".data") });
  try {
    await largeFile(box, root, quick ? 64_000_000 : 1_000_000_000, quick ? 2 : 5);
    await longLine(box, root, quick ? 32_000_000 : 500_000_000, quick ? 2 : 5);
    await smallFile(box, root, quick ? 30 : 400);
  } finally {
    await box.close({ remove: true });
    await rm(root, { recursive: true, force: true });
  }
}

async function largeFile(box: Toolbox, root: string, bytes: number, rounds: number): Promise<void> {
  const path = join(root, "large.log");
  const total = writeLog(path, bytes);
  const line = Math.floor(total * 0.92);
  const faulty = join(root, "faulty.log");
  writeLog(faulty, bytes, Buffer.from("caf\xe9\n", "latin1"));
  const page = (name: string, offset: number) => read(box, { path: name, offset });
  const ways: Way[] = [
    { name: "`wc -l` (no page)", run: async () => shell("wc", ["-l", path]) },
    { name: "Read, first page", prepare: () => renew(path), run: () => page("large.log", line) },
    { name: "Read, second page", run: () => page("large.log", Math.floor(total / 3)) },
    { name: "Read, last 100 lines", run: () => read(box, { path: "large.log", offset: -100 }) },
    { name: "Read, first page, one byte not UTF-8", prepare: () => renew(faulty), run: () => page("faulty.log", line) },
    {
      name: "`sed -n p;q` (no total)",
      run: async () => shell("sed", ["-n", `${line},${line + 1999}p;${line + 1999}q`, path]),
    },
    {
      name: "`tail -n +N \\| head` (no total)",
      run: async () => shell("sh", ["-c", `tail -n +${line} '${path}' | head -n 2000`]),
    },
    { name: "`tail -n 100` (no total)", run: async () => shell("tail", ["-n", "100", path]) },
    { name: "`sha256sum` (no page)", run: async () => shell("sha256sum", [path]), once: true },
    { name: "`createReadStream` and `indexOf` (no tag)", run: () => byStream(path, line), once: true },
    { name: "`readline` (no tag)", run: () => byReadline(path, line), once: true },
  ];
  const before = process.memoryUsage.rss();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await page("large.log", 1);
  const peak = await whileReading(delay, async () => {
    await renew(path);
    await page("large.log", line);
  });
  const times = await interleaved(ways, rounds);
  console.log(`Page of 2000 lines at line ${line} of a log of ${bytes / 1e6} MB and ${total} lines:\n`);
  printTable(ways, times);
  console.log(
    `\nResident memory while the first page is read: +${((peak - before) / 2 ** 20).toFixed(0)} MiB (pool start included); main thread delay p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, max ${(delay.max / 1e6).toFixed(1)} ms.\n`,
  );
}

async function longLine(box: Toolbox, root: string, bytes: number, rounds: number): Promise<void> {
  const path = join(root, "line.json");
  const fd = openSync(path, "w");
  const piece = Buffer.from('{"id":1234567,"name":"something long"},'.repeat(50_000));
  for (let written = 0; written < bytes; written += piece.length) writeSync(fd, piece);
  closeSync(fd);
  const column = (share: number) => ({ path: "line.json", limit: 1, column: Math.floor(bytes * share) });
  const ways: Way[] = [
    { name: "`wc -m` (no piece)", run: async () => shell("wc", ["-m", path]) },
    { name: "Read, first piece", prepare: () => renew(path), run: () => read(box, column(0.5)) },
    { name: "Read, second piece", run: () => read(box, column(0.9)) },
    {
      name: "`cut -c`",
      run: async () => shell("cut", ["-c", `${Math.floor(bytes / 2)}-${Math.floor(bytes / 2) + 100_000}`, path]),
    },
  ];
  const times = await interleaved(ways, rounds);
  console.log(`100 000 characters in the middle of one line of ${bytes / 1e6} MB:\n`);
  printTable(ways, times);
  console.log();
}

async function smallFile(box: Toolbox, root: string, rounds: number): Promise<void> {
  const path = join(root, "small.ts");
  await writeFile(path, "export function twice(value: number): number {\n  return 2 * value;\n}\n\n".repeat(160));
  const ways: Way[] = [
    { name: "`await readFile`", run: () => readFile(path, "utf8") },
    { name: "Read", run: () => read(box, { path: "small.ts" }) },
    {
      name: "Read, 20 at once, each",
      run: () => Promise.all(Array.from({ length: 20 }, () => read(box, { path: "small.ts" }))),
    },
    { name: "`readFile`, split, number, SHA-256", run: () => naively(path) },
  ];
  const times = await interleaved(ways, rounds);
  const crowd = ways.findIndex(({ name }) => name.includes("20 at once"));
  times[crowd] = (times[crowd] ?? []).map((ms) => ms / 20);
  console.log("A whole file of 11 KB:\n");
  printTable(ways, times);
}

async function read(box: Toolbox, args: object): Promise<void> {
  const outcome = await box.call("Read", args);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
}

/** Gives the file another time, so that no index of it holds, and lets that time grow old enough to be trusted. */
async function renew(path: string): Promise<void> {
  utimesSync(path, new Date(), new Date(Date.now() - 1_000_000 * Math.random()));
  await wait(50);
}

function shell(command: string, args: readonly string[]): number {
  const { status, stdout } = spawnSync(command, args, { maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`${command} failed`);
  return stdout.length;
}

async function byStream(path: string, line: number): Promise<number> {
  let lines = 0;
  let shown = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
      lines += 1;
      if (lines >= line && lines < line + 2000) shown += at;
    }
  }
  return lines + shown;
}

async function byReadline(path: string, line: number): Promise<string[]> {
  let lines = 0;
  const shown: string[] = [];
  for await (const text of createInterface({ input: createReadStream(path) })) {
    lines += 1;
    if (lines >= line && lines < line + 2000) shown.push(text);
  }
  return shown;
}

async function naively(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  const tag = createHash("sha256").update(text).digest("hex").slice(0, 4);
  const rows = text.split("\n").map((row, index) => `${index + 1}:${row}`);
  return [tag, ...rows].join("\n");
}

/** Lines of 110 bytes with another number each; returns how many. `extra` comes after the first. */
function writeLog(path: string, bytes: number, extra: Uint8Array = new Uint8Array(0)): number {
  const fd = openSync(path, "w");
  const row = (index: number): string =>
    `2026-11-30T12:00:00.000Z INFO  request ${String(index).padStart(10, "0")} handled path=/api/v1/items status=200 duration=12ms ok\n`;
  const block = Buffer.from(Array.from({ length: 50_000 }, (_, index) => row(index)).join(""));
  let lines = 0;
  for (let written = 0; written < bytes; written += block.length) {
    writeSync(fd, block);
    if (lines === 0) writeSync(fd, extra);
    lines += 50_000;
  }
  closeSync(fd);
  return lines;
}

async function whileReading(delay: { enable(): void; disable(): void }, act: () => Promise<void>): Promise<number> {
  let peak = 0;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  delay.enable();
  await act();
  delay.disable();
  clearInterval(sampler);
  return peak;
}

/** Milliseconds of every way, in rounds that take turns, each round in another order, after one round to warm up. */
async function interleaved(ways: readonly Way[], rounds: number): Promise<number[][]> {
  const times = ways.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (let place = 0; place < ways.length; place++) {
      const index = (place + round + 1) % ways.length;
      const way = ways[index];
      if (way === undefined || (way.once && round !== 0)) continue;
      await way.prepare?.();
      const started = performance.now();
      await way.run();
      if (round >= 0) times[index]?.push(performance.now() - started);
    }
  }
  return times;
}

function printTable(ways: readonly Way[], times: readonly number[][]): void {
  const medians = times.map(
    (values) => values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN,
  );
  const base = medians[0] ?? Number.NaN;
  console.log("| way | ms | times the first |\n| --- | ---: | ---: |");
  for (const [index, { name }] of ways.entries()) {
    const ms = medians[index] ?? Number.NaN;
    console.log(`| ${name} | ${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} | ${(ms / base).toPrecision(2)} |`);
  }
}
