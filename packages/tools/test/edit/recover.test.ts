import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LineEdit } from "../../src/edit/ops.ts";
import { carryOver, carrySeen, type Drift } from "../../src/edit/recover.ts";

const edit = (first: number, last: number, rows: readonly string[] = ["new"]): LineEdit => ({
  first,
  last,
  rows,
  op: 0,
});

/** Carries one edit whose anchors are its own lines. */
function carry(tagged: string, live: string, first: number, last: number): Drift | undefined {
  return carryOver([edit(first, last)], [[first, last]], [...tagged], [...live]);
}

function target(drift: Drift | undefined): string | undefined {
  const [moved] = drift?.edits ?? [];
  return moved && `${moved.first}-${moved.last}`;
}

describe("carryOver", () => {
  test.each([
    ["nothing changed around it", "abcdef", "abcdef", 3, 3, "3-3"],
    ["lines came before it", "abcdef", "XYabcdef", 3, 4, "5-6"],
    ["lines went before it", "abcdef", "bcdef", 3, 3, "2-2"],
    ["lines came after it", "abcdef", "abcdefX", 3, 3, "3-3"],
    ["a unique line with one neighbour left", "abcdef", "abcXef", 3, 3, "3-3"],
    ["the first line while another follows it", "abc", "abXc", 1, 1, "1-1"],
    ["repeated lines with both neighbours", "xaxbx", "Yxaxbx", 3, 3, "4-4"],
    ["the last line of a file that grew at its head", "abc", "Xabc", 3, 3, "4-4"],
  ])("follows the anchor when %s", (_, tagged, live, first, last, expected) => {
    expect(target(carry(tagged, live, first, last))).toBe(expected);
  });

  test.each([
    ["the line itself changed", "abcdef", "abXdef", 3, 3],
    ["a line of the span changed", "abcdef", "abcXef", 3, 5],
    ["a line came into the span", "abcdef", "abcXdef", 3, 4],
    ["the line is gone", "abcdef", "abdef", 3, 3],
    ["both neighbours changed", "abcdef", "aXcYef", 3, 3],
    ["a repeated line lost a neighbour", "xaxbx", "xaxcx", 3, 3],
    ["the line has a twin now and lost a neighbour", "abcdef", "abcXefc", 3, 3],
    ["everything is new", "abc", "xyz", 2, 2],
    ["the file is empty now", "abc", "", 2, 2],
  ])("declines when %s", (_, tagged, live, first, last) => {
    expect(carry(tagged, live, first, last)).toBeUndefined();
  });

  test("declines when two anchors moved by different offsets", () => {
    const edits = [edit(2, 2), edit(6, 6)];
    const anchors = [
      [2, 2],
      [6, 6],
    ] as const;
    expect(carryOver(edits, anchors, [..."abcdefgh"], [..."abcdXefgh"])).toBeUndefined();
    expect(carryOver(edits, anchors, [..."abcdefgh"], [..."Xabcdefgh"])?.offset).toBe(1);
  });

  test("keeps an edit of the head at the head and an append at the end", () => {
    const drift = carryOver(
      [{ ...edit(1, 0), op: 0 }, edit(3, 3), { ...edit(7, 6), atEnd: true }],
      [[3, 3]],
      [..."abcdef"],
      [..."XabcdefYZ"],
    );
    expect(drift?.edits.map(({ first, last }) => [first, last])).toEqual([
      [1, 0],
      [4, 4],
      [10, 9],
    ]);
  });

  test("only ever lands on the lines that the anchors were", () => {
    const lines = fc.array(fc.constantFrom<string[]>("a", "b", "c", "}", "", "unique"), {
      minLength: 1,
      maxLength: 16,
    });
    const change = fc.tuple(
      fc.nat(),
      fc.nat(2),
      fc.array(fc.constantFrom<string[]>("a", "}", "new"), { maxLength: 2 }),
    );
    fc.assert(
      fc.property(lines, fc.array(change, { maxLength: 3 }), fc.nat(), fc.nat(2), (tagged, changes, at, more) => {
        const live = [...tagged];
        for (const [where, removed, rows] of changes) live.splice(where % (live.length + 1), removed, ...rows);
        const first = (at % tagged.length) + 1;
        const last = Math.min(tagged.length, first + more);
        const drift = carryOver([edit(first, last)], [[first, last]], tagged, live);
        const moved = drift?.edits[0];
        if (moved === undefined) return;
        expect(live.slice(moved.first - 1, moved.last)).toEqual(tagged.slice(first - 1, last));
      }),
      { numRuns: 500 },
    );
  });

  test("is linear where a long span nearly repeats everywhere", () => {
    const tagged = [...new Array<string>(30_000).fill("a"), "b", "tail"];
    const live = [...new Array<string>(30_000).fill("a"), "b", "changed"];
    expect(carryOver([edit(15_001, 30_001)], [[15_001, 30_001]], tagged, live)?.offset).toBe(0);
  });
});

describe("carrySeen", () => {
  test("knows the seen lines where they are now", () => {
    const map = Int32Array.of(0, -1, 3, 4);
    expect(carrySeen("all", map)).toEqual([
      [1, 1],
      [4, 5],
    ]);
    expect(carrySeen([[2, 3]], map)).toEqual([[4, 4]]);
    expect(carrySeen([[3, 90]], map)).toEqual([[4, 5]]);
    expect(carrySeen([], map)).toEqual([]);
    expect(carrySeen(undefined, map)).toBeUndefined();
  });
});
