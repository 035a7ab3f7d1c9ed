import { describe, expect, test } from "vitest";
import { clipLine } from "../src/clip.ts";
import { MAX_LINE_CHARS } from "../src/defaults.ts";

describe("clipLine", () => {
  test.each([
    ["abc", 3, "abc", false],
    ["abcd", 3, "abc", true],
    ["🎈🎈", 2, "🎈🎈", false],
    ["🎈🎈🎈", 2, "🎈🎈", true],
    ["", 0, "", false],
    ["a", 0, "", true],
    ["a\ud83d", 5, "a\ufffd", false],
    ["\udf88abc", 2, "\ufffda", true],
  ])("clips %j at %i code points to %j", (line, maxChars, text, clipped) => {
    expect(clipLine(line, maxChars)).toEqual({ text, clipped });
  });

  test("leaves a line of exactly the limit alone and clips one character more", () => {
    expect(clipLine("汉".repeat(MAX_LINE_CHARS), MAX_LINE_CHARS).clipped).toBe(false);
    expect(clipLine("汉".repeat(MAX_LINE_CHARS + 1), MAX_LINE_CHARS)).toEqual({
      text: "汉".repeat(16_384),
      clipped: true,
    });
  });

  test("refuses a limit that is no whole number", () => {
    expect(() => clipLine("a", 1.5)).toThrow("Invalid maxChars 1.5: pass a whole number from 0 to 9007199254740991");
  });
});
