import { describe, expect, test } from "vitest";
import { type Entries, respell } from "../src/respell.ts";

const FOLDERS: Readonly<Record<string, Entries>> = {
  "/w": ["caf\u00e9", "a\u00a0b", "a\u2009b", "plain"],
  "/w/caf\u00e9": ["it\u2019s.md", "\u201cx\u201d.md"],
  "/w/plain": "file",
};
const namesIn = (folder: string): Entries => FOLDERS[folder] ?? "missing";

describe("respell", () => {
  test.each([
    ["/w/cafe\u0301/it's.md", "/w/caf\u00e9/it\u2019s.md"],
    ['/w/cafe\u0301/"x".md', "/w/caf\u00e9/\u201cx\u201d.md"],
    ["/w/caf\u00e9/it's.md", "/w/caf\u00e9/it\u2019s.md"],
  ])("of %j is %j", (path, real) => expect(respell(path, namesIn)).toBe(real));

  test.each([
    ["two that read the same", "/w/a b"],
    ["other words", "/w/Cafe"],
    ["a file for a folder", "/w/plain/x"],
    ["nothing that exists", "/x/y/z"],
  ])("is nothing for %s", (_, path) => expect(respell(path, namesIn)).toBeUndefined());
});
