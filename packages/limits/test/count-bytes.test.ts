import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countByte, countByteInLines, countCodePoints } from "../src/count-bytes.ts";

// Every alignment of start and end, over more words than one sum takes.
const arbitraryView = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 80 }), fc.nat(7), fc.nat(7))
  .map(([seed, times, start, end]) => {
    const bytes = Uint8Array.from({ length: seed.length * times }, (_, index) => seed[index % seed.length] ?? 0);
    return bytes.subarray(start, Math.max(start, bytes.length - end));
  });

describe("countByte", () => {
  test("equals a loop over the bytes, whatever the alignment", () => {
    fc.assert(
      fc.property(arbitraryView, fc.constantFrom(10, 0, 0x7f, 0x80, 0xff), (bytes, byte) => {
        expect(countByte(bytes, byte)).toBe(bytes.filter((each) => each === byte).length);
      }),
      { numRuns: 300 },
    );
  });

  test.each([0, 1, 3, 4, 5, 1_007, 1_008, 1_009, 70_001])("counts %i line ends and nothing else", (length) => {
    expect(countByte(new Uint8Array(length).fill(10), 10)).toBe(length);
    expect(countByte(new Uint8Array(length).fill(11), 10)).toBe(0);
  });
});

describe("countByteInLines", () => {
  test("equals a loop over the bytes, plain or of a Buffer, whatever the line lengths", () => {
    const lines = fc.array(fc.tuple(fc.constantFrom(0, 1, 7, 60, 900), fc.integer({ min: 1, max: 300 })), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(lines, (parts) => {
        const text = parts.map(([chars, times]) => `${"x".repeat(chars)}\n`.repeat(times)).join("");
        const expected = parts.reduce((sum, [, times]) => sum + times, 0);
        expect(countByteInLines(Buffer.from(text), 10)).toBe(expected);
        expect(countByteInLines(Buffer.from(`${text}end`), 10)).toBe(expected);
        expect(countByteInLines(new TextEncoder().encode(text), 10)).toBe(expected);
      }),
      { numRuns: 100 },
    );
  });

  test("counts short lines beyond one block and long ones after them", () => {
    const text = `${"\n".repeat(100_000)}${`${"x".repeat(5_000)}\n`.repeat(40)}`;
    expect(countByteInLines(Buffer.from(text), 10)).toBe(100_040);
  });
});

describe("countCodePoints", () => {
  test("tells ASCII from the rest, whatever the alignment", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.nat(3), (text, shift) => {
        const bytes = new Uint8Array([...new Uint8Array(shift), ...new TextEncoder().encode(text)]).subarray(shift);
        const ascii = [...text].filter((char) => char < "\u0080").length;
        expect(countCodePoints(bytes)).toEqual({ ascii, other: [...text].length - ascii });
      }),
      { numRuns: 200 },
    );
  });
});
