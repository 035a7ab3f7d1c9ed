import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countFitting,
  createPageFitter,
  formatRow,
  type PageCaps,
  type Row,
  rangesInFull,
  roomForPiece,
} from "../src/page.ts";
import { textCost } from "../src/text-cost.ts";

const OPEN: PageCaps = { maxChars: 1e9, maxTokens: 1e9, maxBytes: 1e9, maxLines: 1e9 };
const HEADER = "[f#0000]";

function rows(...texts: readonly string[]): Row[] {
  return texts.map((text, index) => ({ line: index + 1, text, clipped: false }));
}

function fit(caps: Partial<PageCaps>, lines: readonly Row[], fromEnd = false) {
  const fitter = createPageFitter(HEADER, { ...OPEN, ...caps }, fromEnd);
  for (const row of fromEnd ? lines.toReversed() : lines) if (!fitter.add(row)) break;
  const { rows: kept, endedBy } = fitter.finish();
  return { lines: kept.map(({ line }) => line), endedBy };
}

describe("createPageFitter", () => {
  // "[f#0000]\n1:abcd\n2:abcd" is 22 characters.
  test.each([
    [{}, [1, 2], null],
    [{ maxChars: 22 }, [1, 2], null],
    [{ maxChars: 21 }, [1], "characters"],
    [{ maxChars: 14 }, [], "characters"],
    [{ maxBytes: 22 }, [1, 2], null],
    [{ maxBytes: 21 }, [1], "bytes"],
    [{ maxTokens: 6 }, [1, 2], null],
    [{ maxTokens: 5 }, [1], "tokens"],
    [{ maxLines: 1 }, [1], "lines"],
    [{ maxLines: 2 }, [1, 2], null],
  ] as const)("with %j keeps %j and is ended by %s", (caps, lines, endedBy) => {
    expect(fit(caps, rows("abcd", "abcd"))).toEqual({ lines, endedBy });
  });

  test("counts characters, bytes and tokens of other scripts for what they are", () => {
    // Each row: line feed, number, colon (3 ASCII) and two characters of 3 bytes.
    expect(fit({ maxChars: 8 + 5 }, rows("汉字", "汉字"))).toEqual({ lines: [1], endedBy: "characters" });
    expect(fit({ maxBytes: 8 + 9 }, rows("汉字", "汉字"))).toEqual({ lines: [1], endedBy: "bytes" });
    // 8 + 3 quarters and 2 tokens: 4.75.
    expect(fit({ maxTokens: 5 }, rows("汉字", "汉字"))).toEqual({ lines: [1], endedBy: "tokens" });
    expect(fit({ maxTokens: 4 }, rows("汉字", "汉字"))).toEqual({ lines: [], endedBy: "tokens" });
  });

  test("from the end keeps the last rows in the file's order", () => {
    expect(fit({ maxLines: 2 }, rows("a", "b", "c"), true)).toEqual({ lines: [2, 3], endedBy: "lines" });
  });

  test("never goes over a cap, and takes the next row whenever it fits", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "汉", "🎈"), maxLength: 12 });
    const caps = fc.record({ maxChars: fc.nat(80), maxTokens: fc.nat(40), maxBytes: fc.nat(120), maxLines: fc.nat(6) });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), caps, fc.boolean(), (texts, limits, fromEnd) => {
        const lines = rows(...texts);
        const { lines: kept, endedBy } = fit(limits, lines, fromEnd);
        const over = (numbers: readonly number[]): boolean => {
          const content = [HEADER, ...lines.filter(({ line }) => numbers.includes(line)).map(formatRow)].join("\n");
          const cost = textCost(content);
          const { maxChars, maxTokens, maxBytes, maxLines } = limits;
          return (
            cost.chars > maxChars || cost.bytes > maxBytes || cost.quarters > 4 * maxTokens || numbers.length > maxLines
          );
        };
        if (kept.length > 0) expect(over(kept)).toBe(false);
        const next = fromEnd ? lines.length - kept.length : kept.length + 1;
        if (endedBy === null) expect(kept.length).toBe(lines.length);
        else expect(over([...kept, next])).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("countFitting", () => {
  test("counts from the end that is kept", () => {
    const lines = rows("a", "bbbbbbbbbb", "c");
    expect(countFitting(HEADER, lines, { ...OPEN, maxChars: 13 }, false)).toBe(1);
    expect(countFitting(HEADER, lines, { ...OPEN, maxChars: 25 }, true)).toBe(2);
    expect(countFitting(HEADER, lines, OPEN, false)).toBe(3);
  });
});

describe("roomForPiece", () => {
  test("is what header and prefix leave", () => {
    expect(roomForPiece(HEADER, 12, { maxChars: 100, maxBytes: 50, maxTokens: 10, maxLines: 9 })).toEqual({
      maxChars: 88,
      maxBytes: 38,
      maxTokens: 7,
      maxLines: 1,
    });
  });

  test("is at least one character: a page that makes no progress would be asked for again", () => {
    const none = { maxChars: 1, maxBytes: 1, maxTokens: 1, maxLines: 1 };
    expect(roomForPiece(HEADER, 1, none)).toEqual({ maxChars: 1, maxBytes: 1, maxTokens: 1, maxLines: 1 });
  });
});

describe("rangesInFull", () => {
  test("joins neighbours and leaves clipped lines out", () => {
    const lines = rows("a", "b", "c", "d").map((row) => ({ ...row, clipped: row.line === 3 }));
    expect(rangesInFull(lines)).toEqual([
      [1, 2],
      [4, 4],
    ]);
    expect(rangesInFull([])).toEqual([]);
  });
});
