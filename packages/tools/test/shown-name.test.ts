import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readName, shownName } from "../src/shown-name.ts";

describe("shownName", () => {
  test.each([
    ['src/a b\'s "c".ts', 'src/a b\'s "c".ts'],
    ["日本 é.md", "日本 é.md"],
    ["a\nb.txt", '"a\\nb.txt"'],
    ["a\r\x1b[31m.txt", '"a\\r\\u001b[31m.txt"'],
    ["a\u0085\u2028.txt", '"a\\u0085\\u2028.txt"'],
    ['"a".txt', '"\\"a\\".txt"'],
  ])("of %j is %s", (path, shown) => {
    expect(shownName(path)).toBe(shown);
  });
});

describe("readName", () => {
  test("gives back every path that was shown", () => {
    const path = fc.string({ unit: fc.constantFrom('"', "\\", "\n", "\u2028", "\u007f", "a", "é", "[", "#") });
    fc.assert(fc.property(path, (name) => readName(shownName(name)) === name));
  });

  test.each(['"half', '"a"b', '"\\x"'])("takes %s, which nobody showed, as it is", (text) => {
    expect(readName(text)).toBe(text);
  });
});
