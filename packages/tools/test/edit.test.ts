import { execFileSync } from "node:child_process";
import { chmod, link, lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { renderForModel } from "../src/render.ts";
import { shareWorkers } from "../src/worker/pool.ts";
import { edit, edited, read, readAndEdit, refused, refusedEdit, write } from "./helpers/edit-calls.ts";
import { createWorkspace, type Workspace } from "./helpers/workspace.ts";

// Held over the whole file, so that not every test starts threads of its own.
const pool = shareWorkers();
afterAll(() => pool.close());

const workspaces: Workspace[] = [];

async function open(...options: Parameters<typeof createWorkspace>): Promise<Workspace> {
  const workspace = await createWorkspace(...options);
  workspaces.push(workspace);
  return workspace;
}

afterEach(async () => {
  for (const workspace of workspaces.splice(0)) await workspace.remove();
});

const numbers = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

async function text(w: Workspace, name: string): Promise<string> {
  return await readFile(w.path(name), "utf8");
}

describe("Edit", () => {
  test("changes the lines it names and says what came of it", async () => {
    const w = await open({ "src/a.txt": numbers(12) });
    const result = await readAndEdit(w, "src/a.txt", "PUT 3.=4:\n+three\nCUT 7.=7\nPUT >9:\n+new\n+lines");
    expect(result).toEqual({
      path: "src/a.txt",
      root: "workspace",
      tag: result.tag,
      header: `[src/a.txt#${result.tag}]`,
      added: 3,
      removed: 3,
      hunks: [
        {
          oldStart: 1,
          oldLines: 12,
          newStart: 1,
          newLines: 12,
          lines: [
            " line 1",
            " line 2",
            "-line 3",
            "-line 4",
            "+three",
            " line 5",
            " line 6",
            "-line 7",
            " line 8",
            " line 9",
            "+new",
            "+lines",
            " line 10",
            " line 11",
            " line 12",
          ],
        },
      ],
      spans: [
        { op: "PUT 3.=4:", first: 3, last: 4, newFirst: 3, newLast: 3 },
        { op: "CUT 7.=7", first: 7, last: 7, newFirst: 6, newLast: 5 },
        { op: "PUT >9:", first: 10, last: 9, newFirst: 8, newLast: 9 },
      ],
      note: "The change is applied: there is no need to read it back.",
    });
    expect(await text(w, "src/a.txt")).toBe(
      "line 1\nline 2\nthree\nline 5\nline 6\nline 8\nline 9\nnew\nlines\nline 10\nline 11\nline 12\n",
    );
    expect(await readdir(w.path("src"))).toEqual(["a.txt"]);
  });

  test("gives the tag of the bytes on disk, good for the next edit without a Read", async () => {
    const w = await open({ "a.txt": numbers(3) });
    const first = await readAndEdit(w, "a.txt", "PUT 2.=2:\n+two");
    const second = await edit(w, "a.txt", first.tag, "PUT 3.=3:\n+three");
    expect(second.tag).toBe((await read(w, "a.txt")).tag);
    expect(await text(w, "a.txt")).toBe("line 1\ntwo\nthree\n");
  });

  test("takes the tag that Write gave", async () => {
    const w = await open();
    const { tag } = await write(w, "a.txt", "one\ntwo\n");
    await edit(w, "a.txt", tag, "CUT 1.=1");
    expect(await text(w, "a.txt")).toBe("two\n");
  });

  test("takes a header in front of the ops, under the name of the call or the result's", async () => {
    const w = await open({ "real.txt": numbers(3) });
    await symlink("real.txt", w.path("link.txt"));
    const { content } = await read(w, "link.txt");
    const [header = ""] = content.split("\n");
    const tag = header.slice(-5, -1);
    const first = await edit(w, "link.txt", tag.toLowerCase(), `${header}\nPUT 1.=1:\n+one`);
    await edit(w, "./link.txt", `#${first.tag}`, `[link.txt#${first.tag}]\nPUT 2.=2:\n+two`);
    expect(await text(w, "real.txt")).toBe("one\ntwo\nline 3\n");
    expect(await readlink(w.path("link.txt"))).toBe("real.txt");
    const { tag: last } = await read(w, "real.txt");
    const other = await refusedEdit(w, "real.txt", last, `[other.txt#${last}]\nCUT 1.=1`);
    expect(other).toMatchObject({ code: "INVALID_ARGUMENT", next: "make them agree, or leave the header line out" });
    expect((await refusedEdit(w, "real.txt", last, `[real.txt#${tag}]\nCUT 1.=1`)).code).toBe("INVALID_ARGUMENT");
  });

  test.each([[undefined], [""], ["12345"], ["A3F"], ["zzzz"]])("needs a tag: %j is none", async (tag) => {
    const w = await open({ "a.txt": numbers(3) });
    const error = refused(await w.call("Edit", { path: "a.txt", ...(tag !== undefined && { tag }), ops: "CUT 1.=1" }));
    expect(error.code).toBe("EDIT_TAG_REQUIRED");
    expect(error.next).toContain('Read "a.txt"');
  });

  test.each(["PUT 1.=1:\n+\ufeffA", "PUT <1:\n+\ufeffA\nCUT 1.=1"])(
    "leaves a file one byte order mark: %j",
    async (ops) => {
      const w = await open({ "a.txt": "\ufeffa\nb\n" });
      await readAndEdit(w, "a.txt", ops);
      expect(await text(w, "a.txt")).toBe("\ufeffA\nb\n");
    },
  );

  test("moves to no path that means something else", async () => {
    const w = await open({ "a.txt": "a\n" });
    const { tag } = await read(w, "a.txt");
    const error = await refusedEdit(w, "a.txt", tag, "MV ~/a.txt");
    expect(error.message).toContain('"./~/a.txt"');
    expect(await readdir(w.root)).toEqual(["a.txt"]);
  });

  test("does not know a tag that this session was not shown for the path, though it be the live one", async () => {
    const w = await open({ "a.txt": numbers(3), "b.txt": "other\n" });
    const { tag } = await read(w, "a.txt");
    const { tag: otherTag } = await read(w, "b.txt");
    expect((await refusedEdit(await w.toolbox(), "a.txt", tag, "CUT 1.=1")).code).toBe("EDIT_TAG_UNKNOWN");
    expect((await refusedEdit(w, "a.txt", otherTag, "CUT 1.=1")).code).toBe("EDIT_TAG_UNKNOWN");
    expect(await text(w, "a.txt")).toBe(numbers(3));
  });

  test("names the closest files for a path that does not exist, and the kind of what is no file", async () => {
    const w = await open({ "main.ts": "x\n" });
    await mkdir(w.path("d"));
    expect(await refusedEdit(w, "mian.ts", "A3F9", "CUT 1.=1")).toMatchObject({
      code: "PATH_NOT_FOUND",
      details: { siblings: ["main.ts"] },
    });
    expect(await refusedEdit(w, "d", "A3F9", "CUT 1.=1")).toMatchObject({
      code: "PATH_NOT_FILE",
      details: { kind: "directory" },
    });
    expect((await refusedEdit(w, "../x.txt", "A3F9", "CUT 1.=1")).code).toBe("PATH_OUTSIDE_WORKSPACE");
  });

  test("refuses what changes nothing", async () => {
    const w = await open({ "a.txt": numbers(3) });
    const { tag } = await read(w, "a.txt");
    for (const ops of ["PUT 2.=2:\n+line 2", "CUT 2.=2 @a\nPUT >1 @a", "PUT 1.=3:\n+line 1\n+line 2\n+line 3"]) {
      const error = await refusedEdit(w, "a.txt", tag, ops);
      expect(error.code).toBe("EDIT_NO_CHANGE");
    }
    expect(await text(w, "a.txt")).toBe(numbers(3));
  });

  test("leaves an empty file when every line is cut, and fills it again", async () => {
    const w = await open({ "a.txt": numbers(3) });
    const emptied = await readAndEdit(w, "a.txt", "CUT 1.=3");
    expect(emptied).toMatchObject({ added: 0, removed: 3 });
    expect(await text(w, "a.txt")).toBe("");
    await edit(w, "a.txt", emptied.tag, "PUT >$:\n+new");
    expect(await text(w, "a.txt")).toBe("new\n");
  });

  test("resolves blocks and echoes what they covered", async () => {
    const w = await open({ "a.ts": "function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n" });
    const result = await readAndEdit(w, "a.ts", "CUT 5*\nPUT <1");
    expect(result.spans).toEqual([
      { op: "CUT 5*", first: 5, last: 7, newFirst: 8, newLast: 7 },
      { op: "PUT <1", first: 1, last: 0, newFirst: 1, newLast: 3 },
    ]);
    expect(renderForModel({ ok: true, tool: "Edit", result })).toBe(
      `[a.ts#${result.tag}] +3 -3\nCUT 5* -> covered lines 5-7, nothing stands there now\nPUT <1 -> lines 1-3 now\nThe change is applied: there is no need to read it back.`,
    );
    expect(await text(w, "a.ts")).toBe("function b() {\n  return 2;\n}\nfunction a() {\n  return 1;\n}\n\n");
  });

  test("keeps mode and owner, writes through links, and hard links in place", async () => {
    const w = await open({ "a.sh": "old\n" });
    await chmod(w.path("a.sh"), 0o751);
    await link(w.path("a.sh"), w.path("b.sh"));
    const result = await readAndEdit(w, "a.sh", "PUT 1.=1:\n+new");
    expect(result.warnings?.join(" ")).toContain("hard links");
    expect(await text(w, "b.sh")).toBe("new\n");
    await rm(w.path("b.sh"));
    await readAndEdit(w, "a.sh", "PUT 1.=1:\n+newer");
    expect((await stat(w.path("a.sh"))).mode & 0o7777).toBe(0o751);
    expect(await readdir(w.root)).toEqual(["a.sh"]);
  });

  test("refuses a character that the file's encoding lacks and leaves the file", async () => {
    const bytes = Buffer.from("\u00c9t\u00e9 \u00e0 la mer, \u00e7a d\u00e9j\u00e0 vu\n", "latin1");
    const w = await open({ "a.txt": bytes });
    const { tag } = await read(w, "a.txt");
    const error = await refusedEdit(w, "a.txt", tag, "PUT >1:\n+\u4e16");
    expect(error).toMatchObject({ code: "ENCODING_UNMAPPABLE", details: { character: "\u4e16" } });
    expect(await readFile(w.path("a.txt"))).toEqual(bytes);
  });

  test("edits in the encoding that Read was asked for, again and again", async () => {
    const encoded = (hex: string): Buffer => Buffer.from(hex, "hex");
    // "ﾃｽﾄ" in half-width katakana: nothing proves Shift_JIS here.
    const w = await open({ "a.txt": encoded("c3bdc40a610a") });
    const { content, tag } = await read(w, "a.txt", { encoding: "shift_jis" });
    expect(content).toContain("1:ﾃｽﾄ");
    const first = await edit(w, "a.txt", tag, "PUT 2.=2:\n+ｱ");
    await edit(w, "a.txt", first.tag, "PUT >2:\n+ｲ");
    expect(await readFile(w.path("a.txt"))).toEqual(encoded("c3bdc40ab10ab20a"));
  });

  test("has the risk of a deletion only when it deletes or renames", async () => {
    const w = await open();
    const { tools } = await w.toolbox();
    const tool = tools.find(({ name }) => name === "Edit");
    const risk = (ops: string) => tool?.riskOf({ path: "a", tag: "A3F9", ops });
    expect(tool?.risk).toBe("edit");
    expect([risk("CUT 1.=1"), risk("PUT >$:\n+REM\n+MV x")]).toEqual(["edit", "edit"]);
    expect([risk("REM"), risk("CUT 1.=1\nMV b")]).toEqual(["destructive", "destructive"]);
    expect(tool?.inputJsonSchema.required).toEqual(["path", "tag", "ops"]);
  });

  test("tells how much ops may be, with the limits of the session", async () => {
    const w = await open({ "a.txt": numbers(3) }, { limits: { editMaxOps: 2, editOpsMaxBytes: 60 } });
    const { tools } = await w.toolbox();
    expect(tools.find(({ name }) => name === "Edit")?.description).toContain("At most 2 ops and 60 bytes a call");
    const { tag } = await read(w, "a.txt");
    const many = await refusedEdit(w, "a.txt", tag, "CUT 1.=1\nCUT 2.=2\nCUT 3.=3");
    expect(many).toMatchObject({ code: "INVALID_ARGUMENT", details: { maxOps: 2 } });
    const long = await refusedEdit(w, "a.txt", tag, `PUT >$:\n+${"x".repeat(60)}`);
    expect(long).toMatchObject({ code: "INVALID_ARGUMENT", details: { maxBytes: 60 } });
  });
});

describe("Edit: provenance", () => {
  test("refuses lines that were not shown, shows them, and takes the same call the next time", async () => {
    const w = await open({ "a.txt": numbers(50) });
    const { tag } = await read(w, "a.txt", { limit: 10 });
    const ops = "PUT 9.=12:\n+x\nPUT >20:\n+y";
    const error = await refusedEdit(w, "a.txt", tag, ops);
    expect(error.code).toBe("EDIT_LINES_UNSEEN");
    expect(error.message).toContain('Lines 11-12, 20 of "a.txt" were not shown');
    expect(error.next).toContain("11:line 11\n12:line 12\n20:line 20");
    expect(error.details).toMatchObject({ path: "a.txt", lines: "11-12, 20", countAsShown: true });
    expect(await text(w, "a.txt")).toBe(numbers(50));
    await edit(w, "a.txt", tag, ops);
  });

  test("adds none of them when it could not show all in full", async () => {
    const w = await open({ "a.txt": numbers(100), "long.txt": `short\n${"x".repeat(600)}\n` });
    const { tag } = await read(w, "a.txt", { limit: 1 });
    const ops = "CUT 2.=60";
    for (let round = 0; round < 2; round++) {
      const error = await refusedEdit(w, "a.txt", tag, ops);
      expect(error.details).toMatchObject({ lines: "2-60", countAsShown: false });
      expect(error.next).toContain("Read them first (offset 2)");
      expect(error.next).toContain("41:line 41");
      expect(error.next).not.toContain("42:line 42");
    }
    const { tag: longTag } = await read(w, "long.txt", { limit: 1 });
    expect((await refusedEdit(w, "long.txt", longTag, "CUT 1.=2")).details).toMatchObject({ countAsShown: false });
    expect((await refusedEdit(w, "long.txt", longTag, "CUT 2.=2")).code).toBe("EDIT_LINES_UNSEEN");
  });

  test("asks for nothing at the head and the tail", async () => {
    const w = await open({ "a.txt": numbers(50) });
    const { tag } = await read(w, "a.txt", { offset: 20, limit: 1 });
    await edit(w, "a.txt", tag, "PUT <1:\n+head\nPUT >$:\n+tail");
    expect(await text(w, "a.txt")).toBe(`head\n${numbers(50)}tail\n`);
  });

  test("knows after an edit the lines that were shown and those it wrote, where they are now, and no others", async () => {
    const w = await open({ "a.txt": numbers(50) });
    const { tag } = await read(w, "a.txt", { offset: 20, limit: 5 });
    const { tag: next } = await edit(w, "a.txt", tag, "PUT >20:\n+new\nCUT 23.=23");
    expect((await refusedEdit(w, "a.txt", next, "CUT 19.=25")).details).toMatchObject({ lines: "19, 25" });
    await edit(w, "a.txt", next, "CUT 20.=24");
  });

  test("asks for every line of a block", async () => {
    const w = await open({ "a.ts": "function a() {\n  return 1;\n}\n" });
    const { tag } = await read(w, "a.ts", { limit: 2 });
    expect((await refusedEdit(w, "a.ts", tag, "CUT 1*")).details).toMatchObject({ lines: "3" });
    await edit(w, "a.ts", tag, "CUT 1*");
  });
});

describe("Edit: version", () => {
  test("refuses a file whose named lines changed, with the live tag and the lines around them", async () => {
    const w = await open({ "a.txt": numbers(20) });
    const { tag } = await read(w, "a.txt");
    await w.write("a.txt", numbers(20).replace("line 10\n", "changed\n"));
    const error = await refusedEdit(w, "a.txt", tag, "PUT 10.=10:\n+mine");
    expect(error.code).toBe("EDIT_TAG_MISMATCH");
    const liveTag = error.details?.liveTag;
    expect(error.next).toContain(`use tag ${liveTag}`);
    expect(error.next).toContain("8:line 8\n9:line 9\n10:changed\n11:line 11\n12:line 12");
    expect(await text(w, "a.txt")).toContain("changed\n");
    // What the error showed counts as shown under the live tag, and no more than that.
    await edit(w, "a.txt", String(liveTag), "PUT 10.=10:\n+mine");
    expect((await refusedEdit(w, "a.txt", String((await read(w, "a.txt", { limit: 1 })).tag), "CUT 15.=15")).code).toBe(
      "EDIT_LINES_UNSEEN",
    );
  });

  test("applies what goes to the head or the tail only, with a warning", async () => {
    const w = await open({ "a.txt": numbers(3) });
    const { tag } = await read(w, "a.txt");
    await w.write("a.txt", "all new\n");
    const result = await edit(w, "a.txt", tag, "PUT <1:\n+head\nPUT >$:\n+tail");
    expect(result.warnings).toEqual([
      `The file changed since tag ${tag}; the ops go to its head or tail and were applied.`,
    ]);
    expect(await text(w, "a.txt")).toBe("head\nall new\ntail\n");
    // The session never saw the rest of it.
    expect((await refusedEdit(w, "a.txt", result.tag, "CUT 2.=2")).details).toMatchObject({ lines: "2" });
  });

  test("follows lines that only moved, with a warning", async () => {
    const w = await open({ "a.txt": numbers(20) });
    const { tag } = await read(w, "a.txt");
    await w.write("a.txt", `above\nand more\n${numbers(20)}`);
    const result = await edit(w, "a.txt", tag, "PUT 10.=11:\n+mine\nCUT 3.=3 @gone");
    expect(result.warnings?.[0]).toContain("they moved by +2");
    expect(await text(w, "a.txt")).toBe(
      `above\nand more\n${numbers(20).replace("line 10\nline 11\n", "mine\n").replace("line 3\n", "")}`,
    );
    // What came above was never shown.
    expect((await refusedEdit(w, "a.txt", result.tag, "CUT 2.=2")).code).toBe("EDIT_LINES_UNSEEN");
    await edit(w, "a.txt", result.tag, "PUT >$ @gone");
  });

  test("follows lines of a file whose line endings were converted", async () => {
    const w = await open({ "a.txt": numbers(5) });
    const { tag } = await read(w, "a.txt");
    await w.write("a.txt", numbers(5).replaceAll("\n", "\r\n"));
    await edit(w, "a.txt", tag, "PUT 3.=3:\n+three");
    expect(await text(w, "a.txt")).toBe(numbers(5).replace("line 3", "three").replaceAll("\n", "\r\n"));
  });

  test("never follows a line that was not shown", async () => {
    const w = await open({ "a.txt": numbers(20) });
    const { tag } = await read(w, "a.txt", { limit: 5 });
    await w.write("a.txt", `above\n${numbers(20)}`);
    expect((await refusedEdit(w, "a.txt", tag, "CUT 10.=10")).code).toBe("EDIT_TAG_MISMATCH");
    await edit(w, "a.txt", tag, "CUT 3.=3");
  });

  test("declines for a file without a kept text and shows the live one", async () => {
    const large = "a line of some length\n".repeat(110_000);
    const w = await open({ "a.txt": large });
    const { tag } = await read(w, "a.txt", { limit: 5 });
    await w.write("a.txt", `above\n${large}`);
    const error = await refusedEdit(w, "a.txt", tag, "CUT 3.=3");
    expect(error).toMatchObject({ code: "EDIT_TAG_MISMATCH", details: { totalLines: 110_001 } });
  });

  test("is not led astray by another version with the same tag", async () => {
    // Two texts whose hashes end alike, found by trying.
    const w = await open({ "a.txt": "0\n" });
    const { tag } = await read(w, "a.txt");
    const texts = Array.from({ length: 200_000 }, (_, at) => `${at + 1}\n`);
    const { loadHasher } = await import("../src/hash.ts");
    const { hashBytes } = await loadHasher();
    const twin = texts.find((candidate) => hashBytes(Buffer.from(candidate)).endsWith(tag.toLowerCase()));
    if (twin === undefined) throw new Error("No text has the same tag");
    await w.write("a.txt", twin);
    const error = await refusedEdit(w, "a.txt", tag, "PUT 1.=1:\n+mine");
    expect(error).toMatchObject({ code: "EDIT_TAG_MISMATCH", details: { liveTag: tag } });
    expect(await text(w, "a.txt")).toBe(twin);
  });

  test("shows nothing of a file that became a secret or binary", async () => {
    const w = await open();
    const { tag } = await write(w, ".env", "A=1\nB=2\n");
    await w.write(".env", "A=secret\nB=2\n");
    const error = await refusedEdit(w, ".env", tag, "CUT 1.=1");
    expect(error.code).toBe("EDIT_TAG_MISMATCH");
    expect(JSON.stringify(error)).not.toContain("secret");
    const appended = await edit(w, ".env", tag, "PUT >$:\n+C=3");
    expect(appended).toMatchObject({ hunks: [], omittedHunks: 1 });
    expect(await text(w, ".env")).toBe("A=secret\nB=2\nC=3\n");
    const { tag: textTag } = await write(w, "a.dat", "one\ntwo\n");
    await writeFile(w.path("a.dat"), Buffer.from("\u0000\u0001PNG\nxx\n"));
    const binary = await refusedEdit(w, "a.dat", textTag, "PUT >$:\n+more");
    expect(binary).toMatchObject({ code: "EDIT_TAG_MISMATCH", details: { revealed: [] } });
    expect((await lstat(w.path("a.dat"))).size).toBe(9);
  });

  test("rebinds a path that slipped to the one file with its name and tag, with a warning", async () => {
    const w = await open({ "src/deep/a.ts": "one\ntwo\n", "b.ts": "x\n" });
    const { tag } = await read(w, "src/deep/a.ts");
    const result = await edit(w, "deep/a.ts", tag, "CUT 1.=1");
    expect(result.path).toBe("src/deep/a.ts");
    expect(result.warnings).toEqual([
      '"deep/a.ts" does not exist; "src/deep/a.ts" has this name and tag and was edited.',
    ]);
    expect((await refusedEdit(w, "deep/b.ts", result.tag, "CUT 1.=1")).code).toBe("PATH_NOT_FOUND");
  });

  test("does not choose between two files with one name and tag", async () => {
    const w = await open({ "x/a.ts": "one\n", "y/a.ts": "one\n" });
    const { tag } = await read(w, "x/a.ts");
    await read(w, "y/a.ts");
    expect((await refusedEdit(w, "a.ts", tag, "CUT 1.=1")).code).toBe("PATH_NOT_FOUND");
  });
});

describe("Edit: registers", () => {
  test("moves lines within a call and between files, byte for byte", async () => {
    const w = await open({ "a.txt": Buffer.from("1\r\n\xff\xfe2\n3\n", "latin1"), "b.txt": "x\n" });
    const { tag } = await read(w, "a.txt");
    const { tag: other } = await read(w, "b.txt");
    await edit(w, "a.txt", tag, "CUT 1.=2 @moved\nPUT >$ @moved");
    await edit(w, "b.txt", other, "PUT <1 @moved");
    expect((await readFile(w.path("a.txt"))).toString("latin1")).toBe("3\n1\n\xff\xfe2\n");
  });

  test("keeps named registers for the session, the unnamed one for the call", async () => {
    const w = await open({ "a.txt": numbers(5) });
    const first = await readAndEdit(w, "a.txt", "CUT 1.=1 @one\nCUT 2.=2");
    expect((await refusedEdit(w, "a.txt", first.tag, "PUT >$")).code).toBe("EDIT_REGISTER_EMPTY");
    const second = await edit(w, "a.txt", first.tag, "PUT >$ @one");
    await edit(w, "a.txt", second.tag, "PUT 1.=1 @one");
    expect(await text(w, "a.txt")).toBe("line 1\nline 4\nline 5\nline 1\n");
    const fresh = await w.toolbox();
    const { tag } = await read(fresh, "a.txt");
    expect((await refusedEdit(fresh, "a.txt", tag, "PUT >$ @one")).code).toBe("EDIT_REGISTER_EMPTY");
  });

  test("fills no register when the edit is refused", async () => {
    const w = await open({ "a.txt": numbers(5) });
    const { tag } = await read(w, "a.txt");
    await refusedEdit(w, "a.txt", tag, "CUT 1.=1 @one\nCUT 9.=9");
    expect((await refusedEdit(w, "a.txt", tag, "PUT >$ @one")).code).toBe("EDIT_REGISTER_EMPTY");
  });
});

describe("Edit: REM and MV", () => {
  test.skipIf(process.geteuid?.() === 0)("leaves no second name when the first one cannot be taken away", async () => {
    const w = await open({ "kept/a.txt": "one\n" });
    const { tag } = await read(w, "kept/a.txt");
    await chmod(w.path("kept"), 0o555);
    try {
      const error = await refusedEdit(w, "kept/a.txt", tag, "MV b.txt");
      expect(error).toMatchObject({ code: "PERMISSION_DENIED", details: { folder: "kept" } });
      expect(await readdir(w.root)).toEqual(["kept"]);
    } finally {
      await chmod(w.path("kept"), 0o755);
    }
  });

  test("deletes a file under its current tag only", async () => {
    const w = await open({ "a.txt": numbers(3), "b.txt": "b\n" });
    const { tag } = await read(w, "a.txt", { limit: 1 });
    await w.write("a.txt", numbers(4));
    expect((await refusedEdit(w, "a.txt", tag, "REM")).code).toBe("EDIT_TAG_MISMATCH");
    const result = await readAndEdit(w, "a.txt", "REM");
    expect(result).toMatchObject({ path: "a.txt", added: 0, removed: 4, note: "The file is deleted." });
    expect(await readdir(w.root)).toEqual(["b.txt"]);
    expect((await refusedEdit(w, "a.txt", result.tag, "CUT 1.=1")).code).toBe("PATH_NOT_FOUND");
  });

  test("renames a file, makes the folders, and knows it under its new name", async () => {
    const w = await open({ "a.txt": numbers(3) });
    await chmod(w.path("a.txt"), 0o640);
    const { ino } = await stat(w.path("a.txt"));
    const result = await readAndEdit(w, "a.txt", "MV new/folder/b.txt");
    expect(result).toMatchObject({ path: "new/folder/b.txt", added: 0, removed: 0 });
    expect((await stat(w.path("new/folder/b.txt"))).ino).toBe(ino);
    expect(await readdir(w.root)).toEqual(["new"]);
    await edit(w, "new/folder/b.txt", result.tag, "CUT 1.=1");
  });

  test("renames after all other ops, keeping mode and owner", async () => {
    const w = await open({ "a.txt": numbers(3) });
    await chmod(w.path("a.txt"), 0o640);
    const result = await readAndEdit(w, "a.txt", "MV b.txt\nPUT 2.=2:\n+two");
    expect(result).toMatchObject({ path: "b.txt", added: 1, removed: 1 });
    expect(await text(w, "b.txt")).toBe("line 1\ntwo\nline 3\n");
    expect((await stat(w.path("b.txt"))).mode & 0o7777).toBe(0o640);
    expect(await readdir(w.root)).toEqual(["b.txt"]);
  });

  test("keeps the other names of a file that it edits and renames", async () => {
    const w = await open({ "a.txt": numbers(2) });
    await link(w.path("a.txt"), w.path("twin.txt"));
    await readAndEdit(w, "a.txt", "PUT 1.=1:\n+one\nMV sub/b.txt");
    expect(await text(w, "sub/b.txt")).toBe("one\nline 2\n");
    expect(await text(w, "twin.txt")).toBe("one\nline 2\n");
    expect((await lstat(w.path("twin.txt"))).nlink).toBe(2);
    expect((await readdir(w.root)).sort()).toEqual(["sub", "twin.txt"]);
  });

  test("gives such a file its old name back when it cannot be written", async () => {
    const bytes = Buffer.from("\u00c9t\u00e9 \u00e0 la mer, \u00e7a d\u00e9j\u00e0 vu\n", "latin1");
    const w = await open({ "a.txt": bytes });
    await link(w.path("a.txt"), w.path("twin.txt"));
    const { tag } = await read(w, "a.txt");
    expect((await refusedEdit(w, "a.txt", tag, "PUT >1:\n+\u4e16\nMV b.txt")).code).toBe("ENCODING_UNMAPPABLE");
    expect((await readdir(w.root)).sort()).toEqual(["a.txt", "twin.txt"]);
    expect(await readFile(w.path("twin.txt"))).toEqual(bytes);
  });

  test("replaces nothing and goes nowhere outside", async () => {
    const w = await open({ "a.txt": numbers(3), "b.txt": "b\n" });
    await mkdir(w.path("d"));
    const { tag } = await read(w, "a.txt");
    const codes = await Promise.all(
      ["b.txt", "d", "a.txt", "new/", "../c.txt"].map(
        async (to) => (await refusedEdit(w, "a.txt", tag, `MV ${to}`)).code,
      ),
    );
    expect(codes).toEqual(["PATH_EXISTS", "PATH_EXISTS", "PATH_EXISTS", "INVALID_ARGUMENT", "PATH_OUTSIDE_WORKSPACE"]);
    expect(await text(w, "a.txt")).toBe(numbers(3));
    expect((await readdir(w.root)).sort()).toEqual(["a.txt", "b.txt", "d"]);
  });

  test("goes outside where the host granted that very path", async () => {
    const w = await open({ "a.txt": numbers(3) });
    const outside = `${w.dataDir}-outside`;
    await mkdir(outside);
    const box = await w.toolbox({ externalPaths: [outside] });
    const { tag } = await read(box, "a.txt");
    const result = await edit(box, "a.txt", tag, `PUT 1.=1:\n+one\nMV ${outside}/b.txt`);
    expect(result).toMatchObject({ root: "external", path: `${outside}/b.txt` });
    expect(await readFile(`${outside}/b.txt`, "utf8")).toBe("one\nline 2\nline 3\n");
  });

  test("moves to another file system by copying", async (context) => {
    const w = await open({ "a.txt": numbers(3) });
    await mkdir(w.path("disk"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", w.path("disk")], { stdio: "ignore" });
    } catch {
      console.warn("skipped: this user may not mount a small file system");
      context.skip();
    }
    try {
      await readAndEdit(w, "a.txt", "MV disk/b.txt");
      expect(await text(w, "disk/b.txt")).toBe(numbers(3));
      expect(await readdir(w.root)).toEqual(["disk"]);
    } finally {
      execFileSync("umount", [w.path("disk")]);
    }
  });
});

describe("Edit: many at once", () => {
  test("leaves the file alone when it was aborted before its turn", async () => {
    const w = await open({ "a.txt": numbers(3) });
    const box = await w.toolbox();
    const { tag } = await read(box, "a.txt");
    const controller = new AbortController();
    const first = box.call("Edit", { path: "a.txt", tag, ops: "PUT 1.=1:\n+one" });
    const second = box.call("Edit", { path: "a.txt", tag, ops: "PUT 2.=2:\n+two" }, { signal: controller.signal });
    const third = box.call("Edit", { path: "a.txt", tag, ops: "PUT 3.=3:\n+three" });
    controller.abort(new Error("enough"));
    expect(refused(await second).code).toBe("ABORTED");
    edited(await first);
    edited(await third);
    expect(await text(w, "a.txt")).toBe("one\nline 2\nthree\n");
  });

  test("swaps two files by MV without a deadlock", async () => {
    const w = await open({ "a.txt": "a\n", "b.txt": "b\n" });
    const { tag: a } = await read(w, "a.txt");
    const { tag: b } = await read(w, "b.txt");
    const outcomes = await Promise.all([
      w.call("Edit", { path: "a.txt", tag: a, ops: "MV b.txt" }),
      w.call("Edit", { path: "b.txt", tag: b, ops: "MV a.txt" }),
    ]);
    expect(outcomes.map((outcome) => refused(outcome).code)).toEqual(["PATH_EXISTS", "PATH_EXISTS"]);
  });
});
