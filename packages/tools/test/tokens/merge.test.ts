import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countMerged } from "../../src/tokens/merge.ts";
import { createPairRanks, NO_TOKEN, type Ranks } from "../../src/tokens/pair-ranks.ts";

// A small vocabulary with tokens that overlap in every way; the bytes come first.
const TOKENS = [
  ...Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)),
  "ab",
  "bc",
  "abc",
  "aa",
  "aaaa",
  "cab",
  "bb",
  "abab",
  "ca",
];
const RANKS: Ranks = new Map(TOKENS.map((token, rank) => [token, rank]));

/** Merging as it is defined: the pair of lowest rank first, the leftmost of equals. */
function countSlowly(piece: string): number {
  const parts = [...piece];
  for (;;) {
    const ranks = parts.slice(1).map((part, index) => RANKS.get(`${parts[index]}${part}`) ?? NO_TOKEN);
    const lowest = Math.min(...ranks, NO_TOKEN);
    if (lowest === NO_TOKEN) return parts.length;
    const at = ranks.indexOf(lowest);
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`);
  }
}

describe("countMerged", () => {
  test.each([
    ["a", 1],
    ["ab", 1],
    ["abc", 1],
    ["bcab", 2],
    ["aaaa", 1],
    ["aaaaa", 2],
    ["zzz", 3],
  ])("makes of %j %d tokens", (piece, count) => {
    expect(countMerged(piece, createPairRanks(RANKS))).toBe(count);
  });

  test("merges short and long pieces as it is defined", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "b", "c", "z"), minLength: 1, maxLength: 120 }), (piece) => {
        expect(countMerged(piece, createPairRanks(RANKS))).toBe(countSlowly(piece));
      }),
      { numRuns: 400 },
    );
  });
});
