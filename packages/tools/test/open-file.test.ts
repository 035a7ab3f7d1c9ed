import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openVerified } from "../src/open-file.ts";
import { locate, type PathPolicy } from "../src/path.ts";

let base: string;
let policy: PathPolicy;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "spillway-open-")));
  mkdirSync(join(base, "w/folder"), { recursive: true });
  mkdirSync(join(base, "out"));
  writeFileSync(join(base, "w/folder/file.txt"), "inside");
  writeFileSync(join(base, "out/file.txt"), "outside");
  policy = { workspace: join(base, "w"), scratch: join(base, "scratch"), granted: [], secrets: "refuse" };
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const located = (path: string) => locate({ path, policy, access: "read" });

describe("openVerified", () => {
  test("opens a regular file with its identity", () => {
    const { fd, stat } = openVerified(located("folder/file.txt"), policy);
    expect([readFileSync(fd, "utf8"), stat.size]).toEqual(["inside", 6n]);
    closeSync(fd);
  });

  test("refuses a folder that became a link out of the workspace after the check", () => {
    const before = located("folder/file.txt");
    renameSync(join(base, "w/folder"), join(base, "w/moved"));
    symlinkSync(join(base, "out"), join(base, "w/folder"));
    expect(() => openVerified(before, policy)).toThrow(expect.objectContaining({ code: "PATH_OUTSIDE_WORKSPACE" }));
  });

  test("does not follow a file that became a link after the check", () => {
    const before = located("folder/file.txt");
    rmSync(join(base, "w/folder/file.txt"));
    symlinkSync(join(base, "out/file.txt"), join(base, "w/folder/file.txt"));
    expect(() => openVerified(before, policy)).toThrow(expect.objectContaining({ name: "ToolError" }));
  });

  test("refuses a FIFO at once, also one that took the file's place", () => {
    const before = located("folder/file.txt");
    rmSync(join(base, "w/folder/file.txt"));
    execFileSync("mkfifo", [join(base, "w/folder/file.txt")]);
    const refusal = expect.objectContaining({
      code: "PATH_NOT_FILE",
      details: expect.objectContaining({ kind: "fifo" }),
    });
    expect(() => openVerified(before, policy)).toThrow(refusal);
    expect(() => openVerified(located("folder/file.txt"), policy)).toThrow(refusal);
  });

  test("sends a directory to Glob", () => {
    expect(() => openVerified(located("folder"), policy)).toThrow(
      '"folder" is a directory, not a file: list it with Glob',
    );
  });

  test("says that a file is gone", () => {
    const before = located("folder/file.txt");
    rmSync(join(base, "w/folder/file.txt"));
    expect(() => openVerified(before, policy)).toThrow(expect.objectContaining({ code: "PATH_NOT_FOUND" }));
  });
});
