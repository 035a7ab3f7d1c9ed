import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffTexts } from "../../src/edit/diff-texts.ts";

describe("diffTexts", () => {
  test("tells what turns one text into the other", () => {
    expect(diffTexts("a\nb\nc\n", "a\nB\nc\nd\n")).toEqual({
      added: 2,
      removed: 1,
      hunks: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 4, lines: [" a", "-b", "+B", " c", "+d"] }],
      omittedHunks: 0,
    });
  });

  test("has nothing to say about line endings or a missing last one", () => {
    expect(diffTexts("a\r\nb", "a\nb\n")).toEqual({ added: 0, removed: 0, hunks: [], omittedHunks: 0 });
  });

  test("has hunks that turn the old text into the new one", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "", "d e"), { maxLength: 20 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const join = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
        const { hunks } = diffTexts(join(before), join(after));
        const result: string[] = [];
        let at = 0;
        for (const { oldStart, oldLines, lines } of hunks) {
          const start = oldLines === 0 ? oldStart : oldStart - 1;
          result.push(...before.slice(at, start));
          for (const line of lines) if (!line.startsWith("-")) result.push(line.slice(1));
          at = start + oldLines;
        }
        expect([...result, ...before.slice(at)]).toEqual(after);
      }),
      { numRuns: 300 },
    );
  });
});
