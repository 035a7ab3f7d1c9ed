import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { takeTokens, takeWithin } from "../src/cut.ts";
import { byteLength, estimateTokens } from "../src/measure.ts";
import { arbitraryText } from "./arbitrary-text.ts";

const ENDS = ["head", "tail"] as const;

describe("takeWithin", () => {
  test.each([
    ["head", { maxBytes: 4 }, "a🎈b", "a"],
    ["head", { maxBytes: 5 }, "a🎈b", "a🎈"],
    ["tail", { maxBytes: 4 }, "a🎈b", "b"],
    ["tail", { maxBytes: 5 }, "a🎈b", "🎈b"],
    ["head", { maxChars: 2 }, "a🎈b", "a🎈"],
    ["tail", { maxChars: 2 }, "a🎈b", "🎈b"],
    ["head", { maxTokens: 1 }, "abcdef", "abcd"],
    ["head", { maxTokens: 1, maxChars: 3 }, "abcdef", "abc"],
    ["tail", { maxBytes: 3, maxChars: 2 }, "汉字x", "x"],
    ["head", { maxBytes: 0 }, "a", ""],
    ["head", {}, "a\nb\n", "a\nb\n"],
  ] as const)("keeps the %s of a text within %j", (end, caps, text, kept) => {
    expect(takeWithin(text, caps, end)).toBe(kept);
  });

  test("keeps the longest well-formed end of any text", () => {
    const caps = fc.record(
      { maxBytes: fc.nat(200), maxChars: fc.nat(100), maxTokens: fc.nat(60) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(arbitraryText, caps, fc.constantFrom(...ENDS), (text, limits, end) => {
        const chars = [...text.toWellFormed()];
        const { maxBytes = Infinity, maxChars = Infinity, maxTokens = Infinity } = limits;
        let count = chars.length;
        const ofCount = (): string =>
          (end === "head" ? chars.slice(0, count) : chars.slice(chars.length - count)).join("");
        while (count > maxChars || byteLength(ofCount()) > maxBytes || estimateTokens(ofCount()) > maxTokens) count--;
        expect(takeWithin(text, limits, end)).toBe(ofCount());
      }),
      { numRuns: 300 },
    );
  });

  test.each([-1, 1.5, Number.NaN])("refuses a cap of %d", (maxBytes) => {
    expect(() => takeWithin("a", { maxBytes }, "head")).toThrow(
      new RangeError(`Invalid maxBytes ${maxBytes}: pass a whole number from 0 to 9007199254740991`),
    );
  });
});

describe("takeTokens", () => {
  test("cuts by the weight: four characters of ASCII or one other for a token", () => {
    expect(takeTokens("abcdefgh汉字", 3, "head")).toBe("abcdefgh汉");
    expect(takeTokens("abcdefgh汉字", 3, "tail")).toBe("efgh汉字");
    expect(takeTokens("汉字abc", 3, "head")).toBe("汉字abc");
    expect(takeTokens("汉字", 0, "tail")).toBe("");
  });
});
