import { estimateTokens } from "@spillway/limits";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallOutcome } from "../src/event.ts";
import { fitResults } from "../src/fit-results.ts";
import { createTokenCache } from "../src/token-cache.ts";
import type { Batch } from "../src/transcript.ts";

const cache = createTokenCache(async (texts) => texts.map(estimateTokens));

function batchOf(texts: readonly string[]): Batch {
  const calls = texts.map((_, index) => ({
    type: "tool-call" as const,
    toolCallId: `c${index}`,
    toolName: "page",
    input: {},
  }));
  const outcomes = texts.map((text, index): [string, CallOutcome] => [`c${index}`, { ok: true, tool: "page", text }]);
  return { assistantId: "a", calls, problems: {}, started: new Set(), outcomes: new Map(outcomes), isFitted: false };
}

describe("fitResults", () => {
  test("changes nothing where everything fits", async () => {
    expect(await fitResults(batchOf(["one", "two"]), { maxTokens: 1000, cache, advice: new Map() })).toEqual({});
  });

  test("adds advice below a result, and keeps it when the result is cut", async () => {
    const advice = new Map([["c0", "[Third time.]"]]);
    expect(await fitResults(batchOf(["one"]), { maxTokens: 1000, cache, advice })).toEqual({
      c0: "one\n[Third time.]",
    });
  });

  test("small results stay whole, large ones share what is left and are marked", async () => {
    const large = "some ordinary words in a line\n".repeat(2000);
    const fitted = await fitResults(batchOf(["small", large, large]), { maxTokens: 4000, cache, advice: new Map() });
    expect(Object.keys(fitted)).toEqual(["c1", "c2"]);
    const sizes = Object.values(fitted).map(estimateTokens);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(10);
    for (const text of Object.values(fitted)) expect(text).toContain("[checkpoint truncated");
  });

  test("whatever comes back at once fits together", async () => {
    const text = fc
      .tuple(fc.integer({ min: 0, max: 4000 }), fc.constantFrom("word ", "汉字", "0123456789", "line\n", "😀"))
      .map(([count, piece]) => piece.repeat(count));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 16 }), async (texts) => {
        const maxTokens = 5000;
        const batch = batchOf(texts);
        const fitted = await fitResults(batch, { maxTokens, cache, advice: new Map() });
        const shown = texts.map((whole, index) => fitted[`c${index}`] ?? whole);
        expect(shown.reduce((sum, one) => sum + estimateTokens(one), 0)).toBeLessThanOrEqual(maxTokens);
        for (const one of shown) expect(one.isWellFormed()).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
