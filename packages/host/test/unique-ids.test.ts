import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withUniqueIds } from "../src/unique-ids.ts";

const part = (toolCallId: string): { type: "tool-call"; toolCallId: string; toolName: string; input: object } => ({
  type: "tool-call",
  toolCallId,
  toolName: "Read",
  input: {},
});
const renamed = (ids: readonly string[], used: readonly string[]): string[] => {
  const calls = ids.map((toolCallId) => ({ toolCallId, toolName: "Read", input: {} }));
  const unique = withUniqueIds(ids.map(part), calls, new Set(used));
  const inContent = unique.content.flatMap((one) => (one.type === "tool-call" ? [one.toolCallId] : []));
  expect(unique.calls.map(({ toolCallId }) => toolCallId)).toEqual(inContent);
  return inContent;
};

describe("withUniqueIds", () => {
  test.each([
    [["a", "b"], [], ["a", "b"]],
    [["a", "a"], [], ["a", "a_2"]],
    [["a"], ["a", "a_2"], ["a_3"]],
    [["", ""], [], ["call", "call_2"]],
    [["x".repeat(40)], ["x".repeat(40)], [`${"x".repeat(38)}_2`]],
  ])("%j beside %j become %j", (ids, used, expected) => {
    expect(renamed(ids, used)).toEqual(expected);
  });

  test("whatever a server sends, no id is used twice and none that is free is changed", () => {
    const id = fc.constantFrom("", "a", "b", "a_2", "call", "call_2");
    fc.assert(
      fc.property(fc.array(id, { maxLength: 8 }), fc.array(id, { maxLength: 4 }), (ids, used) => {
        const result = renamed(ids, used);
        expect(new Set([...result, ...used]).size).toBe(result.length + new Set(used).size);
        if (ids[0] !== undefined && ids[0] !== "" && !used.includes(ids[0])) expect(result[0]).toBe(ids[0]);
      }),
      { numRuns: 200 },
    );
  });
});
