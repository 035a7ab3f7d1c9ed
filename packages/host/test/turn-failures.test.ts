import { APICallError, type LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collect, createTestHost, eventsOf, keepWorkers, type TestHost } from "./helpers/host.ts";
import { overflowError, overloadedError } from "./helpers/model-errors.ts";
import { scriptedModel, userTexts } from "./helpers/scripted-model.ts";

keepWorkers();
let host: TestHost;
beforeEach(async () => {
  host = await createTestHost();
});
afterEach(() => host.remove());

const HALF: LanguageModelV3StreamPart[] = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "half an ans" },
];
const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

describe("a model that fails", () => {
  test("an overloaded model is asked again after the wait it names, and the wait is shown", async () => {
    const model = scriptedModel([{ error: overloadedError() }, { error: overloadedError() }, { text: "ok" }]);
    const agent = await host.agent({ model });
    const { events, result } = await collect(agent.run("go"));
    expect(result).toMatchObject({ reason: "stop", text: "ok", steps: 1 });
    expect(eventsOf(events, "warning").map(({ message }) => message)).toEqual([
      "The model request failed (Overloaded); retry 1 of 8 in 5 ms",
      "The model request failed (Overloaded); retry 2 of 8 in 5 ms",
    ]);
    expect(eventsOf(events, "step_start").map(({ step, attempt }) => [step, attempt])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
  });

  test.each<[string, LanguageModelV3StreamPart[]]>([
    ["ends without saying that it is finished", HALF],
    [
      "finishes for no reason and counts nothing",
      [...HALF, { type: "finish", finishReason: { unified: "other", raw: undefined }, usage: NO_USAGE }],
    ],
    [
      "finishes for calls that it does not bring",
      [
        { type: "stream-start", warnings: [] },
        { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage: NO_USAGE },
      ],
    ],
    ["carries an error", [...HALF, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }]],
  ])(
    "a stream that %s is thrown away and asked for again",
    async (_title, parts) => {
      const model = scriptedModel([{ parts }, { text: "the answer" }]);
      const agent = await host.agent({ model });
      const { result } = await collect(agent.run("go"));
      expect(result).toMatchObject({ reason: "stop", text: "the answer" });
      const kept = (await host.facts(agent.sessionId)).filter(({ t }) => t === "assistant");
      expect(kept).toHaveLength(1);
    },
    20_000,
  );

  test("a call that was half streamed when the stream broke is not run", async () => {
    const parts: LanguageModelV3StreamPart[] = [
      { type: "stream-start", warnings: [] },
      { type: "tool-call", toolCallId: "x", toolName: "Write", input: '{"path":"x.txt","content":"x"}' },
    ];
    const model = scriptedModel([{ parts }, { text: "ok" }]);
    const agent = await host.agent({ model, mode: "auto" });
    await collect(agent.run("go"));
    await expect(host.read("x.txt")).rejects.toThrow("ENOENT");
  }, 20_000);

  test("a stream that falls silent is taken for broken", async () => {
    const model = scriptedModel([{ parts: HALF, hangs: true }, { text: "ok" }]);
    const agent = await host.agent({ model, stallMs: 50 });
    const { events, result } = await collect(agent.run("go"));
    expect(result.text).toBe("ok");
    expect(eventsOf(events, "warning")[0]?.message).toMatch(
      /^The model request failed \(The stream was silent for 50 ms\)/,
    );
  }, 20_000);

  test("a reader that is slow does not make the stream look silent", async () => {
    const model = scriptedModel([{ text: "one two three" }]);
    const agent = await host.agent({ model, stallMs: 60 });
    let attempts = 0;
    for await (const event of agent.run("go")) {
      if (event.type === "step_start") attempts += 1;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(attempts).toBe(1);
  });

  test("a refused request ends the run with the provider's words and the next step", async () => {
    const error = new APICallError({ message: "invalid x-api-key", url: "u", requestBodyValues: {}, statusCode: 401 });
    const agent = await host.agent({ model: scriptedModel([{ error }, { text: "ok" }]) });
    const { events, result } = await collect(agent.run("go"));
    expect(result.error).toEqual({
      code: "MODEL_FAILED",
      message: "The model refused the request (invalid x-api-key): check the key and what it may use",
      next: "check the key and what it may use",
      details: { status: 401 },
    });
    expect(events.map(({ type }) => type)).toEqual(["step_start", "error", "done"]);
    expect((await agent.run("again").result).text).toBe("ok");
  });
});

describe("a context that is too large", () => {
  test("an overflow is met with one checkpoint and one more request, and the smaller window is remembered", async () => {
    const model = scriptedModel((request, index) => {
      if (request.tools === undefined) return { text: "All was said about apples." };
      return index === 0 ? { error: overflowError(50_000, 40_000) } : { text: "done" };
    });
    const agent = await host.agent({ model, contextWindow: 200_000 });
    const { events, result } = await collect(agent.run(`Tell me about apples. ${"apple ".repeat(20_000)}`));
    expect(result).toMatchObject({ reason: "stop", text: "done" });
    expect(eventsOf(events, "warning")).toMatchObject([{ code: "CONTEXT_OVERFLOW" }]);
    expect(eventsOf(events, "checkpoint")).toHaveLength(1);
    expect(eventsOf(events, "step_start").at(-1)?.hardLimit).toBe(40_000 - 16_384);
    expect(userTexts(model.requests.at(-1)).join("\n")).toContain(
      "[checkpoint truncated: this message crossed the retained context budget]",
    );
  });

  test("an answer that met the end of the window counts as an overflow", async () => {
    const model = scriptedModel((request, index) => {
      if (request.tools === undefined) return { text: "Summary." };
      if (index === 0) return { text: "half", finish: { unified: "length", raw: "model_context_window_exceeded" } };
      return { text: "done" };
    });
    const agent = await host.agent({ model });
    const { events, result } = await collect(agent.run(`Tell me about apples. ${"apple ".repeat(30_000)}`));
    expect(result).toMatchObject({ reason: "stop", text: "done" });
    expect(eventsOf(events, "checkpoint")).toHaveLength(1);
  });
});
