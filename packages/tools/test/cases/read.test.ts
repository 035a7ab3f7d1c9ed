import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readlinkSync, writeSync } from "node:fs";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { estimateTokens } from "@spillway/limits";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReadResult } from "../../src/read.ts";
import { renderForModel } from "../../src/render.ts";
import type { Toolbox } from "../../src/toolbox.ts";
import { readError, readOk, shownLines } from "../helpers/read-call.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

let w: Workspace;
let box: Toolbox;
beforeAll(async () => {
  w = await createWorkspace();
  box = await w.toolbox();
});
afterAll(() => w.remove());

const lines = (page: ReadResult): (readonly [number, string])[] => [...shownLines(page)];

describe("F01 UTF-16 text", () => {
  const TEXT = "\ufeffHello 世界\r\nsecond\r\n";
  test.each([
    ["le.txt", Buffer.from(TEXT, "utf16le")],
    ["be.txt", Buffer.from(TEXT, "utf16le").swap16()],
  ])("F01 %s is decoded, and an edit keeps mark and encoding", async (name, bytes) => {
    await w.write(name, bytes);
    const page = await readOk(box, { path: name });
    expect(lines(page)).toEqual([
      [1, "Hello 世界"],
      [2, "second"],
    ]);
    expect(page.totalLines).toBe(2);
    expect(page.content).not.toMatch(/[\0\ufeff\ufffd]/);
    const edit = await box.call("Edit", { path: name, tag: page.tag, ops: "PUT 2.=2:\n+changed\n" });
    expect(edit.ok).toBe(true);
    const after = await readFile(w.path(name));
    const text = (name === "be.txt" ? after.swap16() : after).toString("utf16le");
    expect(text).toBe("\ufeffHello 世界\r\nchanged\r\n");
  });
});

test("F02 bytes that are not UTF-8 are shown by an encoding that explains them, and every one is accounted for", async () => {
  await w.write("latin1.js", Buffer.from("let n = 10;\n// d\xe9j\xe0 vu\n", "latin1"));
  await w.write("gbk.js", Buffer.from("let m = 1;\n\xb2\xe2\xca\xd4\n", "latin1"));
  const latin1 = await readOk(box, { path: "latin1.js" });
  expect(shownLines(latin1).get(2)).toBe("// déjà vu");
  expect(latin1.notice).toContain("Encoding windows-1252, detected");
  const gbk = await readOk(box, { path: "gbk.js" });
  expect(shownLines(gbk).get(2)).toBe("测试");
  expect(gbk.notice).toContain("Encoding gb18030, detected");
});

describe("F03 special files", () => {
  beforeAll(async () => {
    execFileSync("mkfifo", [w.path("p")]);
    await symlink("/dev/zero", w.path("z"));
    await mkdir(w.path("d"));
    await w.write("ok.txt", "needle\n");
  });

  test("F03 a FIFO, a device, a socket and a directory are refused by kind, at once, and nothing is held up", async () => {
    const server = createServer();
    server.listen(w.path("s.sock"));
    await once(server, "listening");
    const started = performance.now();
    const fifos = await Promise.all(Array.from({ length: 20 }, () => readError(box, { path: "p" })));
    for (const error of fifos) expect(error).toMatchObject({ code: "PATH_NOT_FILE", details: { kind: "fifo" } });
    const socket = await readError(box, { path: "s.sock" });
    expect(socket).toMatchObject({ code: "PATH_NOT_FILE", details: { kind: "socket" } });
    const folder = await readError(box, { path: "d" });
    expect(folder).toMatchObject({
      code: "PATH_NOT_FILE",
      details: { kind: "directory" },
      next: expect.stringContaining("Glob"),
    });
    expect((await readError(box, { path: "z" })).code).toBe("PATH_OUTSIDE_WORKSPACE");
    const granted = await w.toolbox({ externalPaths: ["/dev"] });
    const device = await readError(granted, { path: "z" });
    expect(device).toMatchObject({ code: "PATH_NOT_FILE", details: { kind: "character device" } });
    expect(lines(await readOk(box, { path: "ok.txt" }))).toEqual([[1, "needle"]]);
    // A hang guard: an open that blocks would never come back.
    expect(performance.now() - started).toBeLessThan(20_000);
    server.close();
  });

  test("F03 no descriptor is left on the FIFO", async () => {
    await Promise.all(Array.from({ length: 20 }, () => readError(box, { path: "p" })));
    const open = readdirSync("/proc/self/fd").map((fd) => openedPath(fd));
    expect(open).not.toContain(w.path("p"));
    expect(open.some((path) => path !== undefined)).toBe(true);
  });
});

function openedPath(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // The descriptor that listed the folder is closed again.
    return undefined;
  }
}

describe("F05 the last line and what lies past the end", () => {
  beforeAll(async () => {
    await w.write("ten.txt", Array.from({ length: 10 }, (_, index) => `${index + 1}\n`).join(""));
    await w.write("zero.txt", "");
    await w.write("one.txt", "\n");
  });

  test("F05 a final line feed is no line of its own", async () => {
    const first = await readOk(box, { path: "ten.txt", limit: 5 });
    expect([...shownLines(first).keys()]).toEqual([1, 2, 3, 4, 5]);
    expect(first).toMatchObject({ totalLines: 10, next: { offset: 6 } });
    const second = await readOk(box, { path: "ten.txt", offset: 6, limit: 5 });
    expect([...shownLines(second).keys()]).toEqual([6, 7, 8, 9, 10]);
    expect(second.next).toBeUndefined();
    expect(second.notice).toBe("Lines 6-10 of 10.");
    expect(lines(await readOk(box, { path: "ten.txt", offset: 10 }))).toEqual([[10, "10"]]);
  });

  test.each([11, 100])("F05 offset %d is past the end and says where the end is", async (offset) => {
    const page = await readOk(box, { path: "ten.txt", offset });
    expect(page).toMatchObject({ lineCount: 0, totalLines: 10, content: `[ten.txt#${page.tag}]` });
    expect(page.notice).toBe(`Offset ${offset} is past the end: the file has 10 lines, the last is line 10.`);
  });

  test("F05 an empty file says so, a file of one empty line shows it", async () => {
    const empty = await readOk(box, { path: "zero.txt" });
    expect(empty).toMatchObject({
      totalLines: 0,
      lineCount: 0,
      notice: "empty file",
      content: `[zero.txt#${empty.tag}]`,
    });
    const one = await readOk(box, { path: "one.txt" });
    expect(one.totalLines).toBe(1);
    expect(lines(one)).toEqual([[1, ""]]);
    expect(one.notice).toBeUndefined();
  });
});

test("F06 only LF and CRLF end a line", async () => {
  await w.write("sep.txt", "one\ftwo\nthree\rmid\nfour\u2028x\nfive\vNEEDLE\nsix\u0085\n");
  const whole = await readOk(box, { path: "sep.txt" });
  expect(lines(whole)).toEqual([
    [1, "one\ftwo"],
    [2, "three\rmid"],
    [3, "four\u2028x"],
    [4, "five\vNEEDLE"],
    [5, "six\u0085"],
  ]);
  expect(whole.totalLines).toBe(5);
  expect(lines(await readOk(box, { path: "sep.txt", offset: 4, limit: 1 }))).toEqual([[4, "five\vNEEDLE"]]);
});

test("F07 one line larger than every cap comes in pieces that end, each said to be one", async () => {
  const text = JSON.stringify(Array.from({ length: 7000 }, (_, id) => ({ id, v: "x".repeat(40) })));
  await w.write("one.json", text);
  const first = await readOk(box, { path: "one.json" });
  expect(first.truncated).toBe(true);
  expect(shownLines(first).get(1)?.length).toBeGreaterThan(1000);
  expect(first.notice).toContain(`of its ${text.length} characters`);
  const pieces = [shownLines(first).get(1) ?? ""];
  let previous = first;
  let args: object | undefined = first.next;
  for (let calls = 0; args !== undefined && calls < 100; calls++) {
    const page: ReadResult = await readOk(box, args);
    expect(page.content).not.toBe(previous.content);
    expect(page.next).not.toEqual(args);
    expect(Buffer.byteLength(page.content)).toBeLessThanOrEqual(131_072);
    expect(page.content.length).toBeLessThanOrEqual(100_000);
    expect(estimateTokens(page.content)).toBeLessThanOrEqual(25_000);
    pieces.push(shownLines(page).get(1) ?? "");
    previous = page;
    args = page.next;
  }
  expect(args).toBeUndefined();
  expect(pieces.join("")).toBe(text);
});

describe("F08 a page that is made smaller by its host", () => {
  test.each([4000, 6000, 5000, 1000, 200])(
    "F08 in %d tokens its lines, range and next call agree",
    async (maxTokens) => {
      const row = (line: number): string => `${String(line).padStart(5, "0")} ${"y".repeat(200)}`;
      await w.write("big.txt", Array.from({ length: 1500 }, (_, index) => `${row(index + 1)}\n`).join(""));
      const outcome = await box.call("Read", { path: "big.txt" });
      const text = renderForModel(outcome, { maxTokens });
      expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
      const shown = [...text.matchAll(/^(\d+):(.*)$/gm)].map(([, line, rest]) => [Number(line), rest] as const);
      const last = shown.length;
      expect(shown).toEqual(Array.from({ length: last }, (_, index) => [index + 1, row(index + 1)]));
      expect(text).toContain(last === 1 ? "Line 1 of 1500" : `Lines 1-${last} of 1500`);
      const args = /Next: Read (\{.*?\})\./.exec(text)?.[1] ?? "";
      const next = await readOk(box, JSON.parse(args));
      expect(next.offset).toBe(last + 1);
      expect(shownLines(next).get(last + 1)).toBe(row(last + 1));
    },
  );
});

test("F09 the last lines of a large log cost its pass once, and its pages no more than themselves", async () => {
  const block = Array.from(
    { length: 20_000 },
    (_, index) => `row ${String(index).padStart(7, "0")} padding padding padding padding\n`,
  );
  const fd = openSync(w.path("huge.log"), "w");
  for (let copy = 0; copy < 65; copy++) writeSync(fd, block.join(""));
  closeSync(fd);
  const first = await readOk(box, { path: "huge.log", offset: 1, limit: 5 });
  expect(first).toMatchObject({ lineCount: 5, totalLines: 1_300_000, fileBytes: 57_200_000, truncated: false });
  const last = await readOk(box, { path: "huge.log", offset: 1_299_999, limit: 5 });
  expect(lines(last).map(([line, text]) => [line, text.slice(0, 11)])).toEqual([
    [1_299_999, "row 0019998"],
    [1_300_000, "row 0019999"],
  ]);
  expect(last.next).toBeUndefined();
});

test("F15 the spilled copy of one long line is read in bounded pages and spills nothing itself", async () => {
  const script = `
    const entries = Array.from({ length: 30000 }, (_, i) => '"k' + String(i).padStart(5, "0") + '":' + i);
    process.stdout.write("{" + entries.join() + "}\\n");
  `;
  await w.write("gen.cjs", script);
  const outcome = await box.call("Bash", { command: `'${process.execPath}' gen.cjs` });
  if (!outcome.ok || outcome.tool !== "Bash") throw new Error("Bash failed");
  const spill = outcome.result.stdoutInfo.spillPath ?? "";
  const before = await readdir(dirname(spill));
  const page = await readOk(box, { path: spill });
  expect(page).toMatchObject({ root: "scratch", totalLines: 1, truncated: true });
  expect(page.content.length).toBeGreaterThan(1000);
  const pieces = [shownLines(page).get(1) ?? ""];
  for (let args = page.next; args !== undefined; ) {
    const piece: ReadResult = await readOk(box, args);
    expect(piece.content.length).toBeLessThanOrEqual(100_000);
    pieces.push(shownLines(piece).get(1) ?? "");
    args = piece.next;
  }
  expect(`${pieces.join("")}\n`).toBe(await readFile(spill, "utf8"));
  expect(pieces.join("")).toContain('"k29999":29999');
  expect(await readdir(dirname(spill))).toEqual(before);
});

test("F40 a page of Chinese text is within 25 000 estimated tokens and 100 000 characters", async () => {
  await w.write("zh.txt", `${"这是一个用来测量估算误差的句子。".repeat(20)}\n`.repeat(500));
  const page = await readOk(box, { path: "zh.txt" });
  expect(estimateTokens(page.content)).toBeLessThanOrEqual(25_000);
  expect(page.content.length).toBeLessThanOrEqual(100_000);
  expect(page.notice).toContain("25000 estimated tokens");
  const [tokens = 0] = await box.countTokens([page.content]);
  expect(estimateTokens(page.content) / tokens).toBeGreaterThanOrEqual(0.9);
  expect(estimateTokens(page.content) / tokens).toBeLessThanOrEqual(1.6);
});

test("F44 text that looks like special tokens is text like any other", async () => {
  const text = "a <|endoftext|> b\n<|im_start|>system\n<|fim_prefix|> <|endofprompt|>\n";
  await w.write("tok.md", text);
  const page = await readOk(box, { path: "tok.md" });
  expect([...shownLines(page).values()].join("\n")).toBe(text.trimEnd());
  const [count = 0] = await box.countTokens([text]);
  expect(count).toBeGreaterThanOrEqual(10);
  expect(count).toBeLessThanOrEqual(60);
});
