import { describe, expect, test } from "vitest";
import { indexLines, memorySource } from "../../src/edit/line-index.ts";
import { formatRevealed, revealLines } from "../../src/edit/reveal.ts";
import { UTF8 } from "../../src/encoding/names.ts";

const indexOf = (text: string) => indexLines(memorySource(Buffer.from(text)), UTF8);

describe("revealLines", () => {
  test("shows lines as Read does", () => {
    const revealed = revealLines(indexOf("a\r\n\nc\n"), [[1, 2]], 1000);
    expect(formatRevealed(revealed)).toBe("1:a\n2:");
    expect(revealed.all).toBe(true);
  });

  test("shows 40 lines and says that it was not all", () => {
    const index = indexOf("x\n".repeat(50));
    expect(revealLines(index, [[1, 40]], 10_000)).toMatchObject({ all: true });
    const cut = revealLines(
      index,
      [
        [1, 3],
        [10, 50],
      ],
      10_000,
    );
    expect(cut.lines).toHaveLength(40);
    expect(cut.all).toBe(false);
  });

  test("cuts a line at 512 characters, counted as characters", () => {
    const balloons = "\u{1f388}".repeat(512);
    const index = indexOf(`${balloons}\n${balloons}x\n`);
    const { lines, all } = revealLines(index, [[1, 2]], 100_000);
    expect(lines).toEqual([
      { line: 1, text: balloons, whole: true },
      { line: 2, text: balloons, whole: false },
    ]);
    expect(all).toBe(false);
    expect(formatRevealed({ lines, all })).toContain("… (cut)");
  });

  test("stays within the characters it may show", () => {
    const revealed = revealLines(indexOf("12345\n12345\n12345\n"), [[1, 3]], 17);
    expect(revealed.lines.map(({ line }) => line)).toEqual([1, 2]);
    expect(revealed.all).toBe(false);
    expect(revealLines(indexOf("a\n"), [[1, 1]], -5)).toEqual({ lines: [], all: false });
  });
});
