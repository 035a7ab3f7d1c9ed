import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { TYPESCRIPT_FLAGS } from "../../../../scripts/typescript-flags.ts";
import { takeTurn } from "../../src/path-locks.ts";
import { shareWorkers } from "../../src/worker/pool.ts";
import { edit, edited, read, readAndEdit, refused, refusedEdit, write } from "../helpers/edit-calls.ts";
import { raceEdits } from "../helpers/edit-race.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

const pool = shareWorkers();
afterAll(() => pool.close());

const workspaces: Workspace[] = [];
const servers: Server[] = [];

async function open(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Workspace> {
  const workspace = await createWorkspace(files);
  workspaces.push(workspace);
  return workspace;
}

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  for (const workspace of workspaces.splice(0)) await workspace.remove();
});

function latin1(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

async function bytes(w: Workspace, name: string): Promise<string> {
  return (await readFile(w.path(name))).toString("latin1");
}

describe("public bug reports: Edit and Write", () => {
  const utf16 = (text: string, swap: boolean): Buffer => {
    const encoded = Buffer.from(text, "utf16le");
    return swap ? encoded.swap16() : encoded;
  };
  test.each([
    ["little-endian", false],
    ["big-endian", true],
  ])("F01 a UTF-16 file stays one: %s", async (_, swap) => {
    const w = await open({ "a.txt": utf16("\ufeffHello 世界\r\nsecond\r\n", swap) });
    await readAndEdit(w, "a.txt", "PUT 2.=2:\n+changed");
    expect(await readFile(w.path("a.txt"))).toEqual(utf16("\ufeffHello 世界\r\nchanged\r\n", swap));
  });

  test.each([
    ["latin1.js", "let n = 10;\n// d\xe9j\xe0 vu\n", "let q = 2;\n// d\xe9j\xe0 vu\n"],
    ["gbk.js", "let m = 1;\n\xb2\xe2\xca\xd4\n", "let q = 2;\n\xb2\xe2\xca\xd4\n"],
    ["broken.js", "let m = 1;\n\xe4\xb8\xad\xff\xc3\n", "let q = 2;\n\xe4\xb8\xad\xff\xc3\n"],
  ])("F02 bytes that are not UTF-8 stay: %s", async (name, before, after) => {
    const w = await open({ [name]: latin1(before) });
    await readAndEdit(w, name, "PUT 1.=1:\n+let q = 2;");
    expect(await bytes(w, name)).toBe(after);
  });

  test("F02 Write still replaces such a file as a whole", async () => {
    const w = await open({ "latin1.js": latin1("let n = 10;\n// d\xe9j\xe0 vu\n") });
    await read(w, "latin1.js");
    await write(w, "latin1.js", "let q = 2;\n");
    expect(await bytes(w, "latin1.js")).toBe("let q = 2;\n");
  });

  test("F03 Edit and Write refuse what is no regular file, without opening it", async () => {
    const w = await open();
    execFileSync("mkfifo", [w.path("p")]);
    await symlink("/dev/zero", w.path("z"));
    await mkdir(w.path("d"));
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(w.path("s.sock"), resolve));
    for (const [path, kind] of [
      ["p", "fifo"],
      ["d", "directory"],
      ["s.sock", "socket"],
    ] as const) {
      expect(await refusedEdit(w, path, "A3F9", "CUT 1.=1")).toMatchObject({
        code: "PATH_NOT_FILE",
        details: { kind },
      });
      const outcome = refused(await w.call("Write", { path, content: "x", overwrite: true }));
      expect(outcome).toMatchObject({ code: "PATH_NOT_FILE", details: { kind } });
    }
    expect((await refusedEdit(w, "z", "A3F9", "CUT 1.=1")).code).toBe("PATH_OUTSIDE_WORKSPACE");
    const granted = await w.toolbox({ externalPaths: ["/dev"] });
    expect(await refusedEdit(granted, "z", "A3F9", "CUT 1.=1")).toMatchObject({
      details: { kind: "character device" },
    });
  });

  test("F04 a UTF-8 mark stays, once, whatever line is edited", async () => {
    const w = await open({ "bom.txt": "\ufeffstart\n中文\n" });
    const { content, tag } = await read(w, "bom.txt");
    expect(content.split("\n")[1]).toBe("1:start");
    const first = await edit(w, "bom.txt", tag, "PUT 1.=1:\n+start2");
    const second = await edit(w, "bom.txt", first.tag, "PUT 2.=2:\n+完");
    expect((await readFile(w.path("bom.txt"))).toString("hex")).toBe("efbbbf7374617274320ae5ae8c0a");
    await edit(w, "bom.txt", second.tag, "PUT <1:\n+head\nCUT 1.=1");
    expect(await readFile(w.path("bom.txt"), "utf8")).toBe("\ufeffhead\n完\n");
    await write(w, "new.txt", "no mark\n");
    await write(w, "marked.txt", "\ufeffmark\n");
    expect(await bytes(w, "new.txt")).toBe("no mark\n");
    expect(await bytes(w, "marked.txt")).toBe("\xef\xbb\xbfmark\n");
  });

  test("F06 only LF and CRLF end a line", async () => {
    const before = "one\ftwo\nthree\rmid\nfour\xe2\x80\xa8x\nfive\vNEEDLE\nsix\xc2\x85\n";
    const w = await open({ "sep.txt": latin1(before) });
    const { totalLines, tag } = await read(w, "sep.txt");
    expect(totalLines).toBe(5);
    await edit(w, "sep.txt", tag, "PUT 2.=2:\n+3");
    expect(await bytes(w, "sep.txt")).toBe(before.replace("three\rmid", "3"));
  });

  test("F32 line endings and the end of the file stay as they are", async () => {
    const w = await open({
      "crlf.txt": "a\r\nb\r\nc\r\n",
      "nonl.txt": "a\r\nb",
      "lf_nonl.txt": "a\nb\nc",
      "blank.txt": "a\nb\n\n\n",
    });
    const first = await readAndEdit(w, "crlf.txt", "PUT 2.=2:\n+X");
    expect(await bytes(w, "crlf.txt")).toBe("a\r\nX\r\nc\r\n");
    await edit(w, "crlf.txt", first.tag, "PUT >1:\n+p\n+q");
    expect(await bytes(w, "crlf.txt")).toBe("a\r\np\r\nq\r\nX\r\nc\r\n");
    await readAndEdit(w, "nonl.txt", "PUT 1.=1:\n+Z");
    expect(await bytes(w, "nonl.txt")).toBe("Z\r\nb");
    const third = await readAndEdit(w, "lf_nonl.txt", "PUT 3.=3:\n+C");
    expect(await bytes(w, "lf_nonl.txt")).toBe("a\nb\nC");
    await edit(w, "lf_nonl.txt", third.tag, "PUT >$:\n+d");
    expect(await bytes(w, "lf_nonl.txt")).toBe("a\nb\nC\nd");
    await readAndEdit(w, "blank.txt", "PUT 1.=1:\n+A");
    expect(await bytes(w, "blank.txt")).toBe("A\nb\n\n\n");
  });

  test("F33 new text is never a template", async () => {
    const w = await open({ "s.js": "head\nsay(1);\ntail\n" });
    let { tag } = await read(w, "s.js");
    for (const line of ['say("$& now");', "echo $$ $1 $0", "x=`$` y", "x=$'y'", "\\1 \\n \\\\"]) {
      ({ tag } = await edit(w, "s.js", tag, `PUT 2.=2:\n+${line}`));
      expect(await bytes(w, "s.js")).toBe(`head\n${line}\ntail\n`);
    }
  });

  test("F34 of ten parallel edits of one file none is lost or refused, however the path is spelled", async () => {
    await expect(raceEdits(await open(), 3)).resolves.toBeUndefined();
  });

  test("F34 two processes that edit one file lose nothing", async () => {
    const w = await open({ "log.txt": "start\n" });
    const session = new URL("../fixtures/appending-session.ts", import.meta.url).pathname;
    const append = (name: string) =>
      promisify(execFile)(process.execPath, [...TYPESCRIPT_FLAGS, session, w.root, name, "10"]);
    await Promise.all([append("one"), append("two")]);
    const lines = (await bytes(w, "log.txt")).split("\n");
    const expected = ["one", "two"].map((name) => Array.from({ length: 10 }, (_, at) => `${name} ${at + 1}`));
    expect(lines).toHaveLength(22);
    for (const own of expected) expect(lines.filter((line) => own.includes(line))).toEqual(own);
  });

  test("F34 edits of different files do not wait for each other", async () => {
    const w = await open({ "small.txt": "a\n", "slow.txt": "a\n" });
    const { tag } = await read(w, "small.txt");
    const { tag: slowTag } = await read(w, "slow.txt");
    // An edit of the slow file that takes as long as we like.
    const before = takeTurn([w.path("slow.txt")]);
    let isOver = false;
    const slow = w.call("Edit", { path: "slow.txt", tag: slowTag, ops: "PUT 1.=1:\n+x" }).finally(() => {
      isOver = true;
    });
    edited(await w.call("Edit", { path: "small.txt", tag, ops: "PUT 1.=1:\n+b" }));
    expect(isOver).toBe(false);
    before.end();
    edited(await slow);
    expect(await bytes(w, "slow.txt")).toBe("x\n");
  });

  const PAGE = "alpha\n\n  beta\n\ttab\nomega";
  test("F35 a page from Read that is given back as content loses its header and numbers, round after round", async () => {
    const w = await open({ "src.txt": PAGE });
    await write(w, "dst.txt", (await read(w, "src.txt")).content);
    await write(w, "dst2.txt", (await read(w, "dst.txt")).content);
    expect(await bytes(w, "dst.txt")).toBe(PAGE);
    expect(await bytes(w, "dst2.txt")).toBe(PAGE);
  });

  test("F35 the same in the body of an Edit, with a warning", async () => {
    const w = await open({ "src.txt": PAGE, "dst.txt": "first\n", "ports.txt": "x\n" });
    const { content } = await read(w, "src.txt");
    const rows = (text: string): string => text.replaceAll(/^/gm, "+");
    const result = await readAndEdit(w, "dst.txt", `PUT >1:\n${rows(content)}`);
    expect(result.warnings).toEqual(["A body was a page from Read: its header and line numbers were taken off."]);
    expect(await bytes(w, "dst.txt")).toBe(`first\n${PAGE}\n`);
    await edit(w, "dst.txt", result.tag, `PUT 1.=6:\n${rows("3:  beta\n4:\ttab")}`);
    expect(await bytes(w, "dst.txt")).toBe("  beta\n\ttab\n");
    await readAndEdit(w, "ports.txt", "PUT 1.=1:\n+80:80\n+443:443");
    expect(await bytes(w, "ports.txt")).toBe("80:80\n443:443\n");
  });

  test("F09 a file of many megabytes is edited in bounded memory, every other byte as it was", async () => {
    const w = await open();
    const block = Buffer.from(
      Array.from({ length: 20_000 }, (_, at) => `row ${String(at).padStart(7, "0")} padding\n`).join(""),
    );
    await writeFile(w.path("huge.log"), block);
    for (let at = 1; at < 100; at++) await writeFile(w.path("huge.log"), block, { flag: "a" });
    const { tag, totalLines } = await read(w, "huge.log", { limit: 2 });
    expect(totalLines).toBe(2_000_000);
    const { peak } = await withPeak(() => edit(w, "huge.log", tag, "PUT 1.=1:\n+x\nCUT 2.=2 @kept\nPUT >$ @kept"));
    const expected = createHash("sha256")
      .update("x\n")
      .update(block.subarray(2 * (block.length / 20_000)));
    for (let at = 1; at < 100; at++) expected.update(block);
    expected.update("row 0000001 padding\n");
    const actual = createHash("sha256").update(await readFile(w.path("huge.log")));
    expect(actual.digest("hex")).toBe(expected.digest("hex"));
    expect(peak).toBeLessThan(40 * 1024 * 1024);
  });

  test("F09 an edit that is aborted in the middle of its write leaves the old file and nothing else", async () => {
    const w = await open();
    await writeFile(w.path("large.log"), "some line of text\n".repeat(4_000_000));
    const { tag } = await read(w, "large.log", { limit: 1 });
    const { ino } = await stat(w.path("large.log"));
    const controller = new AbortController();
    const call = w.call("Edit", { path: "large.log", tag, ops: "CUT 1.=1" }, { signal: controller.signal });
    while ((await readdir(w.root)).length < 2) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("enough"));
    expect(refused(await call).code).toBe("ABORTED");
    expect(await readdir(w.root)).toEqual(["large.log"]);
    expect((await stat(w.path("large.log"))).ino).toBe(ino);
  });
});

/** The most that array buffers and heap of all threads grew by while `act` ran. */
async function withPeak<Value>(act: () => Promise<Value>): Promise<{ readonly value: Value; readonly peak: number }> {
  const before = process.memoryUsage.rss();
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss() - before);
  }, 5);
  try {
    return { value: await act(), peak };
  } finally {
    clearInterval(timer);
  }
}
