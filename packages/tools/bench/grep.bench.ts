// What does a search cost beside rg, in a tree and in one large file?
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import fastGlob from "fast-glob";
import ignore from "ignore";
import { createToolbox, type Toolbox } from "../src/toolbox.ts";
import { MISSING_WORD, RARE_WORD, writeSources } from "./search-corpus.ts";
import { callOk, machine, mediansOf, milliseconds, ratio, ripgrep, type Way } from "./search-ways.ts";

interface Search {
  readonly name: string;
  readonly pattern: string;
  readonly ignoreCase?: boolean;
}

const IN_TREE: readonly Search[] = [
  { name: "no match", pattern: MISSING_WORD },
  { name: "rare word", pattern: RARE_WORD },
  { name: "common word", pattern: "import" },
  { name: "any case, no match", pattern: MISSING_WORD, ignoreCase: true },
  { name: "any case, common", pattern: "truncated", ignoreCase: true },
  { name: "word not ASCII, no match", pattern: "größenwahn" },
  { name: "alternation, few", pattern: "quetzal\\w+|glyptodon|\\w*brontosaur" },
  { name: "`[A-Z]\\w+Error\\b`", pattern: "[A-Z]\\w+Error\\b" },
  { name: "no literal, common: `\\b\\d{3}\\b`", pattern: "\\b\\d{3}\\b" },
  { name: "no literal, no match: `[0-9]{5,}`", pattern: "[0-9]{5,}" },
];

const IN_LOG: readonly Search[] = [
  { name: "no match", pattern: MISSING_WORD },
  { name: "one match, at the end", pattern: RARE_WORD },
  { name: "any case, no match", pattern: MISSING_WORD, ignoreCase: true },
  { name: "no literal, no match: `[XYZ]\\d{7}`", pattern: "[XYZ]\\d{7}" },
];

/** Prints two markdown tables, each with a line about what else was measured. */
export async function run({ quick }: { quick: boolean }): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "spillway-bench-")));
  const box = await createToolbox({ root, dataDir: join(root, ".data") });
  try {
    await tree(box, root, quick ? 600 : 24_000, quick ? 2 : 5);
    await log(box, root, quick ? 64_000_000 : 1_000_000_000, quick ? 2 : 5);
  } finally {
    await box.close({ remove: true });
    await rm(root, { recursive: true, force: true });
  }
}

async function tree(box: Toolbox, root: string, count: number, rounds: number): Promise<void> {
  console.log(`${machine()}.\n`);
  const { files, bytes } = writeSources(join(root, "sources"), count);
  const cwd = join(root, "sources");
  console.log(`A tree of ${files} files, ${(bytes / 1e6).toFixed(0)} MB; Grep gives the newest 200 matches, rg all:\n`);
  console.log("| pattern | `rg -n` ms | `rg -n --sortr modified` ms | Grep ms | to `rg -n` | to `--sortr` |");
  console.log("| --- | ---: | ---: | ---: | ---: | ---: |");
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let same = 0;
  // The threads' code gets fast with the first searches, and rg's pages are in memory after them.
  for (const search of IN_TREE) await callOk(box, "Grep", { ...grepArgs(search), path: "sources" });
  for (const search of IN_TREE) {
    const args = ripgrepArgs(search);
    const ways: Way[] = [
      { name: "rg", run: () => ripgrep([...args, "."], cwd) },
      { name: "rg --sortr", run: () => ripgrep([...args, "--sortr", "modified", "."], cwd) },
      { name: "Grep", run: () => callOk(box, "Grep", { ...grepArgs(search), path: "sources" }) },
    ];
    const [plain = 0, sorted = 0, grep = 0] = await mediansOf(ways, rounds);
    const row = [search.name, ...[plain, sorted, grep].map(milliseconds), ratio(grep, plain), ratio(grep, sorted)];
    console.log(`| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
    if (await isSame(box, cwd, search)) same += 1;
  }
  delay.enable();
  for (const search of IN_TREE) await callOk(box, "Grep", { ...grepArgs(search), path: "sources" });
  delay.disable();
  const walk: Way = { name: "JavaScript", run: () => naively(cwd, MISSING_WORD), once: true };
  const grep: Way = {
    name: "Grep",
    run: () => callOk(box, "Grep", { pattern: MISSING_WORD, path: "sources" }),
    once: true,
  };
  const [javaScript = 0, own = 0] = await mediansOf([walk, grep], 1);
  console.log(
    `\n${same} of ${IN_TREE.length} results are the first lines that \`rg --sortr modified\` prints. Main thread delay during Greps: p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, max ${(delay.max / 1e6).toFixed(1)} ms. fast-glob, \`ignore\`, \`readFile\` and a test of each line, no match: ${milliseconds(javaScript)} ms, ${(javaScript / own).toFixed(0)} times Grep's.\n`,
  );
}

async function log(box: Toolbox, root: string, bytes: number, rounds: number): Promise<void> {
  writeLog(join(root, "large.log"), bytes);
  console.log(`One file of ${bytes / 1e6} MB, lines of 107 bytes:\n`);
  console.log("| pattern | `rg -n` ms | Grep ms | to `rg -n` |\n| --- | ---: | ---: | ---: |");
  for (const search of IN_LOG) {
    const ways: Way[] = [
      { name: "rg", run: () => ripgrep([...ripgrepArgs(search), "large.log"], root) },
      { name: "Grep", run: () => callOk(box, "Grep", { ...grepArgs(search), path: "large.log" }) },
    ];
    const [plain = 0, grep = 0] = await mediansOf(ways, rounds);
    console.log(`| ${search.name} | ${milliseconds(plain)} | ${milliseconds(grep)} | ${ratio(grep, plain)} |`);
  }
  const first: Way[] = [
    { name: "rg", run: () => ripgrep(["-n", "-m", "200", "handled", "large.log"], root) },
    { name: "Grep", run: () => callOk(box, "Grep", { pattern: "handled", path: "large.log" }) },
  ];
  const [plain = 0, grep = 0] = await mediansOf(first, rounds);
  console.log(
    `| every line matches, first 200 | ${milliseconds(plain)} | ${milliseconds(grep)} | ${ratio(grep, plain)} |`,
  );
  const peak = await peakMemory(box);
  console.log(`\nResident memory over the idle process while it is searched: +${(peak / 2 ** 20).toFixed(0)} MiB.`);
}

function ripgrepArgs({ pattern, ignoreCase = false }: Search): string[] {
  return ["-n", ...(ignoreCase ? ["-i"] : []), "-e", pattern];
}

function grepArgs({ pattern, ignoreCase = false }: Search): object {
  return { pattern, caseInsensitive: ignoreCase };
}

/** Whether Grep shows the first lines that rg prints, newest files first. */
async function isSame(box: Toolbox, cwd: string, search: Search): Promise<boolean> {
  const printed = ripgrep([...ripgrepArgs(search), "--no-heading", "--with-filename", "--sortr", "modified", "."], cwd);
  const result = await callOk(box, "Grep", { ...grepArgs(search), path: "sources" });
  const matches = result.matches as { path: string; line: number }[];
  const places = matches.map(({ path, line }) => `${path.replace(/^sources/, ".")}:${line}`);
  const expected = printed.toString().split("\n", places.length + 1);
  const isWhole = result.truncated === true || (expected[places.length] ?? "") === "";
  return isWhole && places.every((place, index) => expected[index]?.startsWith(`${place}:`));
}

/** What most agents fall back to: one file after the other, one line after the other. */
async function naively(cwd: string, pattern: string): Promise<number> {
  const rules = ignore().add(await readFile(join(cwd, ".gitignore"), "utf8"));
  const expression = new RegExp(pattern);
  let found = 0;
  for (const path of await fastGlob("**/*", { cwd, dot: true })) {
    if (rules.ignores(path)) continue;
    for (const line of (await readFile(join(cwd, path), "utf8")).split("\n")) if (expression.test(line)) found += 1;
  }
  return found;
}

async function peakMemory(box: Toolbox): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  await callOk(box, "Grep", { pattern: MISSING_WORD, path: "large.log" });
  clearInterval(sampler);
  return peak - before;
}

function writeLog(path: string, bytes: number): void {
  const fd = openSync(path, "w");
  const row = (index: number): string =>
    `2026-11-30T12:00:00.000Z INFO  request ${String(index).padStart(10, "0")} handled path=/api/v1/items status=200 took=12ms\n`;
  const block = Buffer.from(Array.from({ length: 50_000 }, (_, index) => row(index)).join(""));
  for (let written = 0; written < bytes; written += block.length) writeSync(fd, block);
  writeSync(fd, `${RARE_WORD}\n`);
  closeSync(fd);
}
