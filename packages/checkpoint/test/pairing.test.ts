import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPairing, INTERRUPTED_RESULT, type ModelMessage, repairPairing } from "../src/index.ts";
import { anyMessages } from "./helpers/arbitrary.ts";

const user = (content: string): ModelMessage => ({ role: "user", content });
const says = (content: string): ModelMessage => ({ role: "assistant", content });
const calls = (...ids: string[]): ModelMessage => ({
  role: "assistant",
  content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "Read", input: { path: toolCallId } })),
});
const part = (toolCallId: string, value = `result of ${toolCallId}`) => ({
  type: "tool-result" as const,
  toolCallId,
  toolName: "Read",
  output: { type: "text" as const, value },
});
const results = (...ids: string[]): ModelMessage => ({ role: "tool", content: ids.map((id) => part(id)) });
const interrupted = (toolCallId: string) => ({
  type: "tool-result",
  toolCallId,
  toolName: "Read",
  output: { type: "error-text", value: INTERRUPTED_RESULT },
});

interface Case {
  readonly name: string;
  readonly messages: ModelMessage[];
  readonly kinds: readonly string[];
  readonly repaired: ModelMessage[];
}

const cases: readonly Case[] = [
  {
    name: "a valid history",
    messages: [user("q"), calls("a", "b"), results("a", "b"), says("done")],
    kinds: [],
    repaired: [user("q"), calls("a", "b"), results("a", "b"), says("done")],
  },
  {
    name: "a call without a result at the end",
    messages: [user("q"), calls("a")],
    kinds: ["missing-result"],
    repaired: [user("q"), calls("a"), { role: "tool", content: [interrupted("a")] }] as ModelMessage[],
  },
  {
    name: "a partly answered batch before a new prompt",
    messages: [user("q"), calls("a", "b"), results("a"), user("continue")],
    kinds: ["missing-result"],
    repaired: [
      user("q"),
      calls("a", "b"),
      { role: "tool", content: [part("a"), interrupted("b")] },
      user("continue"),
    ] as ModelMessage[],
  },
  {
    name: "a result without a call",
    messages: [user("q"), results("x"), says("hi")],
    kinds: ["orphan-result"],
    repaired: [user("q"), says("hi")],
  },
  {
    name: "a result that comes twice",
    messages: [calls("a"), results("a", "a"), results("a")],
    kinds: ["duplicate-result", "duplicate-result"],
    repaired: [calls("a"), results("a")],
  },
  {
    name: "results in reversed order",
    messages: [calls("a", "b"), results("b", "a")],
    kinds: ["unordered-results"],
    repaired: [calls("a", "b"), results("a", "b")],
  },
  {
    name: "results split over two messages",
    messages: [calls("a", "b"), results("a"), results("b"), says("done")],
    kinds: ["misplaced-result"],
    repaired: [calls("a", "b"), results("a", "b"), says("done")],
  },
  {
    name: "a result that comes after the next prompt",
    messages: [calls("a"), user("and?"), results("a"), says("done")],
    kinds: ["misplaced-result"],
    repaired: [calls("a"), results("a"), user("and?"), says("done")],
  },
  {
    name: "two batches in a row with all results behind them",
    messages: [calls("a"), calls("b"), results("a", "b")],
    kinds: ["misplaced-result"],
    repaired: [calls("a"), results("a"), calls("b"), results("b")],
  },
  {
    name: "an id used again in a later turn",
    messages: [calls("a"), results("a"), user("again"), calls("a"), results("a")],
    kinds: [],
    repaired: [calls("a"), results("a"), user("again"), calls("a"), results("a")],
  },
  {
    name: "a reused id whose first call was never answered",
    messages: [calls("a"), user("again"), calls("a"), results("a")],
    kinds: ["missing-result"],
    repaired: [
      calls("a"),
      { role: "tool", content: [interrupted("a")] },
      user("again"),
      calls("a"),
      results("a"),
    ] as ModelMessage[],
  },
  {
    name: "one id for two calls of a batch",
    messages: [calls("a", "a"), { role: "tool", content: [part("a", "first"), part("a", "second")] }],
    kinds: ["duplicate-id"],
    repaired: [
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "a", toolName: "Read", input: { path: "a" } },
          { type: "tool-call", toolCallId: "a_2", toolName: "Read", input: { path: "a" } },
        ],
      },
      { role: "tool", content: [part("a", "first"), part("a_2", "second")] },
    ],
  },
  {
    name: "empty messages and parts",
    messages: [
      user(""),
      { role: "user", content: [{ type: "text", text: " " }] },
      {
        role: "user",
        content: [
          { type: "text", text: "" },
          { type: "text", text: "q" },
        ],
      },
      says(" \n"),
      { role: "assistant", content: [] },
      { role: "tool", content: [] },
    ],
    kinds: [
      "empty-message",
      "empty-part",
      "empty-message",
      "empty-part",
      "empty-message",
      "empty-message",
      "empty-message",
    ],
    repaired: [{ role: "user", content: [{ type: "text", text: "q" }] }],
  },
  {
    name: "reasoning that nothing follows",
    messages: [
      { role: "assistant", content: [{ type: "reasoning", text: "hm" }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "so" },
          { type: "reasoning", text: "hm" },
        ],
      },
    ],
    kinds: ["dangling-reasoning", "empty-message", "dangling-reasoning"],
    repaired: [{ role: "assistant", content: [{ type: "text", text: "so" }] }],
  },
  {
    name: "results with empty texts",
    messages: [
      calls("a", "b", "c"),
      {
        role: "tool",
        content: [
          { ...part("a"), output: { type: "error-text", value: " " } },
          {
            ...part("b"),
            output: {
              type: "content",
              value: [
                { type: "text", text: "" },
                { type: "text", text: "b" },
              ],
            },
          },
          part("c", ""),
        ],
      },
    ],
    kinds: ["empty-part"],
    repaired: [
      calls("a", "b", "c"),
      {
        role: "tool",
        content: [
          { ...part("a"), output: { type: "error-text", value: "[the tool failed and gave no reason]" } },
          { ...part("b"), output: { type: "content", value: [{ type: "text", text: "b" }] } },
          part("c", ""),
        ],
      },
    ],
  },
  {
    name: "half a surrogate pair",
    messages: [user("cut \ud83d"), calls("a"), { role: "tool", content: [part("a", "\udc00 cut")] }],
    kinds: ["malformed-text", "malformed-text"],
    repaired: [user("cut \ufffd"), calls("a"), { role: "tool", content: [part("a", "\ufffd cut")] }],
  },
];

describe("checkPairing", () => {
  test.each(cases)("names the violations of $name", ({ messages, kinds }) => {
    expect(checkPairing(messages).map(({ kind }) => kind)).toEqual(kinds);
  });

  test("tells where a violation is and which call it concerns", () => {
    expect(checkPairing([user("q"), calls("a", "b"), results("a")])).toEqual([
      { kind: "missing-result", index: 1, toolCallId: "b", message: 'The call "b" has no result' },
    ]);
  });

  test("reports a reused id only where ids must be unique", () => {
    const messages = [calls("a"), results("a"), calls("a"), results("a")];
    expect(checkPairing(messages)).toEqual([]);
    expect(checkPairing(messages, { uniqueIds: true })).toMatchObject([{ kind: "reused-id", index: 2 }]);
  });
});

describe("repairPairing", () => {
  test.each(cases)("makes $name valid", ({ messages, repaired }) => {
    const before = structuredClone(messages);
    expect(repairPairing(messages)).toEqual(repaired);
    expect(messages).toEqual(before);
  });

  test("gives untouched messages back as the same objects", () => {
    const messages = [user("q"), calls("a"), results("a"), says("done")];
    expect(repairPairing(messages).every((message, at) => message === messages[at])).toBe(true);
  });

  test("renames later uses of an id, and only by what came before", () => {
    const start = [calls("a"), results("a"), calls("a"), results("a")];
    const idsOf = (messages: readonly ModelMessage[]) =>
      repairPairing(messages, { uniqueIds: true }).flatMap(({ content }) =>
        typeof content === "string" ? [] : content.flatMap((one) => ("toolCallId" in one ? [one.toolCallId] : [])),
      );
    expect(idsOf(start)).toEqual(["a", "a", "a_2", "a_2"]);
    expect(idsOf([...start, calls("a_2", "a"), results("a", "a_2")])).toEqual([
      ...["a", "a", "a_2", "a_2"],
      ...["a_2_2", "a_3", "a_2_2", "a_3"],
    ]);
  });

  test("keeps a renamed id within 40 characters", () => {
    const id = "x".repeat(60);
    const [, , second] = repairPairing([calls(id), results(id), calls(id), results(id)], { uniqueIds: true });
    expect(second?.content).toMatchObject([{ toolCallId: `${"x".repeat(38)}_2` }]);
  });

  test("leaves calls that the provider ran itself alone", () => {
    const messages: ModelMessage[] = [
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "s", toolName: "web_search", input: {}, providerExecuted: true },
          { type: "tool-result", toolCallId: "s", toolName: "web_search", output: { type: "json", value: [] } },
          { type: "text", text: "found" },
        ],
      },
    ];
    expect(checkPairing(messages)).toEqual([]);
    expect(repairPairing(messages)).toEqual(messages);
  });

  test("moves a result out of the assistant message that holds it", () => {
    const call = { type: "tool-call" as const, toolCallId: "a", toolName: "Read", input: {} };
    expect(repairPairing([{ role: "assistant", content: [call, part("a")] }])).toEqual([
      { role: "assistant", content: [call] },
      { role: "tool", content: [part("a")] },
    ]);
  });

  test("leaves a call open that the last message approves, and closes it once a prompt follows", () => {
    const asked: ModelMessage = {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "a", toolName: "Bash", input: {} },
        { type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
      ],
    };
    const answer: ModelMessage = {
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId: "p", approved: true }],
    };
    expect(repairPairing([asked, answer])).toEqual([asked, answer]);
    expect(checkPairing([asked, answer])).toEqual([]);
    expect(repairPairing([asked, answer, user("well?")])).toEqual([
      asked,
      { role: "tool", content: [{ ...interrupted("a"), toolName: "Bash" }, ...answer.content] },
      user("well?"),
    ]);
  });

  test("drops a message that holds only notes of an adapter, and keeps such notes beside content", () => {
    const note = { type: "custom", kind: "anthropic.message_start" };
    const messages = [
      { role: "assistant" as const, content: [note] },
      { role: "assistant" as const, content: [note, { type: "text", text: "hi" }] },
    ];
    expect(repairPairing(messages)).toEqual([messages[1]]);
  });

  test("stays fast with ten thousand turns that use one id", () => {
    const messages = Array.from({ length: 10_000 }, () => [calls("call_0"), results("call_0")]).flat();
    const started = performance.now();
    expect(checkPairing(repairPairing(messages, { uniqueIds: true }), { uniqueIds: true })).toEqual([]);
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  test.each([false, true])("makes any messages valid, once and for all (unique ids: %s)", (uniqueIds) => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const before = JSON.stringify(messages);
        const repaired = repairPairing(messages, { uniqueIds });
        expect(JSON.stringify(messages)).toBe(before);
        expect(checkPairing(repaired, { uniqueIds })).toEqual([]);
        expect(repairPairing(repaired, { uniqueIds })).toEqual(repaired);
        expect(repairPairing(messages, { uniqueIds })).toEqual(repaired);
        expect(userTexts(repaired)).toEqual(userTexts(messages));
      }),
      { numRuns: 300 },
    );
  });

  test.each(["null", "undefined"])("drops a stored message whose content is %s", (content) => {
    const messages: ModelMessage[] = JSON.parse(
      `[{"role":"user","content":"q"},{"role":"assistant"${content === "null" ? ',"content":null' : ""}}]`,
    );
    expect(checkPairing(messages).map(({ kind, index }) => [kind, index])).toEqual([["empty-message", 1]]);
    expect(repairPairing(messages)).toEqual([{ role: "user", content: "q" }]);
  });
});

function userTexts(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => {
    if (message.role !== "user") return [];
    const texts =
      typeof message.content === "string"
        ? [message.content]
        : message.content.flatMap((one) => (one.type === "text" ? [one.text] : []));
    return texts.map((text) => text.toWellFormed()).filter((text) => text.trim() !== "");
  });
}
