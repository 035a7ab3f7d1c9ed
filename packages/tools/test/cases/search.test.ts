import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { globOk, grepLines, grepOk, places, searchError } from "../helpers/search-call.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

// Its session keeps the threads alive between the tests.
let keeper: Workspace;
beforeAll(async () => {
  keeper = await createWorkspace();
  await keeper.toolbox();
});
afterAll(() => keeper.remove());

let w: Workspace;
beforeEach(async () => {
  w = await createWorkspace();
});
afterEach(() => w.remove());

const write = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<void> => {
  for (const [name, data] of Object.entries(files)) await w.write(name, data);
};

test("F01 Grep finds text in UTF-16 files, at the line that Read and Edit mean", async () => {
  const bytes = Buffer.from("\ufeffHello 世界\r\nsecond\r\n", "utf16le");
  await write({ "le.txt": bytes, "be.txt": Buffer.from(bytes).swap16() });
  const result = await grepLines(w, { pattern: "Hello" });
  expect(result.matches.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: "be.txt", line: 1, text: "Hello 世界" },
    { path: "le.txt", line: 1, text: "Hello 世界" },
  ]);
  const second = await grepLines(w, { pattern: "^second$", path: "le.txt" });
  expect(second.matches).toEqual([{ path: "le.txt", line: 2, text: "second" }]);
  const tag = second.tags["le.txt"];
  const edit = await w.call("Edit", { path: "le.txt", tag, ops: "PUT 2.=2:\n+changed\n" });
  expect(edit.ok).toBe(true);
  expect(places(await grepLines(w, { pattern: "changed" }))).toEqual(["le.txt:2"]);
});

test("F06 only LF and CRLF end a line, for Grep as for Read", async () => {
  await w.write("sep.txt", "one\ftwo\nthree\rmid\nfour\u2028x\nfive\vNEEDLE\nsix\u0085\n");
  expect((await grepLines(w, { pattern: "NEEDLE" })).matches).toEqual([
    { path: "sep.txt", line: 4, text: "five\vNEEDLE" },
  ]);
  expect(places(await grepLines(w, { pattern: "^(mid|x|two)" }))).toEqual([]);
  expect(places(await grepLines(w, { pattern: "(two|mid|x|.)$" }))).toHaveLength(5);
  const read = await w.call("Read", { path: "sep.txt", offset: 4, limit: 1 });
  expect(read).toMatchObject({ ok: true, result: { content: expect.stringContaining("NEEDLE"), totalLines: 5 } });
});

test("F07 Grep shows the part of a huge line that matched", async () => {
  const items = Array.from({ length: 7000 }, (_, id) => ({ id, v: "x".repeat(40) }));
  await w.write("one.json", JSON.stringify(items));
  const result = await grepLines(w, { pattern: '"id":6999' });
  expect(result).toMatchObject({ count: 1, truncated: false });
  expect(result.matches[0]?.text).toContain('"id":6999');
  expect(result.matches[0]?.column).toBeGreaterThan(300_000);
  expect(result.notice).toContain("is clipped");
});

test("F09 Grep stops in a file larger than a string may be", async () => {
  const block = Array.from(
    { length: 20_000 },
    (_, index) => `row ${String(index).padStart(7, "0")} padding padding padding padding\n`,
  );
  const fd = openSync(w.path("huge.log"), "w");
  for (let copy = 0; copy < 650; copy += 1) writeSync(fd, block.join(""));
  closeSync(fd);
  const before = process.memoryUsage().rss;
  const result = await grepLines(w, { pattern: "row 0019999", path: "huge.log", headLimit: 3 });
  expect(result).toMatchObject({ count: 3, truncated: true });
  expect(result.matches.map(({ line }) => line)).toEqual([20_000, 40_000, 60_000]);
  const all = await grepOk(w, { pattern: "row 0019999", path: "huge.log", outputMode: "count" });
  expect(all).toMatchObject({ counts: [{ path: "huge.log", count: 650 }] });
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});

test("F13 exactly at the limit is not truncated", async () => {
  const empty = (folder: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/${index + 1}.txt`, "x"]));
  await write({ ...empty("a", 100), ...empty("b", 101) });
  const a = await globOk(w, { pattern: "a/*.txt" });
  expect(a).toMatchObject({ count: 100, truncated: false });
  expect(a.matches).toHaveLength(100);
  expect(a).not.toHaveProperty("notice");
  const b = await globOk(w, { pattern: "b/*.txt" });
  expect(b).toMatchObject({ count: 100, truncated: true, notice: expect.stringContaining("more") });
  expect(await globOk(w, { pattern: "b/*.txt", limit: 101 })).toMatchObject({ count: 101, truncated: false });
  expect(await globOk(w, { pattern: "b/*.txt", limit: 1 })).toMatchObject({ count: 1, truncated: true });
  for (const outputMode of ["content", "filesWithMatches", "count"]) {
    const exact = await grepOk(w, { pattern: "x", path: "b", headLimit: 101, outputMode });
    expect(exact).toMatchObject({ count: 101, truncated: false });
    const less = await grepOk(w, { pattern: "x", path: "b", headLimit: 100, outputMode });
    expect(less).toMatchObject({ count: 100, truncated: true });
  }
});

test("F16 ignoring everything but files with a dot and all folders", async () => {
  execFileSync("git", ["init", "-q", "."], { cwd: w.root });
  await write({
    ".gitignore": "*\n!*.*\n!*/\n",
    "notes.md": "needle one\n",
    toolbin: "needle two\n",
    "lib/core.c": "needle three\n",
    "lib/deep/x.h": "needle four\n",
    "lib/runner": "needle\n",
  });
  const found = await grepLines(w, { pattern: "needle" });
  expect(found.matches.map(({ path }) => path).sort()).toEqual(["lib/core.c", "lib/deep/x.h", "notes.md"]);
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: w.root, encoding: "utf8" });
  expect((await globOk(w, { pattern: "**/*" })).matches.toSorted()).toEqual(listed.trim().split("\n").sort());
});

test("F17 a path that exists is found when it is named, ignored or hidden", async () => {
  execFileSync("git", ["init", "-q", "."], { cwd: w.root });
  await write({
    ".gitignore": "node_modules/\ndist/\n",
    "node_modules/tinydep/package.json": '{"name":"tinydep"}\n',
    "dist/app.js": "bundle TOKEN\n",
    ".github/workflows/ci.yml": "on: push TOKEN\n",
    "a.txt": "TOKEN\n",
  });
  // Hidden files are searched and listed alike, and the descriptions say so.
  expect(places(await grepLines(w, { pattern: "TOKEN" })).sort()).toEqual([".github/workflows/ci.yml:1", "a.txt:1"]);
  expect(places(await grepLines(w, { pattern: "TOKEN", path: "dist" }))).toEqual(["dist/app.js:1"]);
  expect(places(await grepLines(w, { pattern: "TOKEN", path: "dist/app.js" }))).toEqual(["dist/app.js:1"]);
  const dependency = "node_modules/tinydep/package.json";
  expect((await globOk(w, { pattern: "*.json", path: "node_modules/tinydep" })).matches).toEqual([dependency]);
  expect((await globOk(w, { pattern: ".github/**/*.yml" })).matches).toEqual([".github/workflows/ci.yml"]);
  expect((await globOk(w, { pattern: dependency })).matches).toEqual([dependency]);
  expect((await globOk(w, { pattern: "**" })).matches.some((path) => path.startsWith(".git/"))).toBe(false);
  for (const name of ["Grep", "Glob"]) {
    const { description } = (await w.toolbox()).tools.find((tool) => tool.name === name) ?? {};
    expect(description).toContain("Hidden files are");
  }
});

test("F18 links that lead in circles are not followed", async () => {
  await w.write("sub/a.ts", "needle\n");
  for (const [target, name] of [
    [".", "sub/loop"],
    ["sub", "link"],
    ["../..", "sub/up"],
    ["self", "self"],
    ["/nonexistent", "dead.ts"],
  ] as const) {
    symlinkSync(target, w.path(name));
  }
  expect(await globOk(w, { pattern: "**/*.ts" })).toEqual({ matches: ["sub/a.ts"], count: 1, truncated: false });
  expect(places(await grepLines(w, { pattern: "needle" }))).toEqual(["sub/a.ts:1"]);
  expect((await globOk(w, { pattern: "**/*.ts", path: "link" })).matches).toEqual(["sub/a.ts"]);
  expect((await searchError(w, "Grep", { pattern: "needle", path: "self" })).code).toBe("PATH_NOT_FOUND");
});

describe("F19 brackets and parentheses in names", () => {
  test.each(["", "w (1) [x]/"])("F19 are no pattern where they name a path, below %j", async (prefix) => {
    await write({ [`${prefix}app/(shop)/[id]/page.tsx`]: "needle\n", [`${prefix}a+b {x}/it's.ts`]: "needle\n" });
    const box = await w.toolbox({ root: w.path(prefix) });
    const page = "app/(shop)/[id]/page.tsx";
    expect((await globOk(box, { pattern: "*.tsx", path: "app/(shop)/[id]" })).matches).toEqual([page]);
    expect((await globOk(box, { pattern: page })).matches).toEqual([page]);
    expect((await globOk(box, { pattern: "app/(shop)/[id]/*.tsx" })).matches).toEqual([page]);
    expect((await globOk(box, { pattern: "app/(shop)/**/*.tsx" })).matches).toEqual([page]);
    expect((await globOk(box, { pattern: `${w.path(prefix)}/${page}` })).matches).toEqual([page]);
    expect(places(await grepLines(box, { pattern: "needle", path: "app/(shop)" }))).toEqual([`${page}:1`]);
    expect((await globOk(box, { pattern: "*.ts", path: "a+b {x}" })).matches).toEqual(["a+b {x}/it's.ts"]);
    for (const path of [page, "a+b {x}/it's.ts"]) expect(await box.call("Read", { path })).toMatchObject({ ok: true });
  });
});

describe("F20 unreadable entries", () => {
  test("F20 cost only themselves", async () => {
    await write({ "good/n.txt": "token 17\n", "locked/x": "token\n" });
    // Links are not followed, so this one is no entry that could not be read.
    symlinkSync("loop", w.path("loop"));
    chmodSync(w.path("locked"), 0o000);
    try {
      const grep = await grepLines(w, { pattern: "token" });
      expect(grep.matches).toContainEqual({ path: "good/n.txt", line: 1, text: "token 17" });
      expect((await globOk(w, { pattern: "**/*.txt" })).matches).toEqual(["good/n.txt"]);
      if (process.getuid?.() !== 0) expect(grep.notice).toContain("1 file or folder could not be read");
    } finally {
      chmodSync(w.path("locked"), 0o755);
    }
    rmSync(w.path("locked"), { recursive: true });
  });

  test("F20 a missing root is an error", async () => {
    for (const tool of ["Grep", "Glob"] as const) {
      expect((await searchError(w, tool, { pattern: "x", path: "missing" })).code).toBe("PATH_NOT_FOUND");
    }
  });
});

describe("F21 an invalid pattern is not the same as no match", () => {
  test.each(["(", "*.ts", "[z-a]", "foo(bar", "a{2,1}", "(?<n>x)(?<n>y)", "\\", ""])("F21 %j", async (pattern) => {
    await w.write("a.ts", "foo(bar\n");
    const error = await searchError(w, "Grep", { pattern });
    expect(error.code).toBe("INVALID_PATTERN");
    expect(error.message).toContain(`"${pattern}"`);
    if (pattern === "*.ts") expect(error.next).toContain("Glob");
    else expect(error.next).toMatch(/literal: true|text to search for/);
  });

  test("F21 an escaped parenthesis and a literal search find it", async () => {
    await w.write("a.ts", "foo(bar\n");
    expect(places(await grepLines(w, { pattern: "foo\\(bar" }))).toEqual(["a.ts:1"]);
    expect(places(await grepLines(w, { pattern: "foo(bar", literal: true }))).toEqual(["a.ts:1"]);
  });
});

describe("F22 catastrophic backtracking", () => {
  // A main thread that did the matching would be late by seconds.
  const LATE_MS = 5_000;

  /** The longest time that a 50 ms interval of the main thread was late by. */
  const watched = async (run: () => Promise<unknown>): Promise<number> => {
    let last = performance.now();
    let late = 0;
    const timer = setInterval(() => {
      late = Math.max(late, performance.now() - last - 50);
      last = performance.now();
    }, 50);
    await run();
    clearInterval(timer);
    return late;
  };

  beforeEach(() => write({ "evil.txt": `${"a".repeat(60)}!\n`, "fine.txt": "aaa\n" }));

  test.each([
    ["^(a+)+$", ["fine.txt:1"]],
    ["(a|a)*b", []],
    ["(?:a?){60}a{60}!", ["evil.txt:1"]],
  ])("F22 %s takes no longer than any other pattern", async (pattern, expected) => {
    let found: string[] = [];
    const late = await watched(async () => {
      found = places(await grepLines(w, { pattern }));
    });
    expect(found).toEqual(expected);
    expect(late).toBeLessThan(LATE_MS);
    expect(places(await grepLines(w, { pattern: "aaa" })).sort()).toEqual(["evil.txt:1", "fine.txt:1"]);
  });

  test("F22 what only backtracking can do is stopped in time, and other calls go on meanwhile", async () => {
    await w.write("some.txt", `aab\n${"a".repeat(60)}!\n`);
    const started = performance.now();
    const nothing = searchError(w, "Grep", { pattern: "^(?=(a+)+$)", path: "evil.txt" });
    const some = grepLines(w, { pattern: "^(?=(a+)+[b$])", path: "some.txt" });
    const late = await watched(async () => {
      expect(places(await grepLines(w, { pattern: "aaa" }))).toHaveLength(3);
      expect(performance.now() - started).toBeLessThan(9_000);
      expect(await nothing).toMatchObject({ code: "PATTERN_TIMEOUT", message: expect.stringContaining("evil.txt") });
      const partial = await some;
      expect(partial.matches).toEqual([{ path: "some.txt", line: 1, text: "aab" }]);
      expect(partial).toMatchObject({ count: 1, truncated: true });
      expect(partial.notice).toContain("took too long in some.txt");
    });
    expect(late).toBeLessThan(LATE_MS);
    expect(places(await grepLines(w, { pattern: "aaa" }))).toHaveLength(3);
  });

  test("F22 an abort ends it at once", async () => {
    const box = await w.toolbox();
    const controller = new AbortController();
    const call = box.call("Grep", { pattern: "^(?=(a+)+$)" }, { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const aborted = performance.now();
    controller.abort();
    expect(await call).toMatchObject({ ok: false, error: { code: "ABORTED" } });
    expect(performance.now() - aborted).toBeLessThan(20_000);
  });
});

describe("F23 a huge tree", () => {
  let huge: Workspace;
  afterAll(() => huge.remove());

  test("F23 is listed and searched within bounds", async () => {
    huge = await createWorkspace();
    for (let folder = 0; folder < 100; folder += 1) {
      const path = huge.path(`t/${String(folder).padStart(3, "0")}`);
      mkdirSync(path, { recursive: true });
      for (let file = 0; file < 200; file += 1) writeFileSync(`${path}/f${String(file).padStart(4, "0")}.txt`, "");
    }
    const before = process.memoryUsage().rss;
    const all = await globOk(huge, { pattern: "**", limit: 100 });
    expect(all).toMatchObject({ count: 100, truncated: true });
    expect(await globOk(huge, { pattern: "**/*.nomatch" })).toMatchObject({ count: 0, truncated: false });
    expect(await grepLines(huge, { pattern: "x" })).toMatchObject({ count: 0 });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  test("F23 a walk of the whole machine stops when it is told to, and no virtual file system holds it", async () => {
    const box = await w.toolbox({ externalPaths: ["/"] });
    const controller = new AbortController();
    const call = box.call("Glob", { pattern: "**/*zzz*", path: "/" }, { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const aborted = performance.now();
    controller.abort();
    const outcome = await call;
    expect(outcome.ok || outcome.error.code === "ABORTED").toBe(true);
    expect(performance.now() - aborted).toBeLessThan(20_000);
  });
});
