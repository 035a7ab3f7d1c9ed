import { describe, expect, test } from "vitest";
import type { Row } from "../../src/search/cut-rows.ts";
import { createRowBudget } from "../../src/search/row-budget.ts";

const row = (line: number, text = "text", context = false): Row => ({ line, text, context });

describe("createRowBudget", () => {
  test("takes rows until the bytes are used up", () => {
    const budget = createRowBudget(60, 100);
    const file = budget.open("a.ts", 0);
    expect([1, 2, 3, 4].map((line) => file.add(row(line)))).toEqual([true, true, true, false]);
    expect(file.finish()).toHaveLength(3);
    expect(budget.isFull()).toBe(true);
  });

  test("takes rows until the lines are used up, over all files", () => {
    const budget = createRowBudget(10_000, 8);
    const first = budget.open("a.ts", 0);
    expect([1, 2, 3].map((line) => first.add(row(line)))).toEqual([true, true, true]);
    const second = budget.open("b.ts", 0);
    expect(second.add(row(1))).toBe(true);
    expect(second.add(row(2))).toBe(false);
  });

  test("counts a match over several lines as so many lines", () => {
    const file = createRowBudget(10_000, 5).open("a.ts", 0);
    expect(file.add({ line: 1, lastLine: 5, text: "a\nb\nc\nd\ne", context: false })).toBe(false);
  });

  test("leaves out the lines in front of a match that has no room", () => {
    const file = createRowBudget(10_000, 7).open("a.ts", 1);
    for (const one of [row(1), row(2, "after", true), row(8, "before", true), row(9, "before", true)]) file.add(one);
    expect(file.add(row(10))).toBe(true);
    expect(file.add(row(20))).toBe(false);
    expect(file.finish().map(({ line }) => line)).toEqual([1, 2, 8, 9, 10]);
    const tight = createRowBudget(10_000, 6).open("a.ts", 1);
    for (const one of [row(1), row(2, "after", true), row(8, "before", true), row(9, "before", true)]) tight.add(one);
    expect(tight.add(row(10))).toBe(false);
    expect(tight.finish().map(({ line }) => line)).toEqual([1, 2]);
  });

  test("shows the very first match in any case, cut to fit", () => {
    const budget = createRowBudget(80, 10);
    const file = budget.open("a.ts", 0);
    expect(file.add(row(3, "x".repeat(500)))).toBe(false);
    expect(file.finish()).toEqual([{ line: 3, text: "x".repeat(10), context: false, column: 1, lineChars: 500 }]);
  });
});
