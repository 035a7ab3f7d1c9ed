import { CHECKPOINT_MARKER, estimateTokens, type TokenCounter } from "@spillway/limits";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortenInput, shortenText } from "../src/shorten.ts";
import { storableJson } from "../src/storable.ts";
import { anyText } from "./helpers/arbitrary.ts";

const counters: readonly TokenCounter[] = [
  estimateTokens,
  (text) => text.length,
  (text) => text.split(" ").length,
  (text) => Math.ceil(estimateTokens(text) * 1.31),
];

describe("shortenText", () => {
  test("keeps a text that fits", () => {
    expect(shortenText("as it is", 2, estimateTokens)).toBe("as it is");
  });

  test("is the marker alone where there is no room", () => {
    expect(shortenText("word ".repeat(100), 3, estimateTokens)).toBe(CHECKPOINT_MARKER);
  });

  test("fits any text by any counter, or is the marker; twice is the same", () => {
    fc.assert(
      fc.property(anyText, fc.nat(900), fc.constantFrom(...counters), (text, maxTokens, counter) => {
        const short = shortenText(text, maxTokens, counter);
        expect(counter(short) <= maxTokens || short === CHECKPOINT_MARKER).toBe(true);
        expect(shortenText(short, maxTokens, counter)).toBe(short);
        if (short === text) return;
        const [head = "", tail = ""] = short.split(CHECKPOINT_MARKER);
        expect(text.toWellFormed().startsWith(head)).toBe(true);
        expect(text.toWellFormed().endsWith(tail)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("shortenInput", () => {
  test("falls back to one text where the shape alone is too large", () => {
    const input = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`key_${at}`, at]));
    const short = shortenInput(input, 100, estimateTokens);
    expect(short).toEqual({ checkpoint_truncated: expect.stringContaining(CHECKPOINT_MARKER) });
    expect(estimateTokens(storableJson(short))).toBeLessThanOrEqual(100);
  });

  test("keeps what fits as the same value", () => {
    const input = { path: "a" };
    expect(shortenInput(input, 10, estimateTokens)).toBe(input);
  });
});
