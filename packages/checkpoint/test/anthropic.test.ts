import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AnthropicBlock, type AnthropicMessage, checkPairing, repairPairing } from "../src/anthropic.ts";
import { INTERRUPTED_RESULT } from "../src/index.ts";
import { refusalOf } from "./helpers/strict-server.ts";
import { toolResult, toolUse } from "./helpers/wire.ts";

const user = (content: AnthropicMessage["content"]): AnthropicMessage => ({ role: "user", content });
const assistant = (content: AnthropicMessage["content"]): AnthropicMessage => ({ role: "assistant", content });
const text = (value: string): AnthropicBlock => ({ type: "text", ...{ text: value } });
const thinking: AnthropicBlock = { type: "thinking", ...{ thinking: "hm", signature: "s" } };
const interrupted = (id: string): AnthropicBlock => ({ ...toolResult(id, INTERRUPTED_RESULT), is_error: true });

interface Case {
  readonly name: string;
  readonly messages: AnthropicMessage[];
  readonly kinds: readonly string[];
  readonly repaired: AnthropicMessage[];
}

const cases: readonly Case[] = [
  {
    name: "a valid history",
    messages: [
      user("q"),
      assistant([thinking, toolUse("a"), toolUse("b")]),
      user([toolResult("a"), toolResult("b"), text("and?")]),
    ],
    kinds: [],
    repaired: [
      user("q"),
      assistant([thinking, toolUse("a"), toolUse("b")]),
      user([toolResult("a"), toolResult("b"), text("and?")]),
    ],
  },
  {
    name: "an unanswered call at the end",
    messages: [user("q"), assistant([text("look"), toolUse("a")])],
    kinds: ["missing-result"],
    repaired: [user("q"), assistant([text("look"), toolUse("a")]), user([interrupted("a")])],
  },
  {
    name: "an unanswered call before a prompt",
    messages: [assistant([toolUse("a"), toolUse("b")]), user("go on")],
    kinds: ["missing-result", "missing-result"],
    repaired: [assistant([toolUse("a"), toolUse("b")]), user([interrupted("a"), interrupted("b")]), user("go on")],
  },
  {
    name: "a partly answered batch beside a text",
    messages: [assistant([toolUse("a"), toolUse("b")]), user([text("stop"), toolResult("b")])],
    kinds: ["missing-result", "misplaced-result"],
    repaired: [assistant([toolUse("a"), toolUse("b")]), user([interrupted("a"), toolResult("b"), text("stop")])],
  },
  {
    name: "orphans, duplicates and late results",
    messages: [
      user([toolResult("x"), text("q")]),
      assistant([toolUse("a")]),
      user("and?"),
      user([toolResult("a"), toolResult("a")]),
    ],
    kinds: ["orphan-result", "misplaced-result", "duplicate-result"],
    repaired: [user([text("q")]), assistant([toolUse("a")]), user([toolResult("a")]), user("and?")],
  },
  {
    name: "results in reversed order",
    messages: [assistant([toolUse("a"), toolUse("b")]), user([toolResult("b"), toolResult("a")])],
    kinds: ["unordered-results"],
    repaired: [assistant([toolUse("a"), toolUse("b")]), user([toolResult("a"), toolResult("b")])],
  },
  {
    name: "a result inside the assistant message",
    messages: [assistant([toolUse("a"), toolResult("a")]), user("go on")],
    kinds: ["misplaced-result"],
    repaired: [assistant([toolUse("a")]), user([toolResult("a")]), user("go on")],
  },
  {
    name: "empty texts and thinking that nothing follows",
    messages: [user(""), user([text(" "), text("q")]), assistant([]), assistant([thinking]), assistant("so")],
    kinds: ["empty-message", "empty-part", "empty-message", "dangling-reasoning", "empty-message"],
    repaired: [user([text("q")]), assistant("so")],
  },
  {
    name: "results without words",
    messages: [
      assistant([toolUse("a"), toolUse("b"), toolUse("c"), toolUse("d")]),
      user([
        { ...toolResult("a", ""), is_error: true },
        { ...toolResult("b"), content: [text(""), text("b")] },
        toolResult("c", ""),
        { ...toolResult("d"), content: [text("")] },
      ]),
    ],
    kinds: ["empty-part"],
    repaired: [
      assistant([toolUse("a"), toolUse("b"), toolUse("c"), toolUse("d")]),
      user([
        { ...toolResult("a", "[the tool failed and gave no reason]"), is_error: true },
        { ...toolResult("b"), content: [text("b")] },
        toolResult("c", ""),
        toolResult("d", ""),
      ]),
    ],
  },
  {
    name: "one id for two calls of a batch",
    messages: [assistant([toolUse("a"), toolUse("a")]), user([toolResult("a", "1"), toolResult("a", "2")])],
    kinds: ["duplicate-id"],
    repaired: [
      assistant([toolUse("a"), { ...toolUse("a"), id: "a_2" }]),
      user([toolResult("a", "1"), toolResult("a_2", "2")]),
    ],
  },
  {
    name: "calls that the provider runs itself",
    messages: [
      user("q"),
      assistant([
        { type: "server_tool_use", id: "s", ...{ name: "web_search", input: {} } },
        { type: "web_search_tool_result", tool_use_id: "s", content: [] },
        text("found"),
      ]),
    ],
    kinds: [],
    repaired: [
      user("q"),
      assistant([
        { type: "server_tool_use", id: "s", ...{ name: "web_search", input: {} } },
        { type: "web_search_tool_result", tool_use_id: "s", content: [] },
        text("found"),
      ]),
    ],
  },
  {
    name: "messages of another role",
    messages: [{ role: "system" }, user("cut \ud83d")],
    kinds: ["malformed-text"],
    repaired: [{ role: "system" }, user("cut \ufffd")],
  },
];

describe("checkPairing", () => {
  test.each(cases)("names the violations of $name", ({ messages, kinds }) => {
    expect(checkPairing(messages).map(({ kind }) => kind)).toEqual(kinds);
  });

  test("reports a reused id only where ids must be unique", () => {
    const messages = [assistant([toolUse("a")]), user([toolResult("a")])];
    expect(checkPairing([...messages, ...messages])).toEqual([]);
    expect(checkPairing([...messages, ...messages], { uniqueIds: true })).toEqual([
      { kind: "reused-id", index: 2, toolCallId: "a", message: 'The id "a" was already used by an earlier call' },
    ]);
  });
});

describe("repairPairing", () => {
  test.each(cases)("makes $name valid", ({ messages, repaired }) => {
    const before = structuredClone(messages);
    expect(repairPairing(messages)).toEqual(repaired);
    expect(messages).toEqual(before);
  });

  test("gives untouched messages back as the same objects", () => {
    const messages = [user("q"), assistant([toolUse("a")]), user([toolResult("a"), text("and?")]), assistant("done")];
    expect(repairPairing(messages).every((message, at) => message === messages[at])).toBe(true);
  });

  test("takes null for no content", () => {
    const messages = [user("q"), { role: "assistant", content: null }, user("w")];
    expect(checkPairing(messages).map(({ kind, index }) => [kind, index])).toEqual([["empty-message", 1]]);
    expect(repairPairing(messages)).toEqual([user("q"), user("w")]);
  });

  test("makes any messages valid, once and for all", () => {
    const block = fc.constantFrom(
      ...["a", "b", "a_2"].flatMap((id) => [toolUse(id), toolResult(id), toolResult(id, "")]),
      ...[text("t"), text(""), text("\udc00"), thinking, { ...toolResult("a", ""), is_error: true }],
    );
    const blocks = fc.oneof(fc.constantFrom("", "words", " "), fc.array(block, { maxLength: 4 }));
    const message = fc.tuple(fc.boolean(), blocks).map(([isUser, content]) => (isUser ? user : assistant)(content));
    const options = { uniqueIds: true };
    fc.assert(
      fc.property(fc.array(message, { maxLength: 10 }), (messages) => {
        const repaired = repairPairing(messages, options);
        expect(checkPairing(repaired, options)).toEqual([]);
        expect(repairPairing(repaired, options)).toEqual(repaired);
        expect(refusalOf("anthropic", { messages: repaired })).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});
