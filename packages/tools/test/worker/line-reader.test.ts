import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type EncodingName, encodeFile } from "../../src/encoding.ts";
import type { PageCaps, Row } from "../../src/page.ts";
import { lineChars, lineStart } from "../../src/worker/line-lookup.ts";
import { readPiece, visitRows, visitRowsBackwards } from "../../src/worker/line-reader.ts";
import { linesOf, longText, written } from "../helpers/random-text.ts";
import { type ScannedFile, withScanned } from "../helpers/scanned-file.ts";

const OPEN: PageCaps = { maxChars: 1e9, maxTokens: 1e9, maxBytes: 1e9, maxLines: 1 };
const ENCODINGS: readonly EncodingName[] = ["utf-8", "utf-16le", "utf-16be", "gb18030", "shift_jis"];

/** A text in a file, in an encoding that takes all of it. */
function withText<Result>(
  text: string,
  name: EncodingName,
  look: (file: ScannedFile, lines: string[]) => Result,
): Result {
  const shown = name === "shift_jis" ? text.replaceAll(/[汉é🎈한국\u2028\u0085]/gu, "日") : text;
  const bytes = encodeFile(shown, { name, bom: name.startsWith("utf-16") });
  const asked = name === "gb18030" || name === "shift_jis" ? name : undefined;
  return withScanned(bytes, (file) => look(file, linesOf(shown)), asked);
}

function rowsOf(
  { source, index }: ScannedFile,
  first: number,
  last: number,
  maxLineChars: number,
  backwards = false,
): Row[] {
  const rows: Row[] = [];
  const visit = backwards ? visitRowsBackwards : visitRows;
  visit({ source, index, maxLineChars }, first, last, (row) => {
    rows.push(row);
    return true;
  });
  return rows;
}

function clipped(line: string, maxLineChars: number): string {
  return [...line].slice(0, maxLineChars).join("");
}

describe("visitRows", () => {
  test.each(ENCODINGS)("shows any stretch of lines of any text in %s", (name) => {
    fc.assert(
      fc.property(longText, fc.nat(), fc.nat(50), fc.constantFrom(10, 1000, 1e6), (text, at, count, maxLineChars) => {
        withText(written(text), name, (file, lines) => {
          expect(file.index.totalLines).toBe(lines.length);
          const first = 1 + (at % lines.length);
          const last = Math.min(lines.length, first + count);
          const wanted = lines.slice(first - 1, last).map((line, index) => ({
            line: first + index,
            text: clipped(line, maxLineChars),
            clipped: [...line].length > maxLineChars,
          }));
          expect(rowsOf(file, first, last, maxLineChars)).toEqual(wanted);
          expect(rowsOf(file, first, last, maxLineChars, true)).toEqual(wanted.toReversed());
        });
      }),
      { numRuns: 12 },
    );
  });

  test("stops when the visitor has enough", () => {
    withText("a\nb\nc\n", "utf-8", ({ source, index }) => {
      const rows: string[] = [];
      visitRows({ source, index, maxLineChars: 10 }, 1, 3, ({ text }) => {
        rows.push(text);
        return rows.length < 2;
      });
      expect(rows).toEqual(["a", "b"]);
    });
  });

  test("passes over a line of megabytes at the cost of its clip", () => {
    const text = `first\n${"x".repeat(5_000_000)}\nlast\n`;
    withText(text, "utf-8", ({ source, index }) => {
      let read = 0;
      const counting = {
        size: source.size,
        read: (start: number, end: number) => {
          const bytes = source.read(start, end);
          read += bytes.length;
          return bytes;
        },
      };
      const rows: Row[] = [];
      visitRows({ source: counting, index, maxLineChars: 100 }, 1, 3, (row) => rows.push(row) > 0);
      expect(rows.map(({ text: shown, clipped: isClipped }) => [shown.length, isClipped])).toEqual([
        [5, false],
        [100, true],
        [4, false],
      ]);
      expect(read).toBeLessThan(500_000);
    });
  });
});

describe("readPiece", () => {
  test.each(ENCODINGS)("shows any stretch of any line in %s", (name) => {
    fc.assert(
      fc.property(longText, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 3000 }), (text, at, start, maxChars) => {
        withText(written(text), name, ({ source, index }, lines) => {
          const line = 1 + (at % lines.length);
          const chars = [...(lines[line - 1] ?? "")];
          expect(lineChars(source, index, line)).toBe(chars.length);
          const column = 1 + (start % (chars.length + 3));
          const piece = readPiece({ source, index, maxLineChars: 10 }, line, column, { ...OPEN, maxChars });
          const wanted = chars.slice(column - 1, column - 1 + maxChars);
          expect(piece).toEqual({
            line,
            column,
            text: wanted.join(""),
            chars: wanted.length,
            lineChars: chars.length,
            endedBy: column - 1 + wanted.length < chars.length ? "characters" : null,
          });
        });
      }),
      { numRuns: 12 },
    );
  });

  test("a line of many megabytes costs the piece, wherever it begins", () => {
    const text = "汉字é and plain ".repeat(400_000);
    withText(text, "utf-8", ({ source, index }) => {
      let read = 0;
      const counting = {
        size: source.size,
        read: (start: number, end: number) => {
          const bytes = source.read(start, end);
          read += bytes.length;
          return bytes;
        },
      };
      const column = 1 + 14 * 350_000;
      const piece = readPiece({ source: counting, index, maxLineChars: 10 }, 1, column, { ...OPEN, maxChars: 14 });
      expect(piece).toMatchObject({
        text: "汉字é and plain ".slice(0, 14),
        lineChars: 14 * 400_000,
        endedBy: "characters",
      });
      expect(read).toBeLessThan(600_000);
    });
  });

  test.each([
    [{ maxTokens: 2 }, "汉字", "tokens"],
    [{ maxBytes: 7 }, "汉字", "bytes"],
    [{ maxChars: 3 }, "汉字汉", "characters"],
    [{ maxTokens: 1, maxBytes: 1 }, "汉", "tokens"],
  ] as const)("with %j is %j, ended by %s", (caps, text, endedBy) => {
    withText("汉字汉字", "utf-8", ({ source, index }) => {
      const piece = readPiece({ source, index, maxLineChars: 10 }, 1, 1, { ...OPEN, ...caps });
      expect([piece.text, piece.endedBy]).toEqual([text, endedBy]);
    });
  });
});

describe("lineStart", () => {
  test("is the offset of a line's first byte, behind the byte order mark for the first", () => {
    const bytes = encodeFile("a\nbb\nc", { name: "utf-16le", bom: true });
    withScanned(bytes, ({ source, index }) => {
      expect([1, 2, 3].map((line) => lineStart(source, index, line))).toEqual([2, 6, 12]);
    });
  });
});
