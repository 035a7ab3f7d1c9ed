import { describe, expect, test } from "vitest";
import { callTarget } from "../../src/report/call-target.ts";
import type { CompactionFact, Fact } from "../../src/report/fact.ts";
import { createLedger, type ResultRow } from "../../src/report/ledger.ts";

const context = "main";
const request: Fact = { kind: "request", context };
let ids = 0;

function called(
  tool: string,
  args: unknown,
  more: { tokens?: number; id?: string; isError?: boolean; truncated?: boolean } = {},
): Fact[] {
  ids += 1;
  const { tokens = 100, id = `c${ids}`, isError = false, truncated = false } = more;
  return [
    { kind: "call", context, id, tool, tokens: 1, ...callTarget(tool, args) },
    { kind: "result", context, id, tokens, images: 0, isError, truncated },
  ];
}

function compaction(leaves: CompactionFact["leaves"]): Fact {
  return { kind: "compaction", context, leaves, cause: "compaction" };
}

function rowsOf(...facts: readonly (Fact | readonly Fact[])[]): readonly ResultRow[] {
  const ledger = createLedger();
  for (const fact of facts.flat()) ledger.add(fact);
  return ledger.finish().rows;
}

const sends = (rows: readonly ResultRow[]): number[] => rows.map((row) => row.sends);
const repeats = (rows: readonly ResultRow[]): boolean[] => rows.map((row) => row.isRepeat);

describe("createLedger", () => {
  test("a result is sent with every later request until a compaction", () => {
    const rows = rowsOf(
      request,
      called("Read", { path: "a" }),
      request,
      request,
      called("Read", { path: "b" }),
      compaction({ all: true }),
      request,
    );
    expect(sends(rows)).toEqual([2, 0]);
  });

  test("what a compaction keeps is sent on, what is cleared is not", () => {
    const three = ["a", "b", "c"].flatMap((path) => called("Read", { path }, { id: path }));
    expect(sends(rowsOf(three, request, compaction({ all: true, keepNewest: 1 }), request))).toEqual([1, 1, 2]);
    expect(sends(rowsOf(three, request, compaction({ all: true, keep: ["b"] }), request))).toEqual([1, 2, 1]);
    expect(sends(rowsOf(three, request, compaction({ all: false, cleared: ["b", "x"] }), request))).toEqual([2, 1, 2]);
  });

  test("the same request or result told twice counts once, a later version replaces", () => {
    const [call, result] = called("Read", { path: "a" }, { id: "once" });
    const one: Fact = { kind: "request", context, id: "r" };
    const rows = rowsOf(call ?? [], result ?? [], result ?? [], one, one, {
      ...(result as Extract<Fact, { kind: "result" }>),
      tokens: 7,
      replaces: true,
    });
    expect(rows).toMatchObject([{ tokens: 7, sends: 1 }]);
  });

  test.each<[string, Fact[][], boolean[]]>([
    ["the same read", [called("Read", { path: "a" }), called("Read", { path: "a" })], [false, true]],
    [
      "a part of a whole read",
      [called("Read", { path: "a" }), called("Read", { path: "a", offset: 5, limit: 2 })],
      [false, true],
    ],
    [
      "a part of a read that was cut",
      [called("Read", { path: "a" }, { truncated: true }), called("Read", { path: "a", offset: 5, limit: 2 })],
      [false, false],
    ],
    [
      "the next part",
      [called("Read", { path: "a", limit: 9 }), called("Read", { path: "a", offset: 10, limit: 9 })],
      [false, false],
    ],
    ["another file", [called("Read", { path: "a" }), called("Read", { path: "b" })], [false, false]],
    [
      "after an edit",
      [called("Read", { path: "a" }), called("Edit", { path: "a" }), called("Read", { path: "a" })],
      [false, false, false],
    ],
    [
      "after an edit of another file",
      [called("Read", { path: "a" }), called("Edit", { path: "b" }), called("Read", { path: "a" })],
      [false, false, true],
    ],
    [
      "after a compaction",
      [called("Read", { path: "a" }), [compaction({ all: true })], called("Read", { path: "a" })],
      [false, false],
    ],
    [
      "after a read that failed",
      [called("Read", { path: "a" }, { isError: true }), called("Read", { path: "a" })],
      [false, false],
    ],
    ["the same search", [called("Grep", { pattern: "a" }), called("Grep", { pattern: "a" })], [false, true]],
    ["the same command", [called("Bash", { command: "ls" }), called("Bash", { command: "ls" })], [false, false]],
  ])("%s", (_, facts, wanted) => {
    expect(repeats(rowsOf(...facts))).toEqual(wanted);
  });
});
