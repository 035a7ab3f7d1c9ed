import { describe, expect, test } from "vitest";
import type { Op } from "../../src/edit/ops.ts";
import { parseOps } from "../../src/edit/parse.ts";
import { isToolError, type ToolError } from "../../src/error.ts";

function ops(text: string): readonly Op[] {
  return parseOps(text).ops;
}

function refusal(act: () => unknown): ToolError {
  try {
    act();
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error("The ops were taken");
}

describe("parseOps", () => {
  test.each<[string, Partial<Op>]>([
    ["PUT 3.=5:\n+x", { kind: "put", target: { kind: "range", first: 3, last: 5 }, body: ["x"] }],
    ["PUT 3*:\n+x", { kind: "put", target: { kind: "block", line: 3 }, body: ["x"] }],
    ["PUT <3:\n+x", { kind: "put", target: { kind: "before", line: 3 }, body: ["x"] }],
    ["PUT >3:\n+x", { kind: "put", target: { kind: "after", line: 3 }, body: ["x"] }],
    ["PUT >$:\n+x", { kind: "put", target: { kind: "end" }, body: ["x"] }],
    ["PUT >3*:\n+x", { kind: "put", target: { kind: "after-block", line: 3 }, body: ["x"] }],
    ["CUT 3.=5", { kind: "cut", target: { kind: "range", first: 3, last: 5 } }],
    ["CUT 3*", { kind: "cut", target: { kind: "block", line: 3 } }],
    ["CUT 3.=5 @a-b_9", { kind: "cut", target: { kind: "range", first: 3, last: 5 }, register: "a-b_9" }],
    ["PUT <3", { kind: "paste", target: { kind: "before", line: 3 } }],
    ["PUT >3", { kind: "paste", target: { kind: "after", line: 3 } }],
    ["PUT >$", { kind: "paste", target: { kind: "end" } }],
    ["PUT <3 @n", { kind: "paste", target: { kind: "before", line: 3 }, register: "n" }],
    ["PUT >$ @n", { kind: "paste", target: { kind: "end" }, register: "n" }],
    ["PUT 3.=5 @n", { kind: "paste", target: { kind: "range", first: 3, last: 5 }, register: "n" }],
    ["PUT 3* @n", { kind: "paste", target: { kind: "block", line: 3 }, register: "n" }],
    ["REM", { kind: "remove" }],
    ["MV a b/c.txt", { kind: "move", destination: "a b/c.txt" }],
    ['MV "a b.txt"', { kind: "move", destination: "a b.txt" }],
  ])("reads %j", (text, expected) => {
    expect(ops(text)).toEqual([{ source: text.split("\n")[0], ...expected }]);
  });

  test.each([
    ["PUT 2.=2: x", /has text behind its colon: end the line at the colon .* rows of its own that begin with "\+"$/],
    ["PUT >$: x", /has text behind its colon/],
    ["PUT 3*: x", /has text behind its colon/],
    ["PUT 2.=$:\n+x", /ends at \$: name the last line by its number/],
    ["CUT 1.=99999999999999999999", /names a line that no file has/],
  ])("says what is wrong with %j", (text, message) => {
    const error = refusal(() => ops(text));
    expect(error.code).toBe("EDIT_PARSE_FAILED");
    expect(error.message).toMatch(message);
  });

  test("takes a body as it is: indentation, empty rows, rows that look like ops or like rows", () => {
    const [op] = ops("PUT >$:\n+\n+\ttab  \n++plus\n+CUT 1.=2\n+-minus");
    expect(op).toMatchObject({ body: ["", "\ttab  ", "+plus", "CUT 1.=2", "-minus"] });
  });

  test("takes CRLF between rows, blanks around ops and empty lines between ops", () => {
    expect(ops("  PUT >1 :\r\n+x\r\n\r\nCUT  4.=5  @a \r\n")).toMatchObject([
      { kind: "put", body: ["x"] },
      { kind: "cut", register: "a" },
    ]);
  });

  test("takes a header in front of the ops", () => {
    expect(parseOps("\n[src/a.ts#a3f9]\nCUT 1.=1")).toMatchObject({
      header: { path: "src/a.ts", tag: "A3F9" },
      ops: [{ kind: "cut" }],
    });
    expect(parseOps("CUT 1.=1")).not.toHaveProperty("header");
  });

  test.each([
    ["nothing", "  \n", "There is no op", "PUT, CUT, REM or MV"],
    ["a header alone", "[a#A3F9]\n", "There is no op", "PUT, CUT, REM or MV"],
    ["a second header", "CUT 1.=1\n[a#A3F9]\nCUT 2.=2", "is no op", "one file a call"],
    ["a context row", "PUT 1.=1:\n context\n+x", '"PUT 1.=1:" has no body', "rows that begin with"],
    ["a context row behind the body", "PUT 1.=1:\n+x\n context", "is no op", "no context rows"],
    ["a minus row", "PUT 1.=1:\n+x\n-old", "is no op", "no - rows"],
    ["an empty line inside a body", "PUT 1.=1:\n+x\n\n+y", "is no op", 'a bare "+" is an empty line'],
    ["an empty PUT as a delete", "PUT 2.=4:", "has no body", 'use "CUT 2.=4"'],
    ["an empty insertion", "PUT <2:", "has no body", "a bare"],
    ["a body under CUT", "CUT 1.=2\n+x", "takes no body", "take the rows away"],
    ["a body under REM", "REM\n+x", "takes no body", "take the rows away"],
    ["a body under MV", "MV b\n+x", "takes no body", "take the rows away"],
    ["a body under a paste", "PUT <2\n+x", "takes no body", 'write "PUT <2:"'],
    ["a paste over a span without a name", "PUT 2.=3", "neither a colon nor a register", "PUT 2.=3 @name"],
    ["a register and a colon", "PUT 2.=3 @a:\n+x", "both a register and a colon", "leave the colon out"],
    ["a register name with a blank", "CUT 2.=3 @a b", "is no register name", "1 to 32"],
    ["a colon behind CUT", "CUT 2.=3:", "takes no colon", "leave the colon out"],
    ["a gap to cut", "CUT >3", "names a gap", "CUT 3.=5"],
    ["a bare line number", "PUT 7:\n+x", "names no lines", "7.=7"],
    ["a range with a dash", "PUT 7-9:\n+x", "names no lines", "7.=9"],
    ["a gap before a block", "PUT <7*:\n+x", "names no lines", "7.=7"],
    ["a gap with a range", "PUT >7.=9:\n+x", "names no lines", "7.=9"],
    ["an end to insert before", "PUT <$:\n+x", "names no lines", ">$"],
    ["a register name that is too long", `CUT 1.=1 @${"a".repeat(33)}`, "is no register name", "1 to 32"],
    ["a register without a name", "CUT 1.=1 @", "is no register name", "1 to 32"],
    ["an unknown word", "DEL 1.=2", "is no op", "PUT, CUT, REM or MV"],
    ["a word in lower case", "cut 1.=2", "is no op", "PUT, CUT, REM or MV"],
    ["MV without a path", "MV", "names no path", "MV new/path.txt"],
    ["two MV", "MV a\nMV b", "renamed once", "keep one MV"],
    ["REM beside others", "CUT 1.=1\nREM", "REM deletes the file", "send REM alone"],
    ["REM with a path", "REM a.txt", "something after REM", 'write "REM" alone'],
  ])("refuses %s", (_, text, what, next) => {
    const error = refusal(() => parseOps(text));
    expect(error.code).toBe("EDIT_PARSE_FAILED");
    expect(error.what).toContain(what);
    expect(error.next).toContain(next);
  });

  test("names the line of ops", () => {
    expect(refusal(() => parseOps("CUT 1.=1\n\nPUT 3.=3:\n+x\nwhat")).details).toEqual({ line: 5 });
  });

  test.each([
    ["a reversed span", "CUT 5.=3", "write 3.=5"],
    ["line 0", "PUT 0.=1:\n+x", "PUT <1:"],
    ["a gap at line 0", "PUT >0:\n+x", "PUT <1:"],
  ])("refuses %s as out of range", (_, text, next) => {
    const error = refusal(() => parseOps(text));
    expect(error.code).toBe("EDIT_RANGE_INVALID");
    expect(error.next).toContain(next);
  });

  test("refuses more bytes or ops than the limits and names both numbers", () => {
    expect(refusal(() => parseOps("PUT >$:\n+ü", { maxBytes: 10 }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { bytes: 11, maxBytes: 10 },
    });
    expect(parseOps("PUT >$:\n+ü", { maxBytes: 11 }).ops).toHaveLength(1);
    const many = (count: number): string =>
      Array.from({ length: count }, (_, line) => `CUT ${line + 1}.=${line + 1}`).join("\n");
    expect(refusal(() => parseOps(many(201)))).toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { ops: 201, maxOps: 200 },
    });
    expect(parseOps(many(200)).ops).toHaveLength(200);
  });
});
