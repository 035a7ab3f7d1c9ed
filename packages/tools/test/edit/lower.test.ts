import { describe, expect, test } from "vitest";
import { type LowerContext, lowerOps, spansOf } from "../../src/edit/lower.ts";
import type { LineOp } from "../../src/edit/ops.ts";
import { parseOps } from "../../src/edit/parse.ts";
import { isToolError, type ToolError } from "../../src/error.ts";
import type { LineRange } from "../../src/line-ranges.ts";

const LINES = 20;

/** Line N holds "N"; the block at line N covers it and the four lines below. */
const file: LowerContext = {
  totalLines: LINES,
  admit: () => undefined,
  block: (line) => [line, line + 4],
  capture: (first, last) =>
    last - first > 10
      ? undefined
      : Array.from({ length: last - first + 1 }, (_, at) => Buffer.from(String(first + at))),
  register: (name) => (name === "kept" ? ["k1", "k2"] : undefined),
};

function lineOps(text: string): LineOp[] {
  return parseOps(text).ops.filter((op) => op.kind !== "remove" && op.kind !== "move");
}

function lower(text: string, context: Partial<LowerContext> = {}) {
  return lowerOps(lineOps(text), { ...file, ...context });
}

/** `first-last: rows` of each edit. */
function edits(text: string): string[] {
  return lower(text).edits.map(({ first, last, rows }) => `${first}-${last}: ${rows.map(String).join(",")}`);
}

function refusal(text: string, context: Partial<LowerContext> = {}): ToolError {
  try {
    lower(text, context);
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error("The ops were taken");
}

describe("lowerOps", () => {
  test.each([
    ["PUT 3.=5:\n+x\n+y", ["3-5: x,y"]],
    ["PUT 3*:\n+x", ["3-7: x"]],
    ["PUT <3:\n+x", ["3-2: x"]],
    ["PUT >3:\n+x", ["4-3: x"]],
    ["PUT >3*:\n+x", ["8-7: x"]],
    ["PUT <1:\n+x", ["1-0: x"]],
    ["PUT >$:\n+x", ["21-20: x"]],
    ["PUT >20:\n+x", ["21-20: x"]],
    ["CUT 3.=5", ["3-5: "]],
    ["CUT 3.=4\nPUT >9", ["3-4: ", "10-9: 3,4"]],
    ["CUT 9.=9 @a\nPUT <3 @a\nPUT >$ @a", ["3-2: 9", "9-9: ", "21-20: 9"]],
    ["PUT 3.=4 @kept", ["3-4: k1,k2"]],
    ["PUT 3* @kept", ["3-7: k1,k2"]],
    ["CUT 3.=3 @kept\nPUT >9 @kept", ["3-3: ", "10-9: 3"]],
    ["PUT >9 @kept\nCUT 3.=3 @kept", ["3-3: ", "10-9: k1,k2"]],
    ["CUT 3.=3\nPUT >9\nCUT 5.=5\nPUT >11", ["3-3: ", "5-5: ", "10-9: 3", "12-11: 5"]],
    ["CUT 3.=3\nPUT >9\nPUT >11", ["3-3: ", "10-9: 3", "12-11: 3"]],
    ["PUT 9.=9:\n+b\nPUT 2.=2:\n+a", ["2-2: a", "9-9: b"]],
    ["PUT <5:\n+i\nPUT 6.=7:\n+r\nPUT >8:\n+i", ["5-4: i", "6-7: r", "9-8: i"]],
    ["CUT 1.=3\nPUT <1:\n+x", ["1-0: x", "1-3: "]],
    ["CUT 18.=20\nPUT >$:\n+x", ["18-20: ", "21-20: x"]],
  ])("lowers %j", (text, expected) => expect(edits(text)).toEqual(expected));

  test("takes ops in the numbers of the tagged file, whatever came before them", () => {
    expect(edits("CUT 1.=10\nPUT 15.=15:\n+x")).toEqual(["1-10: ", "15-15: x"]);
  });

  test.each([
    ["overlapping spans", "PUT 3.=5:\n+x\nCUT 5.=6"],
    ["the same span twice", "CUT 3.=5\nCUT 3.=5"],
    ["a block over a span", "CUT 3*\nPUT 7.=9:\n+x"],
    ["two insertions in one gap", "PUT >3:\n+x\nPUT <4:\n+y"],
    ["two insertions at the end", "PUT >$:\n+x\nPUT >20:\n+y"],
    ["an insertion inside a span", "CUT 3.=6\nPUT >4:\n+x"],
    ["an insertion before a line that goes", "CUT 3.=6\nPUT <3:\n+x"],
    ["an insertion after a line that goes", "CUT 3.=6\nPUT >6:\n+x"],
    ["an insertion after a block whose last line goes", "CUT 7.=7\nPUT >3*:\n+x"],
  ])("refuses %s", (_, text) => {
    const error = refusal(text);
    expect(error.code).toBe("EDIT_RANGE_INVALID");
    expect(error.details?.ops).toHaveLength(2);
  });

  test.each([
    ["PUT 20.=21:\n+x", 20, "the file has 20 lines", "lines 1 to 20"],
    ["CUT 21.=30", 20, "names line 30", "lines 1 to 20"],
    ["PUT >21:\n+x", 20, "names line 21", "PUT >$:"],
    ["PUT <2:\n+x", 1, "the file has 1 line", "lines 1 to 1"],
    ["PUT 1.=1:\n+x", 0, "the file has 0 lines", "empty file"],
  ])("refuses %j for %s lines", (text, totalLines, what, next) => {
    const error = refusal(text, { totalLines });
    expect(error.code).toBe("EDIT_RANGE_INVALID");
    expect(error.what).toContain(what);
    expect(error.next).toContain(next);
  });

  test("asks for every line that goes and every line an insertion is named by, and for nothing at head and tail", () => {
    const seen: LineRange[][] = [];
    lower("CUT 3.=5\nPUT <8:\n+x\nPUT >9:\n+x\nPUT >11*:\n+x\nPUT <1:\n+x\nPUT >$:\n+x", {
      admit: (anchors) => void seen.push([...anchors]),
    });
    expect(seen).toEqual([
      [
        [3, 5],
        [8, 8],
        [9, 9],
        [11, 11],
        [15, 15],
      ],
    ]);
  });

  test("asks before it looks for overlaps", () => {
    const admit = (): never => {
      throw new Error("not shown");
    };
    expect(() => lower("CUT 3.=5\nCUT 3.=5", { admit })).toThrow("not shown");
  });

  test.each([
    ["PUT >3", "EDIT_REGISTER_EMPTY", "CUT N.=M"],
    ["PUT >3\nCUT 9.=9", "EDIT_REGISTER_EMPTY", "CUT N.=M"],
    ["PUT >3 @nobody", "EDIT_REGISTER_EMPTY", "@nobody"],
    ["CUT 3.=3 @a\nPUT >9", "EDIT_REGISTER_EMPTY", "name a register"],
    ["CUT 3.=3\nCUT 5.=5\nPUT >9", "EDIT_REGISTER_AMBIGUOUS", "CUT 3.=3 @a"],
    ["CUT 1.=15\nPUT >18", "EDIT_REGISTER_EMPTY", "4096 lines"],
    ["CUT 1.=15 @a", "EDIT_AMPLIFICATION_LIMIT", "in parts"],
  ])("refuses %j with %s", (text, code, next) => {
    const error = refusal(text);
    expect(error.code).toBe(code);
    expect(error.next).toContain(next);
  });

  test("deletes without a register however much it is", () => {
    expect(edits("CUT 1.=15")).toEqual(["1-15: "]);
  });

  test("gives the named registers that were filled", () => {
    const { captured } = lower("CUT 3.=4 @a\nCUT 9.=9 @b\nCUT 11.=11");
    expect([...captured].map(([name, rows]) => [name, rows.map(String)])).toEqual([
      ["a", ["3", "4"]],
      ["b", ["9"]],
    ]);
  });

  test("takes 100 000 new lines and 16 MiB of pasted bytes, not more", () => {
    const rows = Array.from({ length: 50_000 }, () => "");
    const paste = "PUT >3 @r\nPUT >5 @r";
    expect(lower(paste, { register: () => rows }).edits).toHaveLength(2);
    expect(refusal(`${paste}\nPUT >7:\n+one more`, { register: () => rows }).code).toBe("EDIT_AMPLIFICATION_LIMIT");
    const mib = [new Uint8Array(1024 * 1024)];
    const pastes = (count: number): string =>
      Array.from({ length: count }, (_, line) => `PUT >${line + 1} @r`).join("\n");
    expect(lower(pastes(16), { register: () => mib }).edits).toHaveLength(16);
    expect(refusal(pastes(17), { register: () => mib }).code).toBe("EDIT_AMPLIFICATION_LIMIT");
  });
});

describe("spansOf", () => {
  test("says what each op covered and where its lines are now, in the order of the ops", () => {
    const text = "PUT 9.=10:\n+x\nCUT 2.=4\nPUT >6:\n+a\n+b";
    expect(spansOf(lower(text).edits, lineOps(text))).toEqual([
      { op: "PUT 9.=10:", first: 9, last: 10, newFirst: 8, newLast: 8 },
      { op: "CUT 2.=4", first: 2, last: 4, newFirst: 2, newLast: 1 },
      { op: "PUT >6:", first: 7, last: 6, newFirst: 4, newLast: 5 },
    ]);
  });
});
