import { describe, expect, test } from "vitest";
import { createPairRanks, NO_TOKEN } from "../../src/tokens/pair-ranks.ts";

describe("createPairRanks", () => {
  const ranks = createPairRanks(
    new Map([
      ["a", 0],
      ["b", 1],
      ["ab", 2],
    ]),
  );

  test("knows single bytes", () => {
    expect(ranks.ofByte(0x61)).toBe(0);
    expect(ranks.ofByte(0x7a)).toBe(NO_TOKEN);
  });

  test("answers the same from memory", () => {
    for (let round = 0; round < 2; round++) {
      expect(ranks.ofPair(0, 1, "xabx", 1, 3)).toBe(2);
      expect(ranks.ofPair(1, 0, "ba", 0, 2)).toBe(NO_TOKEN);
    }
  });
});
