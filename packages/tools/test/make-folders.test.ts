import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeFolders, removeFolders } from "../src/make-folders.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "spillway-folders-")));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe("makeFolders", () => {
  test("makes what is missing and gives the first that it made", () => {
    mkdirSync(join(root, "a"));
    expect(makeFolders(join(root, "a", "b", "c"), "a/b/c/x")).toBe(join(root, "a", "b"));
    expect(makeFolders(join(root, "a", "b", "c"), "a/b/c/x")).toBeUndefined();
    expect(readdirSync(join(root, "a", "b"))).toEqual(["c"]);
  });

  test.each(["f", "f/b", "f/b/c"])("makes nothing below a file: %s", (folder) => {
    writeFileSync(join(root, "f"), "x");
    expect(() => makeFolders(join(root, folder), `${folder}/x`)).toThrow("goes through a file");
    expect(readdirSync(root)).toEqual(["f"]);
  });

  test("leaves none of them when one cannot be made", () => {
    expect(() => makeFolders(join(root, "a", "b", "n".repeat(300)), "x")).toThrow("longer than the file system allows");
    expect(readdirSync(root)).toEqual([]);
  });
});

describe("removeFolders", () => {
  test("takes back what was made, as long as it is empty", () => {
    const first = makeFolders(join(root, "a", "b"), "x");
    removeFolders(join(root, "a", "b"), first);
    expect(readdirSync(root)).toEqual([]);
    const again = makeFolders(join(root, "a", "b"), "x");
    writeFileSync(join(root, "a", "theirs"), "x");
    removeFolders(join(root, "a", "b"), again);
    expect(readdirSync(join(root, "a"))).toEqual(["theirs"]);
    removeFolders(root, undefined);
  });
});
