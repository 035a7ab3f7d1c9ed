import { describe, expect, test } from "vitest";
import { type ReadInput, resolveWindow, withRange } from "../src/window.ts";

const LIMITS = { readDefaultLines: 2000 };
const window = (input: Omit<ReadInput, "path">, totalLines: number) =>
  resolveWindow({ path: "f", ...input }, totalLines, LIMITS);

describe("resolveWindow", () => {
  test.each([
    [{}, 10, 1, 10],
    [{}, 5000, 1, 2000],
    [{ offset: 4001 }, 5000, 4001, 5000],
    [{ offset: 3 }, 5000, 3, 2002],
    [{ offset: 3, limit: 4 }, 5000, 3, 6],
    [{ limit: 4000 }, 5000, 1, 4000],
    [{ offset: 8, limit: 10 }, 10, 8, 10],
    [{ offset: -100 }, 5000, 4901, 5000],
    [{ offset: -3000 }, 5000, 2001, 5000],
    [{ offset: -100, limit: 10 }, 5000, 4901, 4910],
    [{ offset: -100, limit: 10 }, 50, 1, 10],
    [{ offset: -100 }, 50, 1, 50],
    [{ offset: -1 }, 50, 50, 50],
  ])("of %j in %d lines is %d to %d", (input, totalLines, first, last) => {
    expect(window(input, totalLines)).toMatchObject({ first, last });
  });

  test.each([
    [{ offset: 11 }, 10],
    [{ offset: 11, limit: 5 }, 10],
    [{}, 0],
    [{ offset: -5 }, 0],
  ])("of %j in %d lines holds nothing", (input, totalLines) => {
    const { first, last } = window(input, totalLines);
    expect(first).toBeGreaterThan(last);
  });

  test.each([
    [{}, false],
    [{ offset: 5 }, false],
    [{ limit: 5 }, true],
    [{ offset: -5 }, true],
    [{ maxChars: 5000 }, false],
  ])("of %j is named: %s", (input, named) => {
    expect(window(input, 100).named).toBe(named);
  });

  test("keeps the last lines only of a tail without a limit", () => {
    expect(window({ offset: -5 }, 100).fromEnd).toBe(true);
    expect(window({ offset: -5, limit: 2 }, 100).fromEnd).toBe(false);
    expect(window({ offset: 5 }, 100).fromEnd).toBe(false);
  });

  test("is a single line when one was asked for", () => {
    expect(window({ limit: 1 }, 100).single).toBe(true);
    expect(window({ limit: 1, column: 20 }, 100)).toMatchObject({ single: true, column: 20 });
    expect(window({ offset: -1 }, 100).single).toBe(true);
    expect(window({ offset: 100 }, 100).single).toBe(false);
    expect(window({}, 1)).toMatchObject({ single: false, column: 1 });
  });
});

describe("withRange", () => {
  test("keeps the caller's own arguments and replaces the range", () => {
    const input: ReadInput = { path: "f", offset: 3, limit: 4, column: 9, maxChars: 5000, encoding: "big5" };
    expect(withRange(input, { offset: 7 })).toEqual({ path: "f", offset: 7, maxChars: 5000, encoding: "big5" });
    expect(withRange({ path: "f" }, { offset: 7, limit: 1, column: 2 })).toEqual({
      path: "f",
      offset: 7,
      limit: 1,
      column: 2,
    });
  });
});
