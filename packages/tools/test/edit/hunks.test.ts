import { describe, expect, test } from "vitest";
import { countChanges, hunksOf } from "../../src/edit/hunks.ts";
import { indexLines, memorySource } from "../../src/edit/line-index.ts";
import type { LineEdit } from "../../src/edit/ops.ts";
import { UTF8 } from "../../src/encoding/names.ts";

const numbers = (count: number): string => Array.from({ length: count }, (_, at) => `${at + 1}\n`).join("");
const indexOf = (text: string) => indexLines(memorySource(Buffer.from(text)), UTF8);
const edit = (first: number, last: number, ...rows: string[]): LineEdit => ({ first, last, rows, op: 0 });

describe("hunksOf", () => {
  test("shows three lines around a change", () => {
    expect(hunksOf([edit(5, 5, "five", "and more")], indexOf(numbers(9)))).toEqual({
      hunks: [
        {
          oldStart: 2,
          oldLines: 7,
          newStart: 2,
          newLines: 8,
          lines: [" 2", " 3", " 4", "-5", "+five", "+and more", " 6", " 7", " 8"],
        },
      ],
      omittedHunks: 0,
    });
  });

  test("joins changes whose lines around them meet and shifts the later ones", () => {
    const { hunks } = hunksOf([edit(5, 5), edit(12, 11, "x"), edit(30, 30, "y")], indexOf(numbers(40)));
    expect(hunks.map(({ oldStart, oldLines, newStart, newLines }) => [oldStart, oldLines, newStart, newLines])).toEqual(
      [
        [2, 13, 2, 13],
        [27, 7, 27, 7],
      ],
    );
  });

  test.each([
    ["an empty file that got lines", "", [edit(1, 0, "a")], { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 }],
    ["a file that lost all", "a\nb\n", [edit(1, 2)], { oldStart: 1, oldLines: 2, newStart: 0, newLines: 0 }],
  ])("counts from 0 on the empty side of %s", (_, text, edits, expected) => {
    expect(hunksOf(edits, indexOf(text)).hunks[0]).toMatchObject(expected);
  });

  test("lists at most 400 lines and 40 hunks and says what is left out", () => {
    const rows = Array.from({ length: 500 }, (_, at) => `row ${at}`);
    const [hunk] = hunksOf([edit(5, 5, ...rows)], indexOf(numbers(9))).hunks;
    expect(hunk?.lines).toHaveLength(400);
    expect(hunk?.omittedLines).toBe(107);
    const many = Array.from({ length: 60 }, (_, at) => edit(20 * at + 10, 20 * at + 10, "x"));
    const bounded = hunksOf(many, indexOf(numbers(1300)));
    expect(bounded.hunks).toHaveLength(40);
    expect(bounded.omittedHunks).toBe(20);
  });

  test("clips a long line without splitting a character", () => {
    const [hunk] = hunksOf([edit(1, 1, `${"x".repeat(499)}\u{1f388}y`)], indexOf("a\n")).hunks;
    expect(hunk?.lines[1]).toBe(`+${"x".repeat(499)}…`);
  });
});

describe("countChanges", () => {
  test("counts rows that come and lines that go", () => {
    expect(countChanges([edit(1, 3, "a"), edit(9, 8, "b", "c")])).toEqual({ added: 3, removed: 3 });
  });
});
