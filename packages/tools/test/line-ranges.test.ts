import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clipRanges,
  countLines,
  formatRanges,
  joinRanges,
  type LineRange,
  missingRanges,
  normalizeRanges,
  takeLines,
} from "../src/line-ranges.ts";

const MAX_LINE = 30;
const range: fc.Arbitrary<LineRange> = fc
  .tuple(fc.integer({ min: 1, max: MAX_LINE }), fc.integer({ min: 0, max: 6 }))
  .map(([first, more]) => [first, first + more] as const);
const ranges = fc.array(range, { maxLength: 8 });

function lines(of: readonly LineRange[]): Set<number> {
  return new Set(of.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index)));
}

describe("normalizeRanges", () => {
  test("joins what overlaps or touches and sorts", () => {
    expect(
      normalizeRanges([
        [7, 9],
        [1, 2],
        [3, 4],
        [8, 12],
      ]),
    ).toEqual([
      [1, 4],
      [7, 12],
    ]);
  });

  test("keeps the set of lines, in ranges with gaps between them", () => {
    fc.assert(
      fc.property(ranges, (given) => {
        const normalized = normalizeRanges(given);
        expect(lines(normalized)).toEqual(lines(given));
        for (const [index, [first]] of normalized.entries()) {
          if (index > 0) expect(first).toBeGreaterThan((normalized[index - 1]?.[1] ?? 0) + 1);
        }
        expect(countLines(given)).toBe(lines(given).size);
      }),
      { numRuns: 200 },
    );
  });
});

describe("joinRanges", () => {
  test("has seen 1-3600 after 1-2000 and 1800-3600", () => {
    expect(joinRanges([[1, 2000]], [[1800, 3600]])).toEqual([[1, 3600]]);
  });
});

describe("missingRanges", () => {
  test("is the difference of the sets", () => {
    fc.assert(
      fc.property(ranges, ranges, (wanted, have) => {
        const known = lines(have);
        const expected = [...lines(wanted)].filter((line) => !known.has(line));
        expect(lines(missingRanges(wanted, have))).toEqual(new Set(expected));
      }),
      { numRuns: 300 },
    );
  });
});

describe("takeLines", () => {
  test("cuts within a range", () => {
    expect(
      takeLines(
        [
          [1, 3],
          [10, 20],
        ],
        5,
      ),
    ).toEqual([
      [1, 3],
      [10, 11],
    ]);
    expect(takeLines([[1, 3]], 0)).toEqual([]);
  });
});

describe("clipRanges", () => {
  test("keeps the part inside", () => {
    expect(
      clipRanges(
        [
          [-1, 2],
          [4, 9],
          [20, 22],
        ],
        1,
        6,
      ),
    ).toEqual([
      [1, 2],
      [4, 6],
    ]);
  });
});

describe("formatRanges", () => {
  test("names single lines and ranges", () => {
    expect(
      formatRanges([
        [3, 3],
        [7, 9],
      ]),
    ).toBe("3, 7-9");
  });
});
