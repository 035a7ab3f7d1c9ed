// What does finding files by name cost beside rg, fd and the libraries?
import { statSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastGlob from "fast-glob";
import { fdir } from "fdir";
import { globby } from "globby";
import ignore from "ignore";
import { glob as tinyglobby } from "tinyglobby";
import { createToolbox, type Toolbox } from "../src/toolbox.ts";
import { writeSources } from "./search-corpus.ts";
import { callOk, machine, mediansOf, milliseconds, output, ratio, ripgrep, type Way } from "./search-ways.ts";

const NEWEST = 100;

/** Prints a markdown table. */
export async function run({ quick }: { quick: boolean }): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "spillway-bench-")));
  const box = await createToolbox({ root, dataDir: join(root, ".data") });
  try {
    await tree(box, root, quick ? 600 : 24_000, quick ? 2 : 7);
  } finally {
    await box.close({ remove: true });
    await rm(root, { recursive: true, force: true });
  }
}

async function tree(box: Toolbox, root: string, count: number, rounds: number): Promise<void> {
  console.log(`${machine()}.\n`);
  const cwd = join(root, "sources");
  const { files } = writeSources(cwd, count);
  const list = isThere("fd") ? "fd" : isThere("fdfind") ? "fdfind" : undefined;
  const ways: Way[] = [
    { name: "`rg --files`, in any order", run: () => ripgrep(["--files"], cwd) },
    {
      name: "`rg --files --sortr modified -g '*.ts'`",
      run: () => ripgrep(["--files", "--sortr", "modified", "-g", "*.ts"], cwd),
    },
    { name: "Glob `**/*.ts`, newest 100", run: () => callOk(box, "Glob", { pattern: "**/*.ts", path: "sources" }) },
    { name: "Glob `**`, newest 100", run: () => callOk(box, "Glob", { pattern: "**", path: "sources" }) },
    ...(list === undefined ? [] : [{ name: "`fd -e ts`, in any order", run: () => output(list, ["-e", "ts"], cwd) }]),
    {
      name: "fdir, no ignore rules, in any order",
      run: () => new fdir().withRelativePaths().glob("**/*.ts").crawl(cwd).withPromise(),
    },
    { name: "tinyglobby, no ignore rules, in any order", run: () => tinyglobby("**/*.ts", { cwd }) },
    { name: "fast-glob and `ignore`, in any order", run: () => listed(cwd) },
    { name: "fast-glob with `stats`, sorted, no ignore rules", run: () => newestOf(cwd) },
    {
      name: "globby with `gitignore`, in any order",
      run: () => globby("**/*.ts", { cwd, gitignore: true }),
      once: true,
    },
  ];
  const medians = await mediansOf(ways, rounds);
  console.log(`A tree of ${files} files:\n\n| way | ms | to \`rg --files --sortr\` |\n| --- | ---: | ---: |`);
  for (const [index, { name }] of ways.entries()) {
    const ms = medians[index] ?? Number.NaN;
    console.log(`| ${name} | ${milliseconds(ms)} | ${ratio(ms, medians[1] ?? Number.NaN)} |`);
  }
  console.log(`\nGlob's 100 paths are the newest that rg lists: ${(await isSame(box, cwd)) ? "yes" : "no"}.`);
}

async function listed(cwd: string): Promise<string[]> {
  const rules = ignore().add(await readFile(join(cwd, ".gitignore"), "utf8"));
  return (await fastGlob("**/*.ts", { cwd })).filter((path) => !rules.ignores(path));
}

async function newestOf(cwd: string): Promise<string[]> {
  const entries = await fastGlob("**/*.ts", { cwd, stats: true });
  return entries
    .sort((left, right) => (right.stats?.mtimeMs ?? 0) - (left.stats?.mtimeMs ?? 0))
    .slice(0, NEWEST)
    .map(({ path }) => path);
}

async function isSame(box: Toolbox, cwd: string): Promise<boolean> {
  const { matches } = await callOk(box, "Glob", { pattern: "**/*.ts", path: "sources" });
  const times = ripgrep(["--files", "-g", "*.ts"], cwd)
    .toString()
    .split("\n")
    .filter((path) => path !== "")
    .map((path) => statSync(join(cwd, path)).mtimeMs)
    .sort((left, right) => right - left);
  const found = (matches as string[]).map((path) => statSync(join(cwd, "..", path)).mtimeMs);
  return found.every((time, index) => time === times[index]);
}

function isThere(command: string): boolean {
  try {
    output(command, ["--version"], ".");
    return true;
  } catch {
    // Not installed: its row is left out.
    return false;
  }
}
