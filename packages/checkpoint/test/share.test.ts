import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fairLevel } from "../src/share.ts";

describe("fairLevel", () => {
  test.each([
    [[10, 20, 30], 60, Number.POSITIVE_INFINITY],
    [[10, 20, 30], 50, 20],
    [[10, 100, 100], 110, 50],
    [[100, 100, 10], 110, 50],
    [[100, 100], 51, 25],
    [[5], 0, 0],
    [[], 0, Number.POSITIVE_INFINITY],
  ])("of %j within %i is %d", (sizes, total, level) => {
    expect(fairLevel(sizes, total)).toBe(level);
  });

  test("never gives more than there is, and never leaves more than rounding", () => {
    const sizes = fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(sizes, fc.nat(5000), (list, total) => {
        const level = fairLevel(list, total);
        const used = list.reduce((sum, size) => sum + Math.min(size, level), 0);
        expect(used).toBeLessThanOrEqual(total);
        if (level < Number.POSITIVE_INFINITY) expect(used).toBeGreaterThan(total - list.length);
      }),
    );
  });
});
