import { describe, expect, test } from "vitest";
import { parseIgnoreRules } from "../../src/ignore/rules.ts";

function verdict(text: string, path: string, options?: { ignoreCase: boolean }): string | undefined {
  const isDirectory = path.endsWith("/");
  const plain = isDirectory ? path.slice(0, -1) : path;
  const at = plain.lastIndexOf("/") + 1;
  const shown = `above/${plain.slice(0, at)}`;
  return parseIgnoreRules(text, options)?.verdict(shown, "above/".length, plain.slice(at), isDirectory);
}

describe("parseIgnoreRules", () => {
  test.each([
    ["*.log", "a.log", "ignored"],
    ["*.log", "deep/er/a.log", "ignored"],
    ["*.min.js", "a.min.js", "ignored"],
    ["*.min.js", "a.js", undefined],
    ["build", "a/build", "ignored"],
    ["build/", "build", undefined],
    ["build/", "build/", "ignored"],
    ["/build", "a/build", undefined],
    ["/build", "build", "ignored"],
    ["a/b", "a/b", "ignored"],
    ["a/b", "x/a/b", undefined],
    ["**/a/b", "x/a/b", "ignored"],
    ["a/**", "a/x/y", "ignored"],
    ["a/**", "a/", undefined],
    ["a/**/b", "a/b", "ignored"],
    ["a/**/b", "a/x/y/b", "ignored"],
    ["*", "a", "ignored"],
    ["*\n!*/", "a/", "included"],
    ["*\n!*.*", "a.c", "included"],
    ["*.log\n!keep.log", "keep.log", "included"],
    ["!keep.log\n*.log", "keep.log", "ignored"],
    ["a?c", "abc", "ignored"],
    ["a?c", "a/c", undefined],
    ["[a-c]x", "bx", "ignored"],
    ["[!a-c]x", "bx", undefined],
    ["[[:digit:]]", "7", "ignored"],
    ["\\#a", "#a", "ignored"],
    ["#a", "#a", undefined],
    ["\\!a", "!a", "ignored"],
    ["a\\ ", "a ", "ignored"],
    ["a  ", "a", "ignored"],
    ["a\r", "a", "ignored"],
    ["\ufeffa", "a", "ignored"],
    ["a*/b", "ax/b", "ignored"],
    ["É", "É", "ignored"],
    ["?", "é", undefined],
  ])("%j says of %s: %s", (text, path, expected) => {
    expect(verdict(text, path)).toBe(expected);
  });

  test("cares about case, unless git was told not to", () => {
    expect(verdict("*.LOG\nBuild", "a.log")).toBeUndefined();
    expect(verdict("*.LOG\nBuild", "a.log", { ignoreCase: true })).toBe("ignored");
    expect(verdict("*.LOG\nBuild", "build", { ignoreCase: true })).toBe("ignored");
  });

  test("is nothing where there are no rules", () => {
    expect(parseIgnoreRules("# nothing\n\n   \n/\n")).toBeUndefined();
  });
});
