import { describe, expect, test } from "vitest";
import { contextBudget } from "../src/index.ts";

describe("contextBudget", () => {
  test.each([
    ["the reserve", { contextWindow: 128_000 }, { hardLimit: 111_616, headroom: 16_384, retainedTokens: 20_000 }],
    [
      "an allowance above the reserve",
      { contextWindow: 128_000, maxOutputTokens: 20_000 },
      { hardLimit: 108_000, headroom: 20_000, retainedTokens: 20_000 },
    ],
    [
      "a quarter of the window, however much the model may write",
      { contextWindow: 128_000, maxOutputTokens: 128_000 },
      { hardLimit: 96_000, headroom: 32_000, retainedTokens: 20_000 },
    ],
    [
      "5 % of a large window",
      { contextWindow: 1_000_000, maxOutputTokens: 8000 },
      { hardLimit: 950_000, headroom: 50_000, retainedTokens: 20_000 },
    ],
    [
      "half of a small window",
      { contextWindow: 8192, maxOutputTokens: 4096 },
      { hardLimit: 4096, headroom: 4096, retainedTokens: 2048 },
    ],
    ["half of the smallest window", { contextWindow: 2 }, { hardLimit: 1, headroom: 1, retainedTokens: 0 }],
  ])("keeps %s free", (_, model, budget) => {
    expect(contextBudget(model)).toEqual(budget);
  });

  test.each([
    [{ contextWindow: 1 }, 'Invalid contextWindow "1": give a whole number of tokens, at least 2'],
    [{ contextWindow: 4096.5 }, 'Invalid contextWindow "4096.5": give a whole number of tokens, at least 2'],
    [
      { contextWindow: 4096, maxOutputTokens: -1 },
      'Invalid maxOutputTokens "-1": give a whole number of tokens, at least 0',
    ],
  ])("refuses %o", (model, message) => {
    expect(() => contextBudget(model)).toThrow(new RangeError(message));
  });
});
