import { describe, expect, test } from "vitest";
import { INTERRUPTED_RESULT } from "../src/index.ts";
import { checkPairing, type ResponseItem, repairPairing } from "../src/openai-responses.ts";
import { functionCall as call } from "./helpers/wire.ts";

const user = (content: unknown): ResponseItem => ({ role: "user", content });
const says = (content: unknown): ResponseItem => ({ type: "message", role: "assistant", content });
const output = (id: string, text = `result of ${id}`): ResponseItem => ({
  type: "function_call_output",
  call_id: id,
  output: text,
});
const reasoning = (id: string): ResponseItem => ({ type: "reasoning", ...{ id, summary: [] } });

interface Case {
  readonly name: string;
  readonly items: ResponseItem[];
  readonly problems: readonly (readonly [kind: string, index: number])[];
  readonly repaired: ResponseItem[];
}

const same = (name: string, items: ResponseItem[]): Case => ({ name, items, problems: [], repaired: items });

const cases: readonly Case[] = [
  same("a valid history", [
    user("q"),
    reasoning("r1"),
    call("a"),
    call("b"),
    output("a"),
    output("b"),
    reasoning("r2"),
    says("done"),
  ]),
  same("calls answered one by one", [call("a"), output("a"), call("b"), output("b")]),
  {
    name: "a call without an output before a prompt",
    items: [user("q"), reasoning("r"), call("a"), call("b"), output("b"), user("go on")],
    problems: [["missing-result", 2]],
    repaired: [
      user("q"),
      reasoning("r"),
      call("a"),
      call("b"),
      output("a", INTERRUPTED_RESULT),
      output("b"),
      user("go on"),
    ],
  },
  {
    name: "an unanswered custom call",
    items: [{ type: "custom_tool_call", call_id: "c", ...{ name: "patch", input: "x" } }],
    problems: [["missing-result", 0]],
    repaired: [
      { type: "custom_tool_call", call_id: "c", ...{ name: "patch", input: "x" } },
      { type: "custom_tool_call_output", call_id: "c", output: INTERRUPTED_RESULT },
    ],
  },
  {
    name: "orphans, duplicates and late outputs",
    items: [output("x"), call("a"), user("and?"), output("a"), output("a")],
    problems: [
      ["orphan-result", 0],
      ["misplaced-result", 3],
      ["duplicate-result", 4],
    ],
    repaired: [call("a"), output("a"), user("and?")],
  },
  {
    name: "reasoning that nothing follows",
    items: [user("q"), reasoning("r1"), user("go on"), call("a"), reasoning("r2"), output("a"), reasoning("r3")],
    problems: [
      ["dangling-reasoning", 1],
      ["dangling-reasoning", 4],
      ["dangling-reasoning", 6],
    ],
    repaired: [user("q"), user("go on"), call("a"), output("a")],
  },
  {
    name: "empty messages and parts, with the reasoning before them",
    items: [
      user(""),
      user([
        { type: "input_text", text: "" },
        { type: "input_text", text: "q" },
      ]),
      reasoning("r"),
      says([{ type: "output_text", text: " " }]),
    ],
    problems: [
      ["empty-message", 0],
      ["empty-part", 1],
      ["dangling-reasoning", 2],
      ["empty-message", 3],
    ],
    repaired: [user([{ type: "input_text", text: "q" }])],
  },
  same("outputs of calls behind references", [
    { type: "item_reference", ...{ id: "fc_1" } },
    output("a"),
    { type: null, ...{ id: "fc_2" } },
    output("b"),
  ]),
  same("calls of other kinds", [
    { type: "shell_call", call_id: "s", ...{ action: { commands: ["ls"] } } },
    { type: "shell_call_output", call_id: "s", output: [] },
  ]),
  {
    name: "one id for two calls",
    items: [call("a"), call("a"), output("a", "1"), output("a", "2")],
    problems: [["duplicate-id", 1]],
    repaired: [call("a"), { ...call("a"), call_id: "a_2" }, output("a", "1"), output("a_2", "2")],
  },
];

describe("checkPairing", () => {
  test.each(cases)("names the violations of $name", ({ items, problems }) => {
    expect(checkPairing(items).map(({ kind, index }) => [kind, index])).toEqual(problems);
  });
});

describe("repairPairing", () => {
  test.each(cases)("makes $name valid, once and for all", ({ items, repaired }) => {
    const before = structuredClone(items);
    expect(repairPairing(items)).toEqual(repaired);
    expect(repairPairing(repaired)).toEqual(repaired);
    expect(checkPairing(repaired)).toEqual([]);
    expect(items).toEqual(before);
  });

  test("leaves a function output that answers a call of another kind where it is", () => {
    const items = [{ type: "local_shell_call", call_id: "s" }, output("s"), call("a"), output("a"), output("gone")];
    expect(repairPairing(items)).toEqual(items.slice(0, -1));
    expect(checkPairing(items).map(({ kind, index }) => [kind, index])).toEqual([["orphan-result", 4]]);
  });

  test("renames later uses of an id where ids must be unique", () => {
    const items = [call("a"), output("a"), call("a"), output("a")];
    expect(repairPairing(items)).toEqual(items);
    expect(repairPairing(items, { uniqueIds: true }).map(({ call_id: id }) => id)).toEqual(["a", "a", "a_2", "a_2"]);
  });
});
