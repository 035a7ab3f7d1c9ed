// What does one change of a large file cost, compared with how it is done without line anchors?
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { applyOps } from "../src/edit/apply-ops.ts";
import { createToolbox, type Toolbox } from "../src/toolbox.ts";

const LINES = 200_000;
/** 200 000 lines, 10 MB. */
const CONTENT = Array.from({ length: LINES }, (_, at) => `${String(at).padStart(6, "0")} ${"x".repeat(42)}\n`).join("");
const OPS_A_CALL = 200;

interface Contender {
  readonly name: string;
  /** Changes line `line` to `text` (or as many lines as `edits` says). */
  change(line: number, text: string): Promise<void>;
  readonly edits: number;
  /** Calls in each round. */
  readonly calls: number;
}

/** Prints a markdown table: median milliseconds of one edit, and how many times longer the others take than a single Edit. */
export async function run({ quick }: { quick: boolean }): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "spillway-bench-")));
  const box = await createToolbox({ root, dataDir: join(root, ".data") });
  try {
    const contenders = await prepare(root, box);
    const before = process.memoryUsage.rss();
    const times = new Map(contenders.map(({ name }) => [name, [] as number[]]));
    let busyMs = 0;
    for (let round = 0; round < (quick ? 1 : 10); round++) {
      for (const [place, contender] of contenders.entries()) {
        const started = performance.eventLoopUtilization();
        times.get(contender.name)?.push(...(await measure(contender, round, quick)));
        if (place === 0) busyMs += performance.eventLoopUtilization(started).active;
      }
    }
    print(contenders, times);
    const edits = times.get(contenders[0]?.name ?? "")?.length ?? 0;
    const growth = (process.memoryUsage.rss() - before) / 2 ** 20;
    console.log(
      `\n${edits} single edits; the main thread was busy for ${(busyMs / edits).toFixed(1)} ms of each; resident memory +${growth.toFixed(0)} MiB over the whole run, peers included.`,
    );
  } finally {
    await box.close({ remove: true });
    await rm(root, { recursive: true, force: true });
  }
}

async function prepare(root: string, box: Toolbox): Promise<Contender[]> {
  let tag = await writeOurs(box);
  const editCall = async (ops: string): Promise<void> => {
    const outcome = await box.call("Edit", { path: "ours.txt", tag, ops });
    if (!outcome.ok || outcome.tool !== "Edit") throw new Error(JSON.stringify(outcome));
    tag = outcome.result.tag;
  };
  for (const name of ["split.txt", "replace.txt", "sed.txt"]) await writeFile(join(root, name), CONTENT);
  const bytes = Buffer.from(CONTENT);
  return [
    {
      name: "Edit, one op a call",
      edits: 1,
      calls: 100,
      change: (line, text) => editCall(`PUT ${line}.=${line}:\n+${text}`),
    },
    {
      name: `Edit, ${OPS_A_CALL} ops a call`,
      edits: OPS_A_CALL,
      calls: 5,
      change: (line, text) => editCall(manyOps(line, text)),
    },
    {
      name: `applyOps in memory, ${OPS_A_CALL} ops a call`,
      edits: OPS_A_CALL,
      calls: 5,
      change: async (line, text) => {
        if (applyOps(bytes, manyOps(line, text)).added !== OPS_A_CALL) throw new Error("Not all ops were applied");
      },
    },
    {
      name: "readFile, split, join, writeFile",
      edits: 1,
      calls: 10,
      change: (line, text) => bySplitting(join(root, "split.txt"), line, text),
    },
    {
      name: "readFile, replace(old, new), writeFile",
      edits: 1,
      calls: 10,
      change: (line, text) => byReplacing(join(root, "replace.txt"), line, text),
    },
    {
      name: "sed -i",
      edits: 1,
      calls: 10,
      change: async (line, text) => {
        const { status } = spawnSync("sed", ["-i", `${line}c\\${text}`, join(root, "sed.txt")]);
        if (status !== 0) throw new Error("sed failed");
      },
    },
  ];
}

async function writeOurs(box: Toolbox): Promise<string> {
  const outcome = await box.call("Write", { path: "ours.txt", content: CONTENT });
  if (!outcome.ok || outcome.tool !== "Write") throw new Error(JSON.stringify(outcome));
  return outcome.result.tag;
}

async function measure({ calls, change, edits }: Contender, round: number, quick: boolean): Promise<number[]> {
  const times: number[] = [];
  const count = quick ? Math.ceil(calls / 10) : calls;
  for (let call = 0; call < count; call++) {
    const line = 1 + (((round * calls + call) * 7919) % (LINES - OPS_A_CALL * 100));
    const started = performance.now();
    await change(line, `changed ${round} ${call}`);
    times.push((performance.now() - started) / edits);
  }
  return times;
}

function manyOps(line: number, text: string): string {
  return Array.from(
    { length: OPS_A_CALL },
    (_, at) => `PUT ${line + 100 * at}.=${line + 100 * at}:\n+${text} ${at}`,
  ).join("\n");
}

async function bySplitting(path: string, line: number, text: string): Promise<void> {
  const lines = (await readFile(path, "utf8")).split("\n");
  lines[line - 1] = text;
  await writeFile(path, lines.join("\n"));
}

/** As tools do that are given the old text: found, checked to be unique, replaced. */
async function byReplacing(path: string, line: number, text: string): Promise<void> {
  const content = await readFile(path, "utf8");
  const start = line === 1 ? 0 : nthLineStart(content, line);
  const old = content.slice(start, content.indexOf("\n", start) + 1);
  if (content.indexOf(old) !== content.lastIndexOf(old)) throw new Error("The old text is not unique");
  await writeFile(
    path,
    content.replace(old, () => `${text}\n`),
  );
}

function nthLineStart(content: string, line: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed++) at = content.indexOf("\n", at) + 1;
  return at;
}

function print(contenders: readonly Contender[], times: ReadonlyMap<string, number[]>): void {
  const medians = contenders.map(({ name }) => median(times.get(name) ?? []));
  const ours = medians[0] ?? Number.NaN;
  console.log("| one changed line of a 10 MB file | ms | ratio |\n| --- | ---: | ---: |");
  for (const [at, { name }] of contenders.entries()) {
    const ms = medians[at] ?? Number.NaN;
    console.log(`| ${name} | ${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} | ${(ms / ours).toFixed(2)} |`);
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
