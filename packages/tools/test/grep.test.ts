import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GrepResult } from "../src/grep.ts";
import { renderForModel } from "../src/render.ts";
import { createToolbox, type Toolbox } from "../src/toolbox.ts";
import { rgPath, runRipgrep } from "./helpers/ripgrep.ts";
import { globOk, grepLines, grepOk, places, searchError } from "./helpers/search-call.ts";
import { createWorkspace, type Workspace } from "./helpers/workspace.ts";

/** A workspace whose files are the newer the earlier they are named. */
async function workspaceOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<Workspace> {
  const made = await createWorkspace(files);
  for (const [index, name] of Object.keys(files).entries()) {
    const seconds = 1_700_000_000 - index * 60;
    utimesSync(made.path(name), seconds, seconds);
  }
  return made;
}

// Its session keeps the threads alive between the tests.
let keeper: Workspace;
beforeAll(async () => {
  keeper = await createWorkspace();
  await keeper.toolbox();
});
afterAll(() => keeper.remove());

describe("Grep", () => {
  let w: Workspace;
  beforeAll(async () => {
    w = await workspaceOf({
      "src/new.ts": "one foo\ntwo\nthree foo\n",
      "src/old.js": "foo\n",
      "docs/a.md": "FOO bar\nnothing\n",
      ".hidden/b.txt": "foo hidden\n",
      "multi.txt": "begin\nmiddle\nend\nbegin end\n",
    });
  });
  afterAll(() => w.remove());

  test("shows matching lines, files newest first, with tags and counts", async () => {
    const result = await grepLines(w, { pattern: "foo" });
    expect(places(result)).toEqual(["src/new.ts:1", "src/new.ts:3", "src/old.js:1", ".hidden/b.txt:1"]);
    expect(result).toMatchObject({ count: 4, files: 3, truncated: false });
    expect(result.matches[1]).toEqual({ path: "src/new.ts", line: 3, text: "three foo" });
    expect(Object.keys(result.tags)).toEqual(["src/new.ts", "src/old.js", ".hidden/b.txt"]);
    expect(result.tags["src/old.js"]).toMatch(/^[0-9A-F]{4}$/);
    expect(result).not.toHaveProperty("notice");
    expect(result).not.toHaveProperty("next");
  });

  test.each([
    [{ include: "*.js" }, ["src/old.js:1"]],
    [{ include: "*.{js,md}", caseInsensitive: true }, ["src/old.js:1", "docs/a.md:1"]],
    [{ include: "src/**" }, ["src/new.ts:1", "src/new.ts:3", "src/old.js:1"]],
    [{ exclude: "src" }, [".hidden/b.txt:1"]],
    [{ exclude: "*.ts" }, ["src/old.js:1", ".hidden/b.txt:1"]],
    [{ include: "!*.ts" }, ["src/old.js:1", ".hidden/b.txt:1"]],
    [{ path: "src" }, ["src/new.ts:1", "src/new.ts:3", "src/old.js:1"]],
    [{ path: "src", include: "*.js" }, ["src/old.js:1"]],
    [{ path: "src/new.ts" }, ["src/new.ts:1", "src/new.ts:3"]],
    [{ path: "src/new.ts", include: "*.js" }, ["src/new.ts:1", "src/new.ts:3"]],
  ])("searches where it is told to: %j", async (args, expected) => {
    expect(places(await grepLines(w, { pattern: "foo", ...args }))).toEqual(expected);
  });

  test("lists paths only, or counts, without tags", async () => {
    const files = await grepOk(w, { pattern: "foo", outputMode: "files_with_matches" });
    expect(files).toEqual({ files: ["src/new.ts", "src/old.js", ".hidden/b.txt"], count: 3, truncated: false });
    const counts = await grepOk(w, { pattern: "foo", outputMode: "count" });
    expect(counts).toEqual({
      counts: [
        { path: "src/new.ts", count: 2 },
        { path: "src/old.js", count: 1 },
        { path: ".hidden/b.txt", count: 1 },
      ],
      count: 3,
      truncated: false,
    });
    const page = await grepOk(w, { pattern: "foo", outputMode: "filesWithMatches", headLimit: 1, offset: 1 });
    expect(page).toMatchObject({ files: ["src/old.js"], count: 1, truncated: true });
    expect(page.next).toEqual({ pattern: "foo", outputMode: "filesWithMatches", headLimit: 1, offset: 2 });
  });

  test("pages through all matches without loss or repetition", async () => {
    const seen: string[] = [];
    let args: object | undefined = { pattern: "foo", headLimit: 1 };
    for (let page = 0; args !== undefined && page < 10; page += 1) {
      const result = await grepLines(w, args);
      seen.push(...places(result));
      expect(result.truncated).toBe(result.next !== undefined);
      args = result.next;
    }
    expect(seen).toEqual(places(await grepLines(w, { pattern: "foo" })));
  });

  test("says so when the offset lies behind the last match", async () => {
    const result = await grepLines(w, { pattern: "foo", offset: 4 });
    expect(result).toMatchObject({
      matches: [],
      count: 0,
      truncated: false,
      notice: "No matches from offset 4 on: there are 4.",
    });
  });

  test("shows lines around a match, once each", async () => {
    const result = await grepLines(w, { pattern: "foo", path: "src/new.ts", before: 1, after: 1 });
    expect(places(result)).toEqual(["src/new.ts:1", "src/new.ts-2", "src/new.ts:3"]);
    expect(result.count).toBe(2);
  });

  test("finds matches over several lines", async () => {
    const result = await grepLines(w, { pattern: "begin[^x]*?end", multiline: true });
    expect(result.matches).toEqual([
      { path: "multi.txt", line: 1, text: "begin\nmiddle\nend" },
      { path: "multi.txt", line: 4, text: "begin end" },
    ]);
  });

  test("says that there is nothing, and what was left out", async () => {
    expect(await grepLines(w, { pattern: "nowhere" })).toMatchObject({ count: 0, notice: "No matches." });
  });

  test("says so when it is include that lets nothing through, as it is relative to path", async () => {
    const result = await grepLines(w, { pattern: "foo", path: "src", include: "src/*.ts" });
    expect(result.notice).toBe('No matches: include "src/*.ts" lets no text file below path "src" through.');
    const list = await grepLines(w, { pattern: "foo", include: "*.ts, *.js" });
    expect(list.notice).toBe(
      'No matches: include "*.ts, *.js" lets no text file below path "." through. Several patterns are written as one: "{*.ts,*.js}".',
    );
    const named = await grepLines(w, { pattern: "nowhere", path: "src/new.ts", include: "*.js" });
    expect(named.notice).toBe("No matches.");
  });

  test.each([
    [{}, 'Grep needs "pattern"'],
    [{ pattern: "a", pat: "b" }, 'Grep has no argument "pat"'],
    [{ pattern: "a", headLimit: 0 }, "headLimit"],
    [{ pattern: "a", offset: -1 }, "offset"],
    [{ pattern: "a", outputMode: "lines only" }, "outputMode"],
  ])("refuses %j", async (args, message) => {
    const error = await searchError(w, "Grep", args);
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(message);
  });

  test("refuses a bad pattern, include or exclude", async () => {
    for (const args of [{ pattern: "(" }, { pattern: "a", include: "{1..99999}" }, { pattern: "a", exclude: "./" }]) {
      expect((await searchError(w, "Grep", args)).code).toBe("INVALID_PATTERN");
    }
  });

  test("a missing or special path is an error", async () => {
    execFileSync("mkfifo", [w.path("pipe")]);
    expect(await searchError(w, "Grep", { pattern: "a", path: "scr" })).toMatchObject({ code: "PATH_NOT_FOUND" });
    expect(await searchError(w, "Grep", { pattern: "a", path: "pipe" })).toMatchObject({ code: "PATH_NOT_FILE" });
    expect(await searchError(w, "Grep", { pattern: "a", path: "/etc" })).toMatchObject({
      code: "PATH_OUTSIDE_WORKSPACE",
    });
    // In a walk it is passed over.
    expect(places(await grepLines(w, { pattern: "two" }))).toEqual(["src/new.ts:2"]);
    rmSync(w.path("pipe"));
  });

  test("searches what the host granted outside, with absolute paths", async () => {
    const other = await createWorkspace({ "a/b.txt": "foo\n" });
    const box = await w.toolbox({ externalPaths: [other.root] });
    expect(places(await grepLines(box, { pattern: "foo", path: other.root }))).toEqual([`${other.root}/a/b.txt:1`]);
    await other.remove();
  });

  test("renders matches under their files' headers", async () => {
    const outcome = await w.call("Grep", { pattern: "foo", path: "src", after: 1, headLimit: 2 });
    expect(renderForModel(outcome)).toMatch(
      /^\[src\/new\.ts#[0-9A-F]{4}\]\n1:one foo\n2-two\n3:three foo\n\n\[There are more matches: .*"offset":2\}\.\]$/,
    );
  });
});

describe("Grep order", () => {
  test("sorts the whole match set before it takes the first ones", async () => {
    const names = Array.from({ length: 400 }, (_, index) => `d${index % 7}/e${index % 5}/f${index}.txt`);
    const w = await createWorkspace(
      Object.fromEntries(names.map((name) => [name, "hit\n".repeat(1 + (name.length % 3))])),
    );
    const times = names.map((name, index) => ({ name, seconds: 1_600_000_000 + ((index * 7919) % 400) * 60 }));
    for (const { name, seconds } of times) utimesSync(w.path(name), seconds, seconds);
    const sorted = times.toSorted((left, right) => right.seconds - left.seconds || (left.name < right.name ? -1 : 1));
    const all = sorted.flatMap(({ name }) =>
      Array.from({ length: 1 + (name.length % 3) }, (_, index) => `${name}:${index + 1}`),
    );
    for (const [headLimit, offset] of [
      [3, 0],
      [50, 0],
      [50, 40],
      [200, 500],
      [1000, 0],
    ] as const) {
      const result = await grepLines(w, { pattern: "hit", headLimit, offset });
      expect(places(result)).toEqual(all.slice(offset, offset + headLimit));
      expect(result.truncated).toBe(all.length > offset + headLimit);
    }
    const files = await grepOk(w, { pattern: "hit", outputMode: "filesWithMatches", headLimit: 20 });
    expect("files" in files && files.files).toEqual(sorted.slice(0, 20).map(({ name }) => name));
    await w.remove();
  });

  test("breaks ties by path", async () => {
    const w = await createWorkspace({ "b.txt": "x1\n", "a.txt": "x1\n", "c/a.txt": "x1\n" });
    for (const name of ["b.txt", "a.txt", "c/a.txt"]) utimesSync(w.path(name), 1_700_000_000, 1_700_000_000);
    expect(places(await grepLines(w, { pattern: "x1" }))).toEqual(["a.txt:1", "b.txt:1", "c/a.txt:1"]);
    await w.remove();
  });
});

describe.runIf(process.platform === "linux")("Grep and Glob with names that are no UTF-8", () => {
  test("find what they can and count the rest as unreadable", async () => {
    const w = await createWorkspace({ "a\nb.txt": "needle\n" });
    const named = (name: string): Buffer => Buffer.concat([Buffer.from(`${w.root}/${name}`), Buffer.from([0xff])]);
    writeFileSync(named("file"), "needle\n");
    mkdirSync(named("folder"));
    const grep = await grepLines(w, { pattern: "needle" });
    expect(places(grep)).toEqual(["a\nb.txt:1"]);
    expect(grep.notice).toBe("2 files or folders could not be read.");
    const glob = await globOk(w, { pattern: "**" });
    expect(glob.matches).toEqual(["a\nb.txt"]);
    expect(glob.notice).toBe("2 files or folders could not be read.");
    await w.remove();
  });
});

describe("Grep limits", () => {
  let w: Workspace;
  beforeAll(async () => {
    w = await createWorkspace({
      "exact.txt": "hit\n".repeat(200),
      "long/one.txt": `short\n${"a".repeat(30_000)}NEEDLE${"b".repeat(30_000)}\nafter NEEDLE\n`,
      "wide/many.txt": `${"y".repeat(2000)} hit\n`.repeat(100),
      "rows.txt": "row\n".repeat(10_000),
    });
  });
  afterAll(() => w.remove());

  test("stops at headLimit, and is not truncated when exactly so many match", async () => {
    expect(await grepLines(w, { pattern: "hit", path: "exact.txt" })).toMatchObject({ count: 200, truncated: false });
    const capped = await grepLines(w, { pattern: "hit", path: "exact.txt", headLimit: 199 });
    expect(capped).toMatchObject({ count: 199, truncated: true, next: { offset: 199 } });
  });

  test("stops at the byte budget with whole matches, and goes on from there", async () => {
    const first = await grepLines(w, { pattern: "hit", path: "wide" });
    expect(first.truncated).toBe(true);
    expect(Buffer.byteLength(renderForModel({ ok: true, tool: "Grep", result: first }))).toBeLessThan(131_072 + 500);
    expect(first.count).toBeGreaterThan(60);
    const second = await grepLines(w, first.next ?? {});
    expect(first.count + second.count).toBe(100);
    expect(second.truncated).toBe(false);
  });

  test("has no more rows than the budget has lines, whatever headLimit says", async () => {
    const result = await grepLines(w, { pattern: "row", path: "rows.txt", headLimit: 9000 });
    expect(result.count).toBeGreaterThan(3990);
    expect(result.count).toBeLessThanOrEqual(4000);
    expect(result.next).toMatchObject({ headLimit: 9000, offset: result.count });
  });

  test("shows a window of a long line around its match, which is no anchor for an edit", async () => {
    const box = await w.toolbox();
    const result = await grepLines(box, { pattern: "NEEDLE", path: "long" });
    const [window, plain] = result.matches;
    expect(window).toMatchObject({ line: 2, column: 30_001 - 8192 });
    expect(window?.text).toHaveLength(16_384);
    expect(window?.text).toContain("NEEDLE");
    expect(plain).toEqual({ path: "long/one.txt", line: 3, text: "after NEEDLE" });
    expect(result.notice).toContain("Line 2 of long/one.txt is clipped");
    const tag = result.tags["long/one.txt"];
    const refused = await box.call("Edit", { path: "long/one.txt", tag, ops: "PUT 2.=2:\n+x\n" });
    expect(refused).toMatchObject({ ok: false, error: { code: "EDIT_LINES_UNSEEN" } });
    const unseen = await box.call("Edit", { path: "long/one.txt", tag, ops: "PUT 1.=1:\n+x\n" });
    expect(unseen).toMatchObject({ ok: false, error: { code: "EDIT_LINES_UNSEEN" } });
    const edited = await box.call("Edit", { path: "long/one.txt", tag, ops: "PUT 3.=3:\n+changed\n" });
    expect(edited.ok).toBe(true);
    expect(await readFile(w.path("long/one.txt"), "utf8")).toMatch(/\nchanged\n$/);
  });

  test("follows the configured numbers, also in its description", async () => {
    const box = await w.toolbox({ limits: { grepHeadLimit: 7, search: { maxBytes: 700, maxLines: 50 } } });
    const description = box.tools.find(({ name }) => name === "Grep")?.description;
    expect(description).toContain("Returns 7 matches");
    expect(description).toContain("700 bytes or 50 lines");
    expect(await grepLines(box, { pattern: "hit", path: "exact.txt" })).toMatchObject({ count: 7, truncated: true });
    const tiny = await grepLines(box, { pattern: "hit", path: "wide" });
    expect(tiny).toMatchObject({ count: 1, truncated: true });
    expect(tiny.matches[0]?.text.length).toBeGreaterThan(0);
  });
});

describe("Grep files", () => {
  let w: Workspace;
  let box: Toolbox;
  beforeAll(async () => {
    w = await createWorkspace({
      "bin/data.bin": Buffer.from("needle\0\x01\x02\n"),
      "bin/picture.png": "needle\n",
      "bin/late.txt": Buffer.concat([Buffer.from("needle\n".repeat(1000)), Buffer.from("\0")]),
      "enc/le.txt": Buffer.from("\ufeffHello 世界\r\nsecond\r\n", "utf16le"),
      "enc/be.txt": Buffer.from("\ufeffHello 世界\r\nsecond\r\n", "utf16le").swap16(),
      "enc/gbk.txt": Buffer.from(
        "// \xb2\xe2\xca\xd4\xce\xc4\xbc\xfe\xa3\xac\xb2\xe2\xca\xd4\xa1\xa3\nplain\n",
        "latin1",
      ),
      "enc/latin1.txt": Buffer.from("d\xe9j\xe0 vu, caf\xe9\n", "latin1"),
      "enc/bom.txt": "\ufefffirst\n",
      "secret/.env": "needle\n",
      "secret/.env.example": "needle\n",
      "secret/key.pem": "-----BEGIN PRIVATE KEY-----\nneedle\n",
      "secret/cert.pem": "-----BEGIN CERTIFICATE-----\nneedle\n",
    });
    box = await w.toolbox();
  });
  afterAll(() => w.remove());

  test("skips binary files without a word, unless one is named", async () => {
    const result = await grepLines(box, { pattern: "needle", path: "bin" });
    expect(result).toMatchObject({ count: 200, files: 1 });
    expect(result.notice).not.toContain("binary");
    for (const path of ["bin/data.bin", "bin/picture.png"]) {
      const named = await grepLines(box, { pattern: "needle", path });
      expect(named).toMatchObject({ matches: [], notice: `"${path}" is a binary file and was not searched.` });
    }
  });

  test.each([
    ["世界", ["enc/be.txt:1", "enc/le.txt:1"]],
    ["^second$", ["enc/be.txt:2", "enc/le.txt:2"]],
    ["^first", ["enc/bom.txt:1"]],
    ["测试", ["enc/gbk.txt:1"]],
    ["^// .*。$", ["enc/gbk.txt:1"]],
    ["plain", ["enc/gbk.txt:2"]],
    ["déjà", ["enc/latin1.txt:1"]],
    ["caf.$", ["enc/latin1.txt:1"]],
  ])("searches %s in the text that Read would show", async (pattern, expected) => {
    const result = await grepLines(box, { pattern, path: "enc" });
    expect(places(result).sort()).toEqual(expected);
    for (const { text } of result.matches) expect(text).not.toMatch(/[\0\ufeff\ufffd\r]/);
  });

  test("a tag from a decoded file is the one that Read gives", async () => {
    const { tags } = await grepLines(box, { pattern: "世界", path: "enc/le.txt" });
    const read = await box.call("Read", { path: "enc/le.txt" });
    expect(read).toMatchObject({ ok: true, result: { tag: tags["enc/le.txt"] } });
  });

  test("skips files that hold secrets and counts them; a named one is refused", async () => {
    const result = await grepLines(box, { pattern: "needle", path: "secret" });
    expect(places(result).sort()).toEqual(["secret/.env.example:1", "secret/cert.pem:2"]);
    expect(result.notice).toBe("2 files that may hold secrets were skipped.");
    // The count does not tell whether they match.
    expect((await grepLines(box, { pattern: "absent", path: "secret" })).notice).toContain(
      "2 files that may hold secrets",
    );
    for (const path of ["secret/.env", "secret/key.pem"]) {
      expect(await searchError(box, "Grep", { pattern: "needle", path })).toMatchObject({ code: "SENSITIVE_PATH" });
    }
    const open = await w.toolbox({ secrets: "allow" });
    expect((await grepLines(open, { pattern: "needle", path: "secret" })).count).toBe(4);
  });

  test.skipIf(process.getuid?.() === 0)("counts what it may not read", async () => {
    await w.write("locked/a.txt", "needle\n");
    chmodSync(w.path("locked"), 0o000);
    const result = await grepLines(box, { pattern: "Hello" });
    chmodSync(w.path("locked"), 0o755);
    expect(result.notice).toContain("1 file or folder could not be read.");
  });

  test("gives no tag for a file over 64 MB and says so", async () => {
    await w.write("huge.log", "a needle in here\n");
    writeFileSync(w.path("huge.log"), `a needle in here\n${"x".repeat(100)}\n`.repeat(600_000));
    const result = await grepLines(box, { pattern: "needle", path: "huge.log", headLimit: 2 });
    expect(result).toMatchObject({ count: 2, truncated: true, tags: {} });
    expect(result.notice).toContain("No tag for huge.log");
    const multiline = await grepLines(box, { pattern: "needle", path: "huge.log", multiline: true });
    expect(multiline).toMatchObject({ count: 0 });
    expect(multiline.notice).toContain("1 file was too large for a multiline search");
  });

  test("finds a link that was named, under the folder it leads to", async () => {
    mkdirSync(w.path("real"));
    await w.write("real/a.txt", "linked needle\n");
    symlinkSync("real", w.path("link"));
    expect(places(await grepLines(box, { pattern: "linked needle", path: "link" }))).toEqual(["real/a.txt:1"]);
    expect(places(await grepLines(box, { pattern: "linked needle" }))).toEqual(["real/a.txt:1"]);
  });
});

describe("Grep in a large file", () => {
  let w: Workspace;
  beforeAll(async () => {
    w = await createWorkspace();
    const lines = Array.from({ length: 500_000 }, (_, index) => `line ${index + 1} ${"-".repeat(90)}`);
    for (const line of [400_000, 400_001, 450_000]) lines[line - 1] = `line ${line} Needle`;
    await w.write("logs/large.log", `${lines.join("\n")}\n`);
    await w.write("logs/small.txt", "Needle\n");
    utimesSync(w.path("logs/small.txt"), 1_600_000_000, 1_600_000_000);
  });
  afterAll(() => w.remove());

  test("gives the file's first matches, whichever thread finds enough in which piece", async () => {
    const result = await grepLines(w, { pattern: "line \\d*[05] ", path: "logs/large.log", headLimit: 3, offset: 2 });
    expect(result.matches.map(({ line }) => line)).toEqual([15, 20, 25]);
    expect(result.truncated).toBe(true);
  });

  test.each(["logs/large.log", "logs"])("finds what lies far apart, in order: %s", async (path) => {
    const result = await grepLines(w, { pattern: "Needle", path });
    const expected = [400_000, 400_001, 450_000].map((line) => `logs/large.log:${line}`);
    expect(places(result)).toEqual(path === "logs" ? [...expected, "logs/small.txt:1"] : expected);
    expect(result.matches[0]?.text).toBe("line 400000 Needle");
    expect(result.tags["logs/large.log"]).toMatch(/^[0-9A-F]{4}$/);
  });

  test("shows lines around a match at a distance", async () => {
    const result = await grepLines(w, { pattern: "Needle", path: "logs/large.log", before: 2, after: 1, headLimit: 1 });
    expect(places(result)).toEqual([
      "logs/large.log-399998",
      "logs/large.log-399999",
      "logs/large.log:400000",
      "logs/large.log-400001",
    ]);
  });

  test("counts all of them once, pages through them, and stops early", async () => {
    const count = await grepOk(w, { pattern: "line", path: "logs", outputMode: "count" });
    expect(count).toMatchObject({ counts: [{ path: "logs/large.log", count: 500_000 }] });
    const first = await grepLines(w, { pattern: "line", path: "logs", headLimit: 5 });
    expect(first.matches.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
    const later = await grepLines(w, { pattern: "line", path: "logs", headLimit: 2, offset: 300_000 });
    expect(later.matches.map(({ line }) => line)).toEqual([300_001, 300_002]);
    const files = await grepOk(w, { pattern: "line|Needle", path: "logs", outputMode: "filesWithMatches" });
    expect(files).toMatchObject({ files: ["logs/large.log", "logs/small.txt"], truncated: false });
  });
});

describe.skipIf(rgPath === undefined)("Grep beside rg", () => {
  // What is installed does not change while tests run.
  const repository = realpathSync(join(import.meta.dirname, "../../.."));
  const folders = ["vitest", "fast-check", "typescript"].map((name) =>
    relative(repository, realpathSync(join(repository, "node_modules", name))),
  );
  let w: Workspace;
  let box: Toolbox;
  beforeAll(async () => {
    w = await createWorkspace();
    box = await createToolbox({ root: repository, dataDir: w.dataDir });
  });
  afterAll(async () => {
    await box.close({ remove: true });
    await w.remove();
  });

  const ownCounts = async (args: object): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    let next: object | undefined = { ...args, outputMode: "count", headLimit: 4000 };
    while (next !== undefined) {
      const result: GrepResult = await grepOk(box, next);
      if (!("counts" in result)) throw new Error("This is no count result");
      for (const { path, count } of result.counts) found[path] = count;
      next = result.next;
    }
    return found;
  };
  const rgCounts = (pattern: string, folder: string, more: readonly string[]): Record<string, number> => {
    const flags = ["-c", "--null", "--crlf", "--hidden", "--no-ignore-parent", "--no-require-git", ...more];
    const printed = runRipgrep([...flags, "-e", pattern, folder], { cwd: repository }).toString();
    const rows = printed.split("\n").filter((row) => row !== "");
    return Object.fromEntries(
      rows.map((row) => {
        const [path = "", count] = row.split("\0");
        return [path, Number(count)];
      }),
    );
  };

  test.each([
    ["function", false],
    ["copyright", true],
    ["xylophagous_glyptodon", false],
    ["\\d{4}-\\d{2}", false],
    ["[^\\x00-\\x7f]", false],
    ["=>\\s*\\{$", false],
    ["\\bclass\\s+\\w+Error\\b|\\bTODO\\b", true],
  ])("counts the same lines in the same installed files: %s", async (pattern, caseInsensitive) => {
    for (const path of folders) {
      const expected = rgCounts(pattern, path, caseInsensitive ? ["-i"] : []);
      expect(await ownCounts({ pattern, path, caseInsensitive })).toEqual(expected);
    }
  });
});

describe("Grep and time", () => {
  test("an abort during a search settles the call soon", async () => {
    const w = await createWorkspace({ "a.txt": "x".repeat(50_000_000) });
    const controller = new AbortController();
    const call = w.call("Grep", { pattern: "(?:[xy]*a){3}", path: "a.txt" }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    const started = performance.now();
    expect(await call).toMatchObject({ ok: false, error: { code: "ABORTED" } });
    expect(performance.now() - started).toBeLessThan(20_000);
    await w.remove();
  });

  test("a tree that changes and vanishes under the search fails nothing", async () => {
    const w = await createWorkspace();
    const names = Array.from({ length: 60 }, (_, folder) =>
      Array.from({ length: 40 }, (_, file) => `d${folder}/f${file}.txt`),
    );
    for (const name of names.flat()) await w.write(name, `needle ${name}\n`);
    const calls = Array.from({ length: 6 }, () => grepLines(w, { pattern: "needle", headLimit: 4000 }));
    for (let folder = 0; folder < 30; folder += 1) rmSync(w.path(`d${folder}`), { recursive: true });
    for (const result of await Promise.all(calls)) {
      expect(result.count).toBeGreaterThanOrEqual(1200);
      for (const { path, text } of result.matches) expect(text).toBe(`needle ${path}`);
    }
    const after = await grepLines(w, { pattern: "needle", headLimit: 4000 });
    expect(after.count).toBe(1200);
    await w.remove();
  });
});
