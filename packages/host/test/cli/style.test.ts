import { describe, expect, test } from "vitest";
import { createPaint, formatBytes, formatTokens, oneLine, plainText } from "../../src/cli/style.ts";

describe("createPaint", () => {
  test.each([
    [true, {}, "\u001b[31mx\u001b[39m"],
    [false, {}, "x"],
    [true, { NO_COLOR: "1" }, "x"],
    [true, { TERM: "dumb" }, "x"],
  ])("terminal %s, environment %j", (isTerminal, environment, expected) => {
    expect(createPaint(isTerminal, environment)("red", "x")).toBe(expected);
  });
});

describe("oneLine", () => {
  test("leaves nothing that could drive the terminal, and cuts at the width", () => {
    expect(oneLine("a\u001b[2Jb\r\nc\td", 80)).toBe("a [2Jb c d");
    expect(oneLine("abcdef", 4)).toBe("abc…");
    expect(oneLine("ab😀cd", 4)).toBe("ab…");
  });
});

describe("plainText", () => {
  test("keeps line feeds and tabs, and drops escapes and other control characters", () => {
    expect(plainText("a\u001b[31mred\u001b[0m\tb\nc\u0007\u009b2J")).toBe("ared\tb\nc2J");
    expect(plainText("title \u001b]0;pwned\u0007 end")).toBe("title ]0;pwned end");
  });
});

describe("formatBytes", () => {
  test.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1536, "1.5 KB"],
    [5 * 1024 * 1024, "5 MB"],
  ])("%d is %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe("formatTokens", () => {
  test.each([
    [999, "999"],
    [12_345, "12.3k"],
    [200_000, "200k"],
  ])("%d is %s", (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });
});
