import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern } from "../../src/pattern.ts";
import { cutBlocks } from "../../src/search/cut-blocks.ts";
import { cutRows, type Row, type Window } from "../../src/search/cut-rows.ts";
import type { TextPieces } from "../../src/search/text-pieces.ts";

const pattern = (multiline: boolean) => compilePattern({ pattern: "x", literal: false, ignoreCase: false, multiline });

/** The text in pieces of so many lines, with what the caller wants kept in front. */
function piecesOf(text: string, lines: number): TextPieces {
  const all = text === "" ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
  let at = 0;
  let previous = Buffer.alloc(0);
  return {
    next: (keepFrom) => {
      if (at >= all.length) return undefined;
      const kept = previous.subarray(keepFrom ?? previous.length);
      const piece = Buffer.from(all.slice(at, at + lines).join(""));
      at += lines;
      previous = Buffer.concat([kept, piece]);
      return { bytes: previous, from: kept.length, isLast: at >= all.length };
    },
  };
}

function cut(text: string, window: Partial<Window>, lines = 1000): Row[] {
  const rows: Row[] = [];
  const whole: Window = { skip: 0, take: 100, before: 0, after: 0, maxLineChars: 100, ...window };
  const add = (row: Row): boolean => rows.push(row) > 0;
  cutRows(
    piecesOf(text, lines),
    pattern(false).lineMatcher(() => undefined),
    whole,
    add,
    () => undefined,
  );
  return rows;
}

const places = (rows: readonly Row[]): string =>
  rows.map(({ line, text, context }) => `${line}${context ? "-" : ":"}${text}`).join(" ");

describe("cutRows", () => {
  const TEXT = "a\nx1\nb\nc\nd\nx2\nx3\ne\nf\n";

  test.each([
    [{}, "2:x1 6:x2 7:x3"],
    [{ before: 1 }, "1-a 2:x1 5-d 6:x2 7:x3"],
    [{ after: 2 }, "2:x1 3-b 4-c 6:x2 7:x3 8-e 9-f"],
    [{ before: 2, after: 2 }, "1-a 2:x1 3-b 4-c 5-d 6:x2 7:x3 8-e 9-f"],
    [{ skip: 1 }, "6:x2 7:x3"],
    [{ skip: 1, take: 1, before: 1, after: 1 }, "5-d 6:x2 7-x3"],
    [{ take: 1, after: 1 }, "2:x1 3-b"],
    [{ skip: 3 }, ""],
  ])("with %j", (window, expected) => {
    expect(places(cut(TEXT, window))).toBe(expected);
    expect(places(cut(TEXT, window, 1))).toBe(expected);
  });

  test("shows the last line without a line end, and CRLF as LF", () => {
    expect(places(cut("x1\r\nb\r\nx2", { after: 1 }))).toBe("1:x1 2-b 3:x2");
  });

  test("gives what a look at all lines gives, whatever the pieces", () => {
    const lines = fc.array(fc.constantFrom("x", "a", "b x", "", "é"), { maxLength: 25 });
    const small = fc.nat(4);
    fc.assert(
      fc.property(
        lines,
        small,
        small,
        small,
        fc.nat(8),
        fc.integer({ min: 1, max: 6 }),
        (all, before, after, skip, take, size) => {
          fc.pre(take > 0);
          const hits = all.flatMap((line, index) => (line.includes("x") ? [index] : [])).slice(skip, skip + take);
          const expected = all.flatMap((line, index) => {
            if (hits.includes(index)) return [`${index + 1}:${line}`];
            const near = hits.some((hit) => index >= hit - before && index <= hit + after);
            return near ? [`${index + 1}-${line}`] : [];
          });
          const text = all.map((line) => `${line}\n`).join("");
          const window = { before, after, skip, take };
          expect(places(cut(text, window, size))).toBe(expected.join(" "));
          const blocks: Row[] = [];
          const whole: Window = { maxLineChars: 100, ...window };
          cutBlocks(
            Buffer.from(text),
            pattern(true).textMatcher(() => undefined),
            whole,
            (row) => blocks.push(row) > 0,
          );
          expect(places(blocks)).toBe(expected.join(" "));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("cutBlocks", () => {
  test("gives a match over several lines as one row with its first and last line", () => {
    const rows: Row[] = [];
    const { textMatcher } = compilePattern({ pattern: "b\\nc", literal: false, ignoreCase: false, multiline: true });
    const window: Window = { skip: 0, take: 9, before: 1, after: 1, maxLineChars: 100 };
    cutBlocks(
      Buffer.from("a\nab\ncd\ne\nf\n"),
      textMatcher(() => undefined),
      window,
      (row) => rows.push(row) > 0,
    );
    expect(rows).toEqual([
      { line: 1, context: true, text: "a" },
      { line: 2, lastLine: 3, context: false, text: "ab\ncd" },
      { line: 4, context: true, text: "e" },
    ]);
  });
});
