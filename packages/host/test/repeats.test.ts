import { describe, expect, test } from "vitest";
import { createMutationGuard, createRepeatGuard, type FinishedCall } from "../src/repeats.ts";

const failing = (code = "PATH_NOT_FOUND", args: unknown = { path: "x" }): FinishedCall => ({
  tool: "Read",
  args,
  ok: false,
  failure: { code, text: `Error ${code}` },
});

describe("createRepeatGuard", () => {
  test("says so at the third identical failure and ends the turn at the fifth", () => {
    const guard = createRepeatGuard();
    const rounds = [1, 2, 3, 4, 5].map(() => guard.observe([failing()])[0]);
    expect(rounds.map((advice) => [advice?.text !== undefined, advice?.stop?.code])).toEqual([
      [false, undefined],
      [false, undefined],
      [true, undefined],
      [true, undefined],
      [true, "REPEATED_FAILURE"],
    ]);
    expect(rounds[2]?.text).toBe(
      "[This very call failed the same way 3 times. Sending it again will not help: change the arguments or take another way.]",
    );
  });

  test("the same arguments in another key order are the same call", () => {
    const guard = createRepeatGuard();
    guard.observe([failing("E", { a: 1, b: 2 })]);
    guard.observe([failing("E", { b: 2, a: 1 })]);
    expect(guard.observe([failing("E", { a: 1, b: 2 })])[0]?.text).toBeDefined();
  });

  test("another failure, other arguments or another text are counted apart", () => {
    const guard = createRepeatGuard();
    const calls = [failing("A"), failing("B"), failing("A", { path: "y" }), { ...failing("A"), tool: "Grep" }];
    for (const call of calls) expect(guard.observe([call])[0]).toBeUndefined();
    expect(guard.observe([failing("A")])[0]).toBeUndefined();
  });

  test("identical calls of one step count once: the model could not know", () => {
    const guard = createRepeatGuard();
    expect(guard.observe([1, 2, 3, 4, 5].map(() => failing()))).toEqual([1, 2, 3, 4, 5].map(() => undefined));
  });

  test("a changed file forgives what failed before", () => {
    const guard = createRepeatGuard();
    guard.observe([failing()]);
    guard.observe([failing()]);
    guard.observe([{ tool: "Edit", args: {}, ok: true }]);
    expect(guard.observe([failing()])[0]).toBeUndefined();
  });
});

describe("createMutationGuard", () => {
  const edit = (code: string, path = "a"): FinishedCall & { path: string } => ({
    tool: "Edit",
    args: { path },
    path,
    ok: false,
    failure: { code, text: code },
  });
  const done = (tool: string, path = "a"): FinishedCall & { path: string } => ({
    tool,
    args: { path },
    path,
    ok: true,
  });

  test("the first stale edit of a path is free, three failures in a row after it end the turn", () => {
    const guard = createMutationGuard();
    const codes = ["EDIT_TAG_MISMATCH", "EDIT_LINES_UNSEEN", "EDIT_PARSE_FAILED", "EDIT_TAG_UNKNOWN"];
    const advice = codes.map((code) => guard.observe([edit(code)])[0]);
    expect(advice.map((one) => one?.stop?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      "MUTATION_RETRY_BUDGET_EXHAUSTED",
    ]);
    expect(advice[3]?.stop?.message).toBe('3 edits of "a" failed in a row; the turn was ended');
  });

  test.each(["Read", "Edit", "Write"])("a %s of the path that works clears the count", (tool) => {
    const guard = createMutationGuard();
    for (const code of ["EDIT_TAG_MISMATCH", "EDIT_TAG_MISMATCH", "EDIT_TAG_MISMATCH"]) guard.observe([edit(code)]);
    guard.observe([done(tool)]);
    expect(guard.observe([edit("EDIT_TAG_MISMATCH")])[0]).toBeUndefined();
  });

  test("paths are counted apart", () => {
    const guard = createMutationGuard();
    for (const path of ["a", "b", "a", "b", "a", "b"]) {
      expect(guard.observe([edit("EDIT_TAG_MISMATCH", path)])[0]).toBeUndefined();
    }
  });
});
