import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileIdentity } from "../src/file-identity.ts";

let root = "";
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "spillway-identity-")));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe("fileIdentity", () => {
  test("every spelling of a file is one file: relative, dotted, absolute, symlink, hard link", async () => {
    await mkdir(join(root, "sub"));
    await writeFile(join(root, "race.txt"), "x");
    await symlink(join(root, "race.txt"), join(root, "link.txt"));
    await link(join(root, "race.txt"), join(root, "hard.txt"));
    const spellings = ["race.txt", "./race.txt", "sub/../race.txt", join(root, "race.txt"), "link.txt", "hard.txt"];
    const identities = await Promise.all(spellings.map((path) => fileIdentity(root, path)));
    expect(new Set(identities).size).toBe(1);
  });

  test("a missing file is one file through a linked folder", async () => {
    await mkdir(join(root, "real"));
    await symlink(join(root, "real"), join(root, "alias"));
    expect(await fileIdentity(root, "alias/deep/new.txt")).toBe(await fileIdentity(root, "real/deep/new.txt"));
    expect(await fileIdentity(root, "real/deep/new.txt")).toBe(`path:${join(root, "real", "deep", "new.txt")}`);
  });

  test("a path that cannot exist stands for itself", async () => {
    await writeFile(join(root, "file"), "");
    expect(await fileIdentity(root, "file/below")).toBe(`path:${join(root, "file", "below")}`);
    expect(await fileIdentity(root, "bad\0name")).toContain("bad\0name");
  });
});
