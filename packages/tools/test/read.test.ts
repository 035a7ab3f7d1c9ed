import { appendFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeText } from "../src/encoding.ts";
import type { Toolbox } from "../src/toolbox.ts";
import type { Workers } from "../src/worker/jobs.ts";
import { createWorkers } from "../src/worker/pool.ts";
import { SIMPLIFIED_CHINESE } from "./fixtures/sample-texts.ts";
import { readError, readOk, shownLines } from "./helpers/read-call.ts";
import { createWorkspace, type Workspace } from "./helpers/workspace.ts";

let w: Workspace;
let box: Toolbox;
beforeAll(async () => {
  w = await createWorkspace();
  box = await w.toolbox();
});
afterAll(() => w.remove());

describe("createReadTool", () => {
  test("gives the result its exact shape", async () => {
    await w.write("src/a.ts", "const a = 1;\n\treturn a;\n");
    const page = await readOk(box, { path: "./src/../src/a.ts" });
    expect(page).toEqual({
      path: "src/a.ts",
      root: "workspace",
      content: `[src/a.ts#${page.tag}]\n1:const a = 1;\n2:\treturn a;`,
      tag: expect.stringMatching(/^[0-9A-F]{4}$/),
      offset: 1,
      lineCount: 2,
      totalLines: 2,
      fileBytes: 24,
      truncated: false,
    });
    const definition = box.tools.find(({ name }) => name === "Read");
    expect(definition?.outputSchema.safeParse(page).success).toBe(true);
    expect(definition?.risk).toBe("low");
  });

  test.each([
    [{}, "path"],
    [{ path: "a", offset: 0 }, '"offset" 0'],
    [{ path: "a", offset: 1.5 }, '"offset" 1.5'],
    [{ path: "a", limit: 0 }, '"limit" 0'],
    [{ path: "a", limit: -1 }, '"limit" -1'],
    [{ path: "a", maxChars: 999 }, '"maxChars" 999'],
    [{ path: "a", column: 1 }, '"column" 1'],
    [{ path: "a", limit: 2, column: 5 }, '"column" 5'],
    [{ path: "a", limit: 1, column: 0 }, '"column" 0'],
    [{ path: "a", encoding: "klingon" }, '"encoding" "klingon"'],
    [{ path: "a", ofset: 1 }, 'did you mean "offset"?'],
  ])("refuses %j by name", async (args, named) => {
    const error = await readError(box, args);
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(named);
  });

  test("takes what models send for numbers and names", async () => {
    await w.write("gbk.txt", encodeText(SIMPLIFIED_CHINESE, "gb18030"));
    const page = await readOk(box, { path: "gbk.txt", offset: "2", limit: "1", encoding: "GBK", maxChars: null });
    expect(page).toMatchObject({ offset: 2, lineCount: 1, next: { offset: 3, limit: 1, encoding: "gb18030" } });
    expect(shownLines(page).get(2)).toBe(SIMPLIFIED_CHINESE.split("\n")[1]);
  });

  test("reduces a limit above its maximum and says so", async () => {
    await w.write("lines.txt", "x\n".repeat(4100));
    const page = await readOk(box, { path: "lines.txt", limit: 99_999 });
    expect(page).toMatchObject({ lineCount: 4000, truncated: false });
    expect(page.notice).toBe("limit 99999 was reduced to the maximum 4000. Lines 1-4000 of 4100.");
  });

  test.each([
    [-3, undefined, [98, 99, 100]],
    [-100, 2, [1, 2]],
    [-5, 2, [96, 97]],
    [-200, 2, [1, 2]],
    [99, undefined, [99, 100]],
  ])("offset %d with limit %s shows lines %j", async (offset, limit, lines) => {
    await w.write("hundred.txt", Array.from({ length: 100 }, (_, index) => `${index + 1}\n`).join(""));
    const page = await readOk(box, { path: "hundred.txt", offset, ...(limit !== undefined && { limit }) });
    expect([...shownLines(page).keys()]).toEqual(lines);
    expect([...shownLines(page).values()]).toEqual(lines.map(String));
  });

  test("ends a page by bytes only where the character ceiling was raised", async () => {
    await w.write("wide.txt", `${"é".repeat(99)}\n`.repeat(5000));
    const raised = await w.toolbox({ limits: { readMaxChars: 1_000_000 } });
    const page = await readOk(raised, { path: "wide.txt" });
    expect(Buffer.byteLength(page.content)).toBeLessThanOrEqual(131_072);
    expect(Buffer.byteLength(page.content)).toBeGreaterThan(130_500);
    expect(page.notice).toContain("131072 bytes");
  });

  test("shows CRLF as LF, keeps a missing last line end apart, and notes mixed endings", async () => {
    await w.write("crlf.txt", "a\r\nb\r\n");
    const crlf = await readOk(box, { path: "crlf.txt" });
    expect(crlf.content).toBe(`[crlf.txt#${crlf.tag}]\n1:a\n2:b`);
    expect(crlf.notice).toBeUndefined();
    await w.write("mixed.txt", "a\r\nb\nc\r");
    const mixed = await readOk(box, { path: "mixed.txt" });
    expect(mixed.content).toBe(`[mixed.txt#${mixed.tag}]\n1:a\n2:b\n3:c\r`);
    expect(mixed.notice).toBe("Mixed line endings: 1 CRLF, 1 LF.\n1 CR character inside lines, shown as they are.");
  });

  test("shows undecodable bytes as U+FFFD and counts them", async () => {
    const text = Buffer.from("gut: ä ö ü ß und so weiter, alles lesbar\nschlecht: x\n".repeat(20));
    text[text.length - 2] = 0xff;
    await w.write("fault.txt", text);
    const page = await readOk(box, { path: "fault.txt" });
    expect(shownLines(page).get(40)).toBe("schlecht: \ufffd");
    expect(page.notice).toBe("1 place is not valid utf-8 and shown as \ufffd; the bytes stay as they are.");
  });

  test("shows a file whose name reads the same as the one asked for, and Edit takes that name too", async () => {
    await w.write("Screenshot 1.02.33\u202fPM.txt", "old\n");
    const page = await readOk(box, { path: "Screenshot 1.02.33 PM.txt" });
    expect(page).toMatchObject({ path: "Screenshot 1.02.33\u202fPM.txt", totalLines: 1 });
    const edit = { path: "Screenshot 1.02.33 PM.txt", tag: page.tag, ops: "PUT 1.=1:\n+new" };
    expect(await box.call("Edit", edit)).toMatchObject({ ok: true, result: { path: page.path } });
    expect((await readOk(box, { path: page.path })).content).toContain("1:new");
  });

  test("follows the caller's encoding where the bytes do not decide", async () => {
    await w.write("cyrillic.txt", encodeText("Привет, мир\n", "windows-1251"));
    const page = await readOk(box, { path: "cyrillic.txt", encoding: "cp1251" });
    expect(shownLines(page).get(1)).toBe("Привет, мир");
    expect(page.notice).toBe("Encoding windows-1251, as asked.");
    await w.write("utf8.txt", "Привет\n");
    expect(shownLines(await readOk(box, { path: "utf8.txt", encoding: "cp1251" })).get(1)).toBe("Привет");
    await w.write("wide.bin16", encodeText("ab\ncd", "utf-16be"));
    expect(await readError(box, { path: "wide.bin16" })).toMatchObject({
      code: "TOOL_BINARY_CONTENT",
      message: expect.stringMatching(/without a byte order mark, Read it with encoding "utf-16be"$/),
    });
    expect((await readError(box, { path: "wide.bin16", encoding: "big5" })).message).toContain('encoding "utf-16be"');
    expect([...shownLines(await readOk(box, { path: "wide.bin16", encoding: "utf-16be" })).values()]).toEqual([
      "ab",
      "cd",
    ]);
  });

  test("tells a session that a file changed since it was shown, once", async () => {
    await w.write("changing.txt", "one\n");
    const before = await readOk(box, { path: "changing.txt" });
    await w.write("changing.txt", "one\ntwo\n");
    const after = await readOk(box, { path: "changing.txt" });
    expect(after.tag).not.toBe(before.tag);
    expect(after.notice).toBe(
      `The file changed since it was last read: its tag was ${before.tag} and is ${after.tag}, earlier pages are of another version.`,
    );
    expect((await readOk(box, { path: "changing.txt" })).notice).toBeUndefined();
    const other = await w.toolbox();
    expect((await readOk(other, { path: "changing.txt" })).notice).toBeUndefined();
  });

  test("says nothing of a change that the session made itself", async () => {
    await w.write("own.txt", "one\n");
    const page = await readOk(box, { path: "own.txt" });
    await box.call("Edit", { path: "own.txt", tag: page.tag, ops: "PUT 1.=1:\n+two\n" });
    const after = await readOk(box, { path: "own.txt" });
    expect(after.notice).toBeUndefined();
    expect(shownLines(after).get(1)).toBe("two");
  });

  test("sees a change of a large file at once, in every session", async () => {
    await w.write("large.txt", "line of a large file\n".repeat(50_000));
    const other = await w.toolbox();
    await readOk(box, { path: "large.txt", limit: 1 });
    expect((await readOk(other, { path: "large.txt", limit: 1 })).totalLines).toBe(50_000);
    for (let round = 1; round <= 5; round++) {
      await appendFile(w.path("large.txt"), "new\n");
      expect((await readOk(box, { path: "large.txt", limit: 1 })).totalLines).toBe(50_000 + round);
      expect((await readOk(other, { path: "large.txt", offset: -1 })).totalLines).toBe(50_000 + round);
    }
  });

  test("takes the pages of a file it has scanned from its index, through any link", async () => {
    await w.write("indexed.txt", "line of a large file\n".repeat(50_000));
    await symlink("indexed.txt", w.path("link.txt"));
    const pool = createWorkers();
    const known: (string | undefined)[] = [];
    const workers: Workers = {
      ...pool,
      run: (name, input, options) => {
        if (name === "readFile") known.push((input as { known?: { hash: string } }).known?.hash);
        return pool.run(name, input, options);
      },
    };
    const watched = await w.toolbox({ workers });
    await readOk(watched, { path: "indexed.txt" });
    await readOk(watched, { path: "indexed.txt", offset: 40_000 });
    await readOk(watched, { path: w.path("indexed.txt"), offset: -5 });
    await readOk(watched, { path: "link.txt" });
    await readOk(watched, { path: "link.txt", offset: 9 });
    expect(known.map((hash) => hash !== undefined)).toEqual([false, true, true, false, true]);
  });

  test("reads a file of procfs that says it is empty", async () => {
    const granted = await w.toolbox({ externalPaths: ["/proc"] });
    const page = await readOk(granted, { path: "/proc/self/status" });
    expect(page).toMatchObject({ root: "external", path: expect.stringMatching(/^\/proc\/\d+\/status$/) });
    expect(page.content).toContain("Name:");
    expect(page.totalLines).toBeGreaterThan(10);
  });

  test.each([
    [".env", "TOKEN=x\n"],
    ["deep/id_rsa", "key\n"],
    ["server.pem", "-----BEGIN PRIVATE KEY-----\nMII\n"],
    ["late.key", `${"x".repeat(300_000)}\n-----BEGIN RSA PRIVATE KEY-----\n`],
    [".npmrc", "//registry.example/:_authToken=npm_abc\n"],
  ])("refuses the secret in %s unless the host allows it", async (name, text) => {
    await w.write(name, text);
    const error = await readError(box, { path: name });
    expect(error.code).toBe("SENSITIVE_PATH");
    expect(error.message).not.toContain("npm_abc");
    const allowed = await w.toolbox({ secrets: "allow" });
    expect((await readOk(allowed, { path: name })).lineCount).toBeGreaterThan(0);
  });

  test.each([
    [".env.example", "TOKEN=\n"],
    ["id_rsa.pub", "ssh-rsa AAAA\n"],
    ["ca.pem", "-----BEGIN CERTIFICATE-----\nMII\n"],
    ["messages.key", "hello=Hello\n"],
  ])("reads %s, which only looks like a secret", async (name, text) => {
    await w.write(name, text);
    expect((await readOk(box, { path: name })).lineCount).toBeGreaterThan(0);
  });

  test("a link does not lead to a secret", async () => {
    await w.write(".env.production", "TOKEN=x\n");
    await symlink(".env.production", w.path("settings.txt"));
    expect((await readError(box, { path: "settings.txt" })).code).toBe("SENSITIVE_PATH");
  });

  test("names the nearest files for one that is missing, and Glob for a folder", async () => {
    await w.write("docs/guide.md", "x\n");
    const missing = await readError(box, { path: "docs/giude.md" });
    expect(missing).toMatchObject({ code: "PATH_NOT_FOUND", details: { siblings: ["docs/guide.md"] } });
    const folder = await readError(box, { path: "docs" });
    expect(folder.code).toBe("PATH_NOT_FILE");
    expect(folder.message).toContain("Glob");
  });

  test("refuses what lies outside, and asks the host for that very path", async () => {
    const outside = join(tmpdir(), `spillway-outside-${process.pid}.txt`);
    await writeFile(outside, "outside\n");
    await symlink(outside, w.path("out.txt"));
    expect((await readError(box, { path: "out.txt" })).code).toBe("PATH_OUTSIDE_WORKSPACE");
    const asked: string[] = [];
    const granted = await w.toolbox({
      externalPaths: (path, access) => {
        asked.push(`${access} ${path}`);
        return true;
      },
    });
    const page = await readOk(granted, { path: "out.txt" });
    expect(page).toMatchObject({ root: "external", lineCount: 1 });
    expect(asked).toEqual([`read ${page.path}`]);
    await rm(outside);
  });

  test("ends soon after an abort, whatever the file, and the pool serves the next call", async () => {
    await w.write("abort.txt", Buffer.alloc(200 * 1024 * 1024, "line of a very large file\n"));
    const controller = new AbortController();
    const call = box.call("Read", { path: "abort.txt" }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    const started = performance.now();
    expect(await call).toMatchObject({ ok: false, error: { code: "ABORTED" } });
    expect(performance.now() - started).toBeLessThan(20_000);
    expect((await readOk(box, { path: "hundred.txt" })).totalLines).toBe(100);
  });
});
