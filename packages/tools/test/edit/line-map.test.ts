import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mapLines } from "../../src/edit/line-map.ts";

function assertAlignment(left: readonly string[], right: readonly string[], map: Int32Array): void {
  let previous = -1;
  for (const [at, to] of map.entries()) {
    if (to < 0) continue;
    expect(right[to]).toBe(left[at]);
    expect(to).toBeGreaterThan(previous);
    previous = to;
  }
}

const lines = fc.array(fc.constantFrom("a", "b", "c", "d", "{", "}"), { maxLength: 24 });

describe("mapLines", () => {
  test("aligns equal lines and never crosses", () => {
    fc.assert(
      fc.property(lines, lines, (left, right) => assertAlignment(left, right, mapLines(left, right))),
      { numRuns: 500 },
    );
  });

  test("finds the longest alignment where no line is unique", () => {
    const [left, right] = [[..."abcabba"], [..."cbabac"]];
    const map = mapLines(left, right);
    assertAlignment(left, right, map);
    expect(map.filter((to) => to >= 0)).toHaveLength(4);
  });

  test("maps all of a text to itself and nothing to another one", () => {
    const text = ["a", "", "b", "", "a"];
    expect([...mapLines(text, text)]).toEqual([0, 1, 2, 3, 4]);
    expect([...mapLines(text, ["x", "y"])]).toEqual([-1, -1, -1, -1, -1]);
    expect([...mapLines([], text)]).toEqual([]);
  });

  test("keeps every line around an insertion and a removal", () => {
    const before = Array.from({ length: 200 }, (_, at) => (at % 4 === 0 ? "}" : `line ${at}`));
    const after = [...before.slice(0, 50), "new", "}", ...before.slice(50, 120), ...before.slice(123)];
    const map = mapLines(before, after);
    assertAlignment(before, after, map);
    expect(map.filter((to) => to < 0)).toHaveLength(3);
  });

  test("stays quick on texts of one repeated line that have little in common", () => {
    const left = Array.from({ length: 40_000 }, (_, at) => (at % 2 === 0 ? "x" : "y"));
    const right = Array.from({ length: 40_000 }, (_, at) => (at % 3 === 0 ? "x" : "z"));
    assertAlignment(left, right, mapLines(left, right));
  });
});
