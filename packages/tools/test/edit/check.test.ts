import { describe, expect, test } from "vitest";
import { linesAround, matchVersion, seenAfter, type TaggedVersion, unseenAnchors } from "../../src/edit/check.ts";
import type { LineEdit, LineOp } from "../../src/edit/ops.ts";
import { parseOps } from "../../src/edit/parse.ts";

describe("matchVersion", () => {
  const live = { hash: "000000000000a3f9", bytes: 2 };
  const text = Buffer.from("ab");

  test("needs hash and size, the tag alone proves nothing", () => {
    const others: TaggedVersion[] = [
      { hash: "111111111111a3f9", bytes: 2, seen: "all" },
      { hash: live.hash, bytes: 3, seen: "all" },
    ];
    expect(matchVersion(others, live, text)).toBeUndefined();
    const same: TaggedVersion = { ...live, seen: [[1, 1]] };
    expect(matchVersion([...others, same], live, text)).toBe(same);
  });

  test("compares the text where it is kept: two contents of one hash are not one version", () => {
    const collision: TaggedVersion = { ...live, seen: "all", text: Buffer.from("xy") };
    expect(matchVersion([collision], live, text)).toBeUndefined();
    const same: TaggedVersion = { ...live, seen: "all", text: Buffer.from("ab") };
    expect(matchVersion([collision, same], live, text)).toBe(same);
  });
});

describe("unseenAnchors", () => {
  test("tells nothing seen from unknown", () => {
    expect(unseenAnchors([[1, 3]], [])).toEqual([[1, 3]]);
    expect(unseenAnchors([[1, 3]], undefined)).toEqual([]);
    expect(unseenAnchors([[1, 3]], "all")).toEqual([]);
    expect(
      unseenAnchors(
        [
          [1, 3],
          [7, 7],
        ],
        [[2, 7]],
      ),
    ).toEqual([[1, 1]]);
  });
});

describe("linesAround", () => {
  const around = (text: string, totalLines: number) =>
    linesAround(
      parseOps(text).ops.filter((op): op is LineOp => op.kind !== "remove" && op.kind !== "move"),
      totalLines,
    );

  test("gives two lines before and after what the ops name, as far as there are any", () => {
    expect(around("CUT 5.=20\nPUT >30:\n+x", 40)).toEqual([
      [3, 7],
      [18, 22],
      [28, 32],
    ]);
    expect(around("CUT 1.=2", 3)).toEqual([[1, 3]]);
    expect(around("CUT 90.=95", 40)).toEqual([]);
    expect(around("PUT >$:\n+x", 40)).toEqual([]);
    expect(around("PUT 7*:\n+x", 40)).toEqual([[5, 9]]);
  });
});

describe("seenAfter", () => {
  const edit = (first: number, last: number, rows: number): LineEdit => ({
    first,
    last,
    rows: new Array<string>(rows).fill("x"),
    op: 0,
  });

  test("moves what was seen and adds what was written", () => {
    expect(seenAfter([[1, 10]], [edit(3, 5, 1), edit(8, 7, 2)], 12)).toEqual([[1, 10]]);
    expect(
      seenAfter(
        [
          [3, 5],
          [11, 12],
        ],
        [edit(3, 5, 0)],
        12,
      ),
    ).toEqual([[8, 9]]);
    expect(seenAfter([], [edit(5, 4, 3)], 12)).toEqual([[5, 7]]);
    expect(seenAfter([[1, 99]], [edit(1, 0, 1)], 2)).toEqual([[1, 3]]);
  });

  test("keeps all and unknown as they are", () => {
    expect(seenAfter("all", [edit(1, 1, 5)], 12)).toBe("all");
    expect(seenAfter(undefined, [edit(1, 1, 5)], 12)).toBeUndefined();
  });
});
