import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_WINDOW_UNITS, runEnd, windowEnd } from "../../src/tokens/windows.ts";

function cut(text: string): string[] {
  const windows: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = windowEnd(text, start);
    windows.push(text.slice(start, end));
    start = end;
  }
  return windows;
}

describe("windowEnd", () => {
  test("leaves a short text whole", () => {
    expect(cut("a short text\nof two lines")).toEqual(["a short text\nof two lines"]);
  });

  test("cuts between a line feed and a letter or digit where there is one near", () => {
    const windows = cut("some line of words\n".repeat(5000));
    expect(windows.length).toBeGreaterThan(2);
    for (const window of windows.slice(0, -1)) expect(window.endsWith("\n")).toBe(true);
    const blanks = cut(`${"x".repeat(MAX_WINDOW_UNITS - 10)}\n   indented\n7 digits and more of them`);
    expect(blanks[0]?.endsWith("indented\n")).toBe(false);
    expect(blanks[0]).toHaveLength(MAX_WINDOW_UNITS);
  });

  test("never cuts a code point, always moves on, and loses nothing", () => {
    fc.assert(
      fc.property(fc.constantFrom("🎈", "a🎈", "汉🎈🎈", "x"), fc.nat(3), fc.nat(4000), (unit, prefix, extra) => {
        const text = "p".repeat(prefix) + unit.repeat(Math.ceil((MAX_WINDOW_UNITS + extra) / unit.length));
        const windows = cut(text);
        expect(windows.join("")).toBe(text);
        for (const window of windows) {
          expect(window.length).toBeGreaterThan(0);
          expect(window.length).toBeLessThanOrEqual(MAX_WINDOW_UNITS);
          expect(window.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("runEnd", () => {
  test("cuts a long run every 512 units, never inside a code point", () => {
    expect(runEnd("a".repeat(512), 0)).toBe(512);
    expect(runEnd("a".repeat(600), 0)).toBe(512);
    expect(runEnd("a".repeat(600), 512)).toBe(600);
    expect(runEnd(`a${"🎈".repeat(400)}`, 0)).toBe(511);
  });
});
