import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countChars, shownLine } from "../../src/search/window-text.ts";

const shown = (line: string, at: number, maxChars: number) => {
  const bytes = Buffer.from(`before\n${line}\nafter`);
  const start = 7;
  return shownLine(bytes, start, start + Buffer.byteLength(line), start + at, maxChars);
};

describe("shownLine", () => {
  test("shows a line whole that is not too long, counted in characters", () => {
    expect(shown("hello", 0, 5)).toEqual({ text: "hello" });
    expect(shown("日本語", 0, 3)).toEqual({ text: "日本語" });
  });

  test("shows a longer one as a window with the match in its middle, and says where it begins", () => {
    expect(shown("0123456789abcdef", 8, 4)).toEqual({ text: "6789", column: 7, lineChars: 16 });
  });

  test.each([
    [0, "0123", 1],
    [1, "0123", 1],
    [16, "cdef", 13],
    [15, "cdef", 13],
  ])("fills the window at the line's ends: match at %i", (at, text, column) => {
    expect(shown("0123456789abcdef", at, 4)).toEqual({ text, column, lineChars: 16 });
  });

  test("never cuts a character, has exactly the characters allowed and holds the match", () => {
    const line = fc.array(fc.constantFrom("a", "é", "日", "😀"), { minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(line, fc.nat(100), fc.integer({ min: 1, max: 12 }), (chars, place, maxChars) => {
        const index = place % chars.length;
        const at = Buffer.byteLength(chars.slice(0, index).join(""));
        const { text, column = 1, lineChars = chars.length } = shown(chars.join(""), at, maxChars);
        expect(lineChars).toBe(chars.length);
        expect(text).toBe(chars.slice(column - 1, column - 1 + maxChars).join(""));
        expect(index).toBeGreaterThanOrEqual(column - 1);
        expect(index).toBeLessThan(column - 1 + maxChars);
      }),
    );
  });
});

describe("countChars", () => {
  test("counts code points of UTF-8", () => {
    const bytes = Buffer.from("aé日😀");
    expect(countChars(bytes, 0, bytes.length)).toBe(4);
  });
});
