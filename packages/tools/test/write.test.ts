import { execFileSync, spawnSync } from "node:child_process";
import { chmod, link, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { ToolOutcome } from "../src/outcome.ts";
import { shareWorkers } from "../src/worker/pool.ts";
import type { WriteResult } from "../src/write.ts";
import { createWorkspace, type Workspace } from "./helpers/workspace.ts";

// Held over the whole file, so that not every test starts threads of its own.
const pool = shareWorkers();
afterAll(() => pool.close());

const workspaces: Workspace[] = [];

async function open(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Workspace> {
  const workspace = await createWorkspace(files);
  workspaces.push(workspace);
  return workspace;
}

afterEach(async () => {
  for (const workspace of workspaces.splice(0)) await workspace.remove();
});

function written(outcome: ToolOutcome): WriteResult {
  if (outcome.ok && outcome.tool === "Write") return outcome.result;
  throw new Error(`Write failed: ${JSON.stringify(outcome)}`);
}

function refused(outcome: ToolOutcome): { readonly code: string; readonly message: string; readonly details?: object } {
  if (!outcome.ok) return outcome.error;
  throw new Error(`Write succeeded: ${JSON.stringify(outcome)}`);
}

async function names(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}

describe("Write", () => {
  test("does not tell to Read a file that is no text before it is replaced", async () => {
    const w = await open({ "a.dat": new Uint8Array([0, 1, 2]) });
    expect(refused(await w.call("Write", { path: "a.dat", content: "text\n" }))).toMatchObject({
      code: "WRITE_STALE",
      message:
        '"a.dat" exists and is no text (binary data): choose another path, or set overwrite to true to replace it',
    });
    expect(written(await w.call("Write", { path: "a.dat", content: "text\n", overwrite: true })).bytes).toBe(5);
  });

  test.skipIf(process.geteuid?.() === 0)("names the folder that may not be changed, not the file", async () => {
    const w = await open({ "kept/a.txt": "a\n" });
    await w.call("Read", { path: "kept/a.txt" });
    await chmod(w.path("kept"), 0o555);
    try {
      for (const path of ["kept/a.txt", "kept/new.txt", "kept/sub/new.txt"]) {
        expect(refused(await w.call("Write", { path, content: "b\n" }))).toMatchObject({
          code: "PERMISSION_DENIED",
          message: `"${path}" may not be written, its folder "kept" may not be changed: ask the user to change the folder's permissions`,
        });
      }
    } finally {
      await chmod(w.path("kept"), 0o755);
    }
  });

  test("makes a file with its folders and says what landed", async () => {
    const w = await open();
    const result = written(await w.call("Write", { path: "a/b/c.txt", content: "one\ntwo\n" }));
    expect(result).toMatchObject({ path: "a/b/c.txt", root: "workspace", created: true, bytes: 8, totalLines: 2 });
    expect(result.header).toBe(`[a/b/c.txt#${result.tag}]`);
    expect(await readFile(w.path("a/b/c.txt"), "utf8")).toBe("one\ntwo\n");
    expect(await names(w.path("a/b"))).toEqual(["c.txt"]);
  });

  test("gives a new file the permissions that the umask leaves", async () => {
    const w = await open();
    await w.call("Write", { path: "a.txt", content: "x" });
    await writeFile(w.path("b.txt"), "x");
    expect((await stat(w.path("a.txt"))).mode).toBe((await stat(w.path("b.txt"))).mode);
  });

  test("overwrites what it wrote itself and mints the tag of the new bytes", async () => {
    const w = await open();
    const first = written(await w.call("Write", { path: "a.txt", content: "one\n" }));
    const second = written(await w.call("Write", { path: "a.txt", content: "two\n" }));
    expect(second.created).toBe(false);
    expect(second.tag).not.toBe(first.tag);
    expect(await readFile(w.path("a.txt"), "utf8")).toBe("two\n");
  });

  test("refuses to replace a file that was never shown, and names the lines", async () => {
    const w = await open({ "a.txt": "1\n2\n3\n" });
    const error = refused(await w.call("Write", { path: "a.txt", content: "x" }));
    expect(error).toMatchObject({ code: "WRITE_STALE", details: { unseenLines: 3, totalLines: 3 } });
    expect(await readFile(w.path("a.txt"), "utf8")).toBe("1\n2\n3\n");
  });

  test("refuses to replace a file that somebody changed since", async () => {
    const w = await open();
    await w.call("Write", { path: "a.txt", content: "mine\n" });
    await w.write("a.txt", "theirs\n");
    expect(refused(await w.call("Write", { path: "a.txt", content: "again\n" })).code).toBe("WRITE_STALE");
    expect(await readFile(w.path("a.txt"), "utf8")).toBe("theirs\n");
    written(await w.call("Write", { path: "a.txt", content: "again\n", overwrite: true }));
    expect(await readFile(w.path("a.txt"), "utf8")).toBe("again\n");
  });

  test("refuses to replace a file that was shown in part, and takes it once all of it was", async () => {
    const w = await open({ "a.txt": "1\n2\n3\n" });
    await w.call("Read", { path: "a.txt", limit: 2 });
    const error = refused(await w.call("Write", { path: "a.txt", content: "x\n" }));
    expect(error).toMatchObject({ code: "WRITE_STALE", details: { unseenLines: 1, totalLines: 3 } });
    await w.call("Read", { path: "a.txt", offset: 3 });
    written(await w.call("Write", { path: "a.txt", content: "x\n" }));
  });

  test("keeps the encoding that Read was asked for, again and again", async () => {
    const w = await open({ "a.txt": Buffer.from("c3bdc40a", "hex") });
    await w.call("Read", { path: "a.txt", encoding: "shift_jis" });
    written(await w.call("Write", { path: "a.txt", content: "ﾃ\n" }));
    const result = written(await w.call("Write", { path: "a.txt", content: "ｱｲ\n" }));
    expect(result.notice).toBe("It is written in shift_jis, as the file was.");
    expect((await readFile(w.path("a.txt"))).toString("hex")).toBe("b1b20a");
  });

  test("writes nothing on a read-only file system", async (context) => {
    const w = await open();
    await mkdir(w.path("disk"));
    const mount = (options: string): boolean =>
      spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", w.path("disk")]).status === 0;
    if (!mount("size=256k")) {
      console.warn("skipped: this user may not mount a small file system");
      context.skip();
    }
    try {
      await writeFile(w.path("disk/a.txt"), "old\n");
      execFileSync("mount", ["-o", "remount,ro", w.path("disk")]);
      for (const path of ["disk/a.txt", "disk/b.txt", "disk/new/c.txt"]) {
        const outcome = await w.call("Write", { path, content: "x", overwrite: true });
        expect(refused(outcome).code).toBe("PERMISSION_DENIED");
      }
      expect(await readFile(w.path("disk/a.txt"), "utf8")).toBe("old\n");
      expect(await names(w.path("disk"))).toEqual(["a.txt"]);
    } finally {
      execFileSync("umount", [w.path("disk")]);
    }
  });

  test("replaces an empty file unseen", async () => {
    const w = await open({ "a.txt": "" });
    expect(written(await w.call("Write", { path: "a.txt", content: "x\n" })).created).toBe(false);
  });

  test.each([
    ["a UTF-8 mark", "\ufeffold\n", "new\n", Buffer.from("\ufeffnew\n")],
    ["CRLF", "a\r\nb\r\n", "x\ny\n", Buffer.from("x\r\ny\r\n")],
    ["CRLF, which the content brings as well", "a\r\nb\r\n", "x\r\ny\n", Buffer.from("x\r\ny\n")],
    ["LF", "a\nb\n", "x\ny\n", Buffer.from("x\ny\n")],
    ["UTF-16", Buffer.from("\ufeffold\r\n", "utf16le"), "new 世\n", Buffer.from("\ufeffnew 世\r\n", "utf16le")],
  ])("keeps %s of the file it replaces", async (_, old, content, bytes) => {
    const w = await open({ "a.txt": old });
    written(await w.call("Write", { path: "a.txt", content, overwrite: true }));
    expect(await readFile(w.path("a.txt"))).toEqual(bytes);
  });

  test("keeps one mark when the content brings its own", async () => {
    const w = await open({ "a.txt": "\ufeffold\n" });
    written(await w.call("Write", { path: "a.txt", content: "\ufeffnew\n", overwrite: true }));
    expect(await readFile(w.path("a.txt"))).toEqual(Buffer.from("\ufeffnew\n"));
  });

  test("refuses a character that the file's encoding lacks and leaves the file", async () => {
    const old = Buffer.concat([
      Buffer.from("caf"),
      Buffer.of(0xe9),
      Buffer.from(" d"),
      Buffer.of(0xe9),
      Buffer.from("j\n"),
    ]);
    const w = await open({ "a.txt": old });
    const error = refused(await w.call("Write", { path: "a.txt", content: "日本\n", overwrite: true }));
    expect(error.code).toBe("ENCODING_UNMAPPABLE");
    expect(await readFile(w.path("a.txt"))).toEqual(old);
  });

  test("keeps the mode", async () => {
    const w = await open({ "run.sh": "#!/bin/sh\n" });
    await chmod(w.path("run.sh"), 0o751);
    written(await w.call("Write", { path: "run.sh", content: "#!/bin/bash\n", overwrite: true }));
    expect((await stat(w.path("run.sh"))).mode & 0o7777).toBe(0o751);
  });

  test.skipIf(process.getuid?.() !== 0)("keeps the owner", async () => {
    const w = await open({ "a.txt": "x\n" });
    execFileSync("chown", ["65534:65534", w.path("a.txt")]);
    written(await w.call("Write", { path: "a.txt", content: "y\n", overwrite: true }));
    expect(await stat(w.path("a.txt"))).toMatchObject({ uid: 65534, gid: 65534 });
  });

  test.each([
    ["~/notes.txt", '"~/notes.txt" begins with "~"', '"./~/notes.txt"'],
    ["file:///notes.txt", "is a URL, not a path", "plain path"],
    ["notes/", '"notes/" names a folder', "file's name"],
  ])("makes nothing at %s, which means something else", async (path, what, next) => {
    const w = await open({});
    const error = refused(await w.call("Write", { path, content: "x\n" }));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(what);
    expect(error.message).toContain(next);
    expect(await readdir(w.root)).toEqual([]);
  });

  test("takes ./~ for a folder of that name", async () => {
    const w = await open({});
    written(await w.call("Write", { path: "./~/notes.txt", content: "x\n" }));
    expect(await readFile(w.path("~/notes.txt"), "utf8")).toBe("x\n");
    written(await w.call("Write", { path: "~/notes.txt", content: "y\n" }));
    expect(await readFile(w.path("~/notes.txt"), "utf8")).toBe("y\n");
  });

  test("writes through a symbolic link and keeps it", async () => {
    const w = await open({ "real/a.txt": "x\n" });
    await symlink("real/a.txt", w.path("link.txt"));
    const result = written(await w.call("Write", { path: "link.txt", content: "y\n", overwrite: true }));
    expect(result.path).toBe("real/a.txt");
    expect(await readlink(w.path("link.txt"))).toBe("real/a.txt");
    expect(await readFile(w.path("real/a.txt"), "utf8")).toBe("y\n");
  });

  test("writes a file with hard links in place, says so, and leaves no backup", async () => {
    const w = await open({ "a.txt": "a longer old content\n" });
    await link(w.path("a.txt"), w.path("b.txt"));
    const result = written(await w.call("Write", { path: "a.txt", content: "new\n", overwrite: true }));
    expect(result.notice).toContain("hard links");
    expect(await readFile(w.path("b.txt"), "utf8")).toBe("new\n");
    expect((await lstat(w.path("a.txt"))).nlink).toBe(2);
    expect(await names(w.root)).toEqual(["a.txt", "b.txt"]);
  });

  test("refuses a folder, a FIFO and a path outside", async () => {
    const w = await open();
    await mkdir(w.path("d"));
    execFileSync("mkfifo", [w.path("p")]);
    expect(refused(await w.call("Write", { path: "d", content: "x" }))).toMatchObject({
      code: "PATH_NOT_FILE",
      details: { kind: "directory" },
    });
    expect(refused(await w.call("Write", { path: "p", content: "x" }))).toMatchObject({ details: { kind: "fifo" } });
    expect(refused(await w.call("Write", { path: "../x", content: "x" })).code).toBe("PATH_OUTSIDE_WORKSPACE");
  });

  test("makes no folder when a part of the path is a file", async () => {
    const w = await open({ f: "x" });
    expect(refused(await w.call("Write", { path: "f/a/b.txt", content: "x" })).code).toBe("PATH_NOT_FOUND");
    expect(await names(w.root)).toEqual(["f"]);
  });

  test("keeps the old file and leaves nothing else when the disk is full", async (context) => {
    const w = await open();
    await mkdir(w.path("disk"));
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "none", w.path("disk")]).status === 0;
    if (!mounted) {
      console.warn("skipped: this user may not mount a small file system");
      context.skip();
    }
    try {
      await writeFile(w.path("disk/a.txt"), "old\n");
      const content = "x".repeat(300_000);
      const error = refused(await w.call("Write", { path: "disk/a.txt", content, overwrite: true }));
      expect(error.code).toBe("DISK_FULL");
      expect(refused(await w.call("Write", { path: "disk/new/b.txt", content })).code).toBe("DISK_FULL");
      await link(w.path("disk/a.txt"), w.path("disk/hard.txt"));
      expect(refused(await w.call("Write", { path: "disk/hard.txt", content, overwrite: true })).code).toBe(
        "DISK_FULL",
      );
      expect(await readFile(w.path("disk/a.txt"), "utf8")).toBe("old\n");
      expect(await names(w.path("disk"))).toEqual(["a.txt", "hard.txt"]);
    } finally {
      execFileSync("umount", [w.path("disk")]);
    }
  });

  test("leaves real content that looks like numbered lines", async () => {
    const w = await open();
    await w.call("Write", { path: "ports.txt", content: "80:80\n443:443\n" });
    expect(await readFile(w.path("ports.txt"), "utf8")).toBe("80:80\n443:443\n");
  });

  test("takes header and numbers off a page whose tag this session minted", async () => {
    const w = await open();
    const { header } = written(await w.call("Write", { path: "a.txt", content: "alpha\n\n  beta\n" }));
    const result = written(await w.call("Write", { path: "b.txt", content: `${header}\n1:alpha\n2:\n3:  beta\n` }));
    expect(result.notice).toContain("line numbers were taken off");
    expect(await readFile(w.path("b.txt"), "utf8")).toBe("alpha\n\n  beta\n");
  });

  test("takes numbers off lines that were shown under them, without any header", async () => {
    const w = await open();
    await w.call("Write", { path: "a.txt", content: "alpha\nbeta\n" });
    await w.call("Write", { path: "b.txt", content: "1:alpha\n2:beta" });
    await w.call("Write", { path: "c.txt", content: "1:alpha\n2:other" });
    expect(await readFile(w.path("b.txt"), "utf8")).toBe("alpha\nbeta");
    expect(await readFile(w.path("c.txt"), "utf8")).toBe("1:alpha\n2:other");
  });

  test("keeps a header whose tag is nobody's", async () => {
    const w = await open();
    await w.call("Write", { path: "b.txt", content: "[src.txt#0000]\n1:alpha\n" });
    expect(await readFile(w.path("b.txt"), "utf8")).toBe("[src.txt#0000]\n1:alpha\n");
  });

  test("writes the last of many parallel calls, each of them whole", async () => {
    const w = await open();
    const contents = Array.from({ length: 20 }, (_, index) => `${index}\n`.repeat(2000));
    const outcomes = await Promise.all(
      contents.map((content, index) => w.call("Write", { path: index % 2 === 0 ? "a.txt" : "./a.txt", content })),
    );
    for (const outcome of outcomes) written(outcome);
    expect(await readFile(w.path("a.txt"), "utf8")).toBe(contents.at(-1));
    expect(await names(w.root)).toEqual(["a.txt"]);
  });

  test("leaves the file alone when it was aborted before its turn", async () => {
    const w = await open();
    const box = await w.toolbox();
    await box.call("Write", { path: "a.txt", content: "old\n" });
    const controller = new AbortController();
    const first = box.call("Write", { path: "a.txt", content: "first\n" });
    const second = box.call("Write", { path: "a.txt", content: "second\n" }, { signal: controller.signal });
    controller.abort(new Error("enough"));
    expect(refused(await second).code).toBe("ABORTED");
    written(await first);
    expect(await readFile(w.path("a.txt"), "utf8")).toBe("first\n");
  });
});
