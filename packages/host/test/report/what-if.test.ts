import { describe, expect, test } from "vitest";
import { sameLimit, type WhatIfResults, whatIf } from "../../src/report/what-if.ts";

const results: WhatIfResults = {
  kinds: ["read", "command", "read"],
  tokens: [1000, 400, 300],
  sends: [3, 2, 10],
  repeats: [0, 0, 1],
};

describe("whatIf", () => {
  test.each([
    [sameLimit(500), { tokens: 500, resent: 1500, results: 1 }],
    [sameLimit(Number.POSITIVE_INFINITY), { tokens: 0, resent: 0, results: 0 }],
    [sameLimit(Number.POSITIVE_INFINITY, true), { tokens: 300, resent: 3000, results: 1 }],
    [
      { ...sameLimit(Number.POSITIVE_INFINITY), command: 100 },
      { tokens: 300, resent: 600, results: 1 },
    ],
    [sameLimit(100, true), { tokens: 900 + 300 + 300, resent: 2700 + 600 + 3000, results: 3 }],
  ])("%j", (limits, saving) => {
    expect(whatIf(results, limits)).toEqual(saving);
  });
});
