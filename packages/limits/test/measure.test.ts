import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byteLength, countLines, estimateTokens, measureText, splitLines } from "../src/measure.ts";
import { arbitraryText } from "./arbitrary-text.ts";

// Long enough for several blocks, so that pairs and line ends fall on their borders.
const arbitraryLongText = fc
  .tuple(arbitraryText, fc.integer({ min: 1, max: 400 }), fc.nat({ max: 40 }))
  .map(([text, times, shift]) => "x".repeat(shift) + text.repeat(times));

describe("byteLength", () => {
  test.each([
    ["", 0],
    ["abc", 3],
    ["é", 2],
    ["汉", 3],
    ["🎈", 4],
    ["\ud83d", 3],
    ["\udf88\ud83d", 6],
    ["a\r\n", 3],
  ])("of %j is %i", (text, bytes) => {
    expect(byteLength(text)).toBe(bytes);
  });

  test("equals the encoded length of any text, short or long", () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryText, arbitraryLongText), (text) => {
        expect(byteLength(text)).toBe(Buffer.byteLength(text, "utf8"));
      }),
      { numRuns: 300 },
    );
  });

  test("counts a pair that lies on a block border once", () => {
    expect(byteLength(`${"x".repeat(16_383)}🎈`)).toBe(16_387);
    expect(byteLength(`${"x".repeat(16_383)}\ud83d${"x".repeat(10)}`)).toBe(16_396);
  });
});

describe("countLines", () => {
  test.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["\n", 1],
    ["\n\n", 2],
    ["a\r\nb\r\n", 2],
    ["a\rb", 1],
  ])("of %j is %i", (text, lines) => {
    expect(countLines(text)).toBe(lines);
  });

  test.each([
    ["only line ends", "\n".repeat(70_000), 70_000],
    ["one line", "x".repeat(70_000), 1],
    ["long lines", `${"x".repeat(20_000)}\n`.repeat(5), 5],
    ["short lines between long ones", `${"x".repeat(40_000)}\n${"y\n".repeat(40_000)}`.repeat(2), 80_002],
  ])("counts %s", (_, text, lines) => {
    expect(countLines(text)).toBe(lines);
  });

  test("equals the number of split lines", () => {
    fc.assert(
      fc.property(arbitraryLongText, (text) => {
        expect(measureText(text)).toEqual({ lines: splitLines(text).length, bytes: Buffer.byteLength(text) });
      }),
      { numRuns: 200 },
    );
  });
});

describe("splitLines", () => {
  test.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\n\n", ["a", ""]],
    ["\n", [""]],
    ["a\r\nb", ["a", "b"]],
    ["a\rb\r\n", ["a\rb"]],
    ["a\r", ["a\r"]],
    ["\r\n", [""]],
  ])("gives the lines of %j without their ends", (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });
});

describe("estimateTokens", () => {
  test.each([
    ["", 0],
    ["a", 1],
    ["abcd", 1],
    ["abcde", 2],
    ["汉", 1],
    ["汉a", 2],
    ["🎈", 1],
    ["👩‍👩‍👧", 5],
    ["\ud83d", 1],
    ["\udf88\ud83d", 2],
    ["é".repeat(100), 100],
  ])("of %j is %i", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  test("equals the weight of the code points of any text", () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryText, arbitraryLongText), (text) => {
        const quarters = [...text].reduce((sum, char) => sum + (char < "\u0080" ? 1 : 4), 0);
        expect(estimateTokens(text)).toBe(Math.ceil(quarters / 4));
      }),
      { numRuns: 300 },
    );
  });

  test("of ASCII is never above a quarter of its characters", () => {
    expect(estimateTokens("x".repeat(100_000))).toBe(25_000);
  });
});
