import { estimateTokens } from "@spillway/limits";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { charCount, QUARTERS_PER_TOKEN, textCost, unitIndex } from "../src/text-cost.ts";

const anyText = fc.string({ unit: fc.constantFrom("a", "é", "汉", "🎈", "\n", "\ud83d", "\udc00"), maxLength: 30 });

describe("textCost", () => {
  test.each([
    ["", { chars: 0, bytes: 0, quarters: 0 }],
    ["abc", { chars: 3, bytes: 3, quarters: 3 }],
    ["é", { chars: 1, bytes: 2, quarters: 4 }],
    ["汉字", { chars: 2, bytes: 6, quarters: 8 }],
    ["🎈", { chars: 1, bytes: 4, quarters: 4 }],
    ["\ud83d", { chars: 1, bytes: 3, quarters: 4 }],
  ])("of %j", (text, cost) => {
    expect(textCost(text)).toEqual(cost);
  });

  test("agrees with code points, UTF-8 and the token estimate", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { chars, bytes, quarters } = textCost(text);
        expect(chars).toBe([...text].length);
        expect(bytes).toBe(Buffer.byteLength(text));
        expect(Math.ceil(quarters / QUARTERS_PER_TOKEN)).toBe(estimateTokens(text));
      }),
    );
  });
});

describe("charCount", () => {
  test("counts code points", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(charCount(text)).toBe([...text].length);
      }),
    );
  });
});

describe("unitIndex", () => {
  test("is where the first characters end", () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, chars) => {
        expect(text.slice(0, unitIndex(text, chars))).toBe([...text].slice(0, chars).join(""));
      }),
    );
  });
});
