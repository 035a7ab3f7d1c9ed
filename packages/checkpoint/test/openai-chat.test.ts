import { describe, expect, test } from "vitest";
import { INTERRUPTED_RESULT } from "../src/index.ts";
import { type ChatMessage, checkPairing, repairPairing } from "../src/openai-chat.ts";
import { chatCall } from "./helpers/wire.ts";

const user = (content: unknown): ChatMessage => ({ role: "user", content });
const says = (content: unknown): ChatMessage => ({ role: "assistant", content });
const calls = (...ids: string[]): ChatMessage => ({ role: "assistant", content: null, tool_calls: ids.map(chatCall) });
const result = (id: string, content: unknown = `result of ${id}`): ChatMessage => ({
  role: "tool",
  tool_call_id: id,
  content,
});

interface Case {
  readonly name: string;
  readonly messages: ChatMessage[];
  readonly problems: readonly (readonly [kind: string, index: number])[];
  readonly repaired: ChatMessage[];
}

const cases: readonly Case[] = [
  {
    name: "a valid history",
    messages: [{ role: "developer", content: "be kind" }, user("q"), calls("a", "b"), result("a"), result("b", "")],
    problems: [],
    repaired: [{ role: "developer", content: "be kind" }, user("q"), calls("a", "b"), result("a"), result("b", "")],
  },
  {
    name: "a partly answered batch before a prompt",
    messages: [calls("a", "b"), result("b"), user("go on")],
    problems: [["missing-result", 0]],
    repaired: [calls("a", "b"), result("a", INTERRUPTED_RESULT), result("b"), user("go on")],
  },
  {
    name: "orphans, duplicates and late results",
    messages: [result("x"), calls("a"), user("and?"), result("a"), result("a")],
    problems: [
      ["orphan-result", 0],
      ["misplaced-result", 3],
      ["duplicate-result", 4],
    ],
    repaired: [calls("a"), result("a"), user("and?")],
  },
  {
    name: "two batches in a row with all results behind them",
    messages: [calls("a"), calls("b"), result("a"), result("b")],
    problems: [["misplaced-result", 2]],
    repaired: [calls("a"), result("a"), calls("b"), result("b")],
  },
  {
    name: "results in reversed order",
    messages: [calls("a", "b"), result("b"), result("a")],
    problems: [["unordered-results", 0]],
    repaired: [calls("a", "b"), result("a"), result("b")],
  },
  {
    name: "empty messages and parts",
    messages: [
      user(""),
      user([
        { type: "text", text: "" },
        { type: "text", text: "q" },
      ]),
      says(null),
      { ...says(""), tool_calls: [] },
      { ...says("so"), tool_calls: [] },
      { ...calls("a"), content: [{ type: "text", text: "" }] },
      result("a"),
    ],
    problems: [
      ["empty-message", 0],
      ["empty-part", 1],
      ["empty-message", 2],
      ["empty-message", 3],
      ["empty-part", 4],
      ["empty-part", 5],
    ],
    repaired: [user([{ type: "text", text: "q" }]), says("so"), calls("a"), result("a")],
  },
  {
    name: "an assistant message that refuses, and one of the older kind of call",
    messages: [
      { role: "assistant", content: null, ...{ refusal: "no" } },
      { role: "assistant", content: null, ...{ function_call: { name: "f", arguments: "{}" } } },
      { role: "function", content: "", ...{ name: "f" } },
    ],
    problems: [],
    repaired: [
      { role: "assistant", content: null, ...{ refusal: "no" } },
      { role: "assistant", content: null, ...{ function_call: { name: "f", arguments: "{}" } } },
      { role: "function", content: "", ...{ name: "f" } },
    ],
  },
  {
    name: "one id for two calls of a batch",
    messages: [calls("a", "a"), result("a", "1"), result("a", "2")],
    problems: [["duplicate-id", 0]],
    repaired: [
      { role: "assistant", content: null, tool_calls: [chatCall("a"), { ...chatCall("a"), id: "a_2" }] },
      result("a", "1"),
      result("a_2", "2"),
    ],
  },
];

describe("checkPairing", () => {
  test.each(cases)("names the violations of $name", ({ messages, problems }) => {
    expect(checkPairing(messages).map(({ kind, index }) => [kind, index])).toEqual(problems);
  });
});

describe("repairPairing", () => {
  test.each(cases)("makes $name valid, once and for all", ({ messages, repaired }) => {
    const before = structuredClone(messages);
    expect(repairPairing(messages)).toEqual(repaired);
    expect(repairPairing(repaired)).toEqual(repaired);
    expect(checkPairing(repaired)).toEqual([]);
    expect(messages).toEqual(before);
  });

  test("gives untouched messages back as the same objects", () => {
    const messages = [user("q"), calls("a"), result("a"), says("done")];
    expect(repairPairing(messages).every((message, at) => message === messages[at])).toBe(true);
  });

  test("answers the calls of a server that gives them no ids", () => {
    const nameless = { type: "function", function: { name: "Read", arguments: "{}" } };
    const asked = { role: "assistant", content: null, tool_calls: [nameless] };
    const answered = { role: "tool", content: "1" };
    expect(checkPairing([asked, answered])).toEqual([]);
    expect(repairPairing([asked, answered])).toEqual([asked, answered]);
    expect(checkPairing(repairPairing([user("q"), asked]))).toEqual([]);
  });

  test("renames later uses of an id where ids must be unique", () => {
    const messages = [calls("a"), result("a"), calls("a"), result("a")];
    expect(repairPairing(messages)).toEqual(messages);
    const [, , again, answer] = repairPairing(messages, { uniqueIds: true });
    expect(again?.tool_calls).toEqual([{ ...chatCall("a"), id: "a_2" }]);
    expect(answer).toEqual({ ...result("a"), tool_call_id: "a_2" });
  });
});
