import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { APICallError, generateText, type LanguageModel } from "ai";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import * as anthropic from "../src/anthropic.ts";
import { buildContext, checkPairing, type ModelMessage, repairPairing } from "../src/index.ts";
import * as chat from "../src/openai-chat.ts";
import * as responses from "../src/openai-responses.ts";
import { anyMessages, history } from "./helpers/arbitrary.ts";
import { compact } from "./helpers/compaction.ts";
import { A, calls, results, U } from "./helpers/messages.ts";
import { refusalOf, startStrictServer, strictFetch, type WireFormat } from "./helpers/strict-server.ts";
import { bodyOf, type Said, toAnthropic, toChat, toResponses } from "./helpers/wire.ts";

beforeAll(() => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
});

const formats: readonly WireFormat[] = ["anthropic", "openai-chat", "openai-responses"];

interface Row {
  readonly name: string;
  readonly steps: readonly Said[];
  /** The words each provider refuses it with; "" where it is taken. */
  readonly refused: Readonly<Record<WireFormat, string>>;
}

const UNANSWERED = {
  anthropic: "without `tool_result` blocks immediately after",
  "openai-chat": "must be followed by tool messages responding to each 'tool_call_id'",
  "openai-responses": "No tool output found for function call",
};
const TAKEN = { anthropic: "", "openai-chat": "", "openai-responses": "" };

const rows: readonly Row[] = [
  {
    name: "a call without a result",
    steps: [
      ["user", "q"],
      ["calls", "a", "b"],
      ["results", "a"],
      ["user", "go on"],
    ],
    refused: UNANSWERED,
  },
  {
    name: "a result without a call",
    steps: [
      ["user", "q"],
      ["results", "x"],
      ["says", "hm"],
      ["user", "go on"],
    ],
    refused: {
      anthropic: "unexpected `tool_use_id`",
      "openai-chat": "must be a response to a preceeding message with 'tool_calls'",
      "openai-responses": "No tool call found for function call output",
    },
  },
  {
    name: "results that come later",
    steps: [
      ["user", "q"],
      ["calls", "a"],
      ["user", "go on"],
      ["results", "a"],
    ],
    refused: { ...UNANSWERED, "openai-responses": "" },
  },
  {
    name: "results in reversed order",
    steps: [
      ["user", "q"],
      ["calls", "a", "b"],
      ["results", "b", "a"],
    ],
    refused: TAKEN,
  },
  {
    name: "results in two messages",
    steps: [
      ["user", "q"],
      ["calls", "a", "b"],
      ["results", "a"],
      ["results", "b"],
    ],
    refused: TAKEN,
  },
  {
    name: "a result that comes twice",
    steps: [
      ["user", "q"],
      ["calls", "a"],
      ["results", "a", "a"],
    ],
    refused: { ...TAKEN, anthropic: "must have a single result" },
  },
  {
    name: "an id used again in a later turn",
    steps: [
      ["user", "q"],
      ["calls", "a"],
      ["results", "a"],
      ["user", "again"],
      ["calls", "a"],
      ["results", "a"],
    ],
    refused: { ...TAKEN, anthropic: "ids must be unique" },
  },
  {
    name: "two assistant messages with calls, all results behind both",
    steps: [
      ["user", "q"],
      ["calls", "a"],
      ["calls", "b"],
      ["results", "a", "b"],
    ],
    refused: { ...TAKEN, "openai-chat": "must be followed by tool messages" },
  },
  {
    name: "a user message without a text",
    steps: [
      ["user", "q"],
      ["says", "yes"],
      ["user", ""],
    ],
    refused: { ...TAKEN, anthropic: "must be non-empty" },
  },
  {
    name: "an assistant message without a text",
    steps: [
      ["user", "q"],
      ["says", ""],
      ["user", "go on"],
    ],
    refused: { ...TAKEN, anthropic: "must be non-empty" },
  },
  {
    name: "half a character",
    steps: [
      ["user", "cut \ud83d"],
      ["calls", "a"],
      ["results", "a"],
    ],
    refused: { anthropic: "surrogate", "openai-chat": "surrogate", "openai-responses": "surrogate" },
  },
];

function repairedBody(format: WireFormat, steps: readonly Said[]): Record<string, unknown> {
  const options = { uniqueIds: true };
  if (format === "anthropic") return { messages: anthropic.repairPairing(toAnthropic(steps), options) };
  if (format === "openai-chat") return { messages: chat.repairPairing(toChat(steps), options) };
  return { input: responses.repairPairing(toResponses(steps), options) };
}

const said: fc.Arbitrary<Said> = fc.oneof(
  fc.constantFrom<Said>(["user", "q"], ["user", ""], ["says", "so"], ["says", " "], ["user", "\ud83d"]),
  fc.array(fc.constantFrom("a", "b", "c", "a_2"), { maxLength: 3 }).map((ids): Said => ["calls", ...ids]),
  fc.array(fc.constantFrom("a", "b", "c", "a_2"), { maxLength: 3 }).map((ids): Said => ["results", ...ids]),
);

describe.each(formats)("the wire format %s", (format) => {
  test.each(rows)("is refused or taken as its provider does: $name", async ({ steps, refused }) => {
    const { url } = await startStrictServer();
    const path = { anthropic: "/messages", "openai-chat": "/chat/completions", "openai-responses": "/responses" };
    const body = JSON.stringify(bodyOf(format, steps));
    const response = await fetch(url + path[format], { method: "POST", body });
    const text = await response.text();
    expect(response.status).toBe(refused[format] === "" ? 200 : 400);
    expect(text).toContain(refused[format]);
  });

  test.each(rows)("is taken once repaired: $name", ({ steps }) => {
    expect(refusalOf(format, repairedBody(format, steps))).toBeUndefined();
  });

  test("is taken once repaired, whatever it was", () => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 12 }), (steps) => {
        expect(refusalOf(format, repairedBody(format, steps))).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});

interface Provider {
  readonly name: string;
  readonly modelAt: (baseURL: string, fetch?: typeof globalThis.fetch) => LanguageModel;
}

const providers: readonly Provider[] = [
  {
    name: "@ai-sdk/anthropic",
    modelAt: (baseURL, fetch) =>
      createAnthropic({ baseURL, apiKey: "none", ...(fetch === undefined ? {} : { fetch }) })("m"),
  },
  {
    name: "@ai-sdk/openai, chat",
    modelAt: (baseURL, fetch) =>
      createOpenAI({ baseURL, apiKey: "none", ...(fetch === undefined ? {} : { fetch }) }).chat("m"),
  },
  {
    name: "@ai-sdk/openai, responses",
    modelAt: (baseURL, fetch) =>
      createOpenAI({ baseURL, apiKey: "none", ...(fetch === undefined ? {} : { fetch }) }).responses("m"),
  },
];

async function send(model: LanguageModel, messages: ModelMessage[]): Promise<string> {
  const { text } = await generateText({ model, messages, maxRetries: 0 });
  return text;
}

const broken: readonly (readonly [string, ModelMessage[]])[] = [
  ["an unanswered call", [U("q"), calls({ a: {}, b: {} }), results({ a: "x" }), U("go on")]],
  ["an orphan result", [U("q"), results({ x: "lost" }), U("go on")]],
  ["a late result", [U("q"), calls({ a: {} }), U("go on"), results({ a: "late" })]],
  ["a result twice", [U("q"), calls({ a: {} }), results({ a: "x" }), results({ a: "x" })]],
  ["an id of an earlier turn", [U("q"), calls({ a: {} }), results({ a: "1" }), calls({ a: {} }), results({ a: "2" })]],
  ["two batches, results behind", [U("q"), calls({ a: {} }), calls({ b: {} }), results({ a: "1", b: "2" })]],
  ["empty messages", [U("q"), A(""), U(" "), A("so"), U("go on")]],
];

describe.each(providers)("$name", ({ modelAt }) => {
  test("sends an orphan result as it is, and is refused", async () => {
    const { url } = await startStrictServer();
    const messages = [U("q"), A("so"), results({ x: "lost" }), U("go on")];
    await expect(send(modelAt(url), messages)).rejects.toThrow(APICallError);
    expect(await send(modelAt(url), repairPairing(messages))).toBe("taken");
  });

  test.each(broken)("is taken with %s once repaired", async (_, messages) => {
    const { url } = await startStrictServer();
    const repaired = repairPairing(messages, { uniqueIds: true });
    expect(checkPairing(repaired, { uniqueIds: true })).toEqual([]);
    expect(await send(modelAt(url), repaired)).toBe("taken");
  });

  test("is taken with any messages once repaired", async () => {
    const model = modelAt("http://provider.test/v1", strictFetch);
    await fc.assert(
      fc.asyncProperty(anyMessages, async (messages) => {
        const repaired = repairPairing([U("q"), ...messages], { uniqueIds: true });
        expect(await send(model, repaired)).toBe("taken");
      }),
      { numRuns: 60 },
    );
  });

  test("is taken with the context after any checkpoint", async () => {
    const model = modelAt("http://provider.test/v1", strictFetch);
    await fc.assert(
      fc.asyncProperty(history, async (entries) => {
        const long = [{ id: "first", message: U("word ".repeat(20_000)) }, ...entries];
        const context = buildContext(long, await compact(long));
        expect(await send(model, repairPairing(context, { uniqueIds: true }))).toBe("taken");
      }),
      { numRuns: 30 },
    );
  });
});
