import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAsker } from "../src/ask.ts";
import { type BatchContext, runBatch } from "../src/calls.ts";
import type { AgentEvent, CallOutcome } from "../src/event.ts";
import { createGate } from "../src/gate.ts";
import type { RequestedCall } from "../src/step.ts";
import { collect, createTestHost, eventsOf, keepWorkers, type TestHost } from "./helpers/host.ts";
import { newestResults, scriptedModel } from "./helpers/scripted-model.ts";
import { testTool } from "./helpers/tools.ts";

describe("runBatch", () => {
  const call = (toolCallId: string): RequestedCall => ({ toolCallId, toolName: "slow", input: {} });
  const context = (
    execute: (id: string, signal: AbortSignal) => Promise<CallOutcome>,
    more: Partial<BatchContext> = {},
  ): BatchContext => ({
    sessionId: "s",
    root: "/",
    tools: new Map([
      [
        "slow",
        {
          name: "slow",
          riskOf: () => "low" as const,
          execute: (_args, { signal, toolCallId }) => execute(toolCallId, signal),
        },
      ],
    ]),
    asker: createAsker({ mode: "ask" }),
    gate: createGate(),
    signal: new AbortController().signal,
    maxOutputTokens: 1000,
    emit: () => undefined,
    recordStart: async () => undefined,
    recordResult: async () => undefined,
    ...more,
  });
  const ok: CallOutcome = { ok: true, tool: "slow", text: "late" };

  test("a tool that ignores the abort is answered for after a second, and its late answer is dropped", async () => {
    const stop = new AbortController();
    const events: AgentEvent[] = [];
    const stored: CallOutcome[] = [];
    let answerLate = (_outcome: CallOutcome): void => undefined;
    const late = new Promise<CallOutcome>((resolve) => {
      answerLate = resolve;
    });
    const begun = runBatch(
      [call("a")],
      context(
        () => {
          stop.abort(new Error("stop"));
          return late;
        },
        {
          signal: stop.signal,
          emit: (event) => events.push(event),
          recordResult: async (_call, outcome) => {
            stored.push(outcome);
          },
        },
      ),
    );
    expect(await begun).toMatchObject([{ ok: false, error: { code: "INTERRUPTED" } }]);
    answerLate(ok);
    await late;
    await new Promise(setImmediate);
    expect(stored).toHaveLength(1);
    expect(events.map(({ type }) => type)).toEqual(["tool_result"]);
  });

  test("a session whose queue is full is told so, call by call", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const calls = Array.from({ length: 80 }, (_, n) => call(String(n)));
    let refused = 0;
    const outcomes = await runBatch(
      calls,
      context(() => gate.then(() => ok), {
        recordResult: async (_call, outcome) => {
          refused += outcome.ok ? 0 : 1;
          if (refused === 80 - 4 - 64) release();
        },
      }),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(68);
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ error: { code: "HOST_OVERLOADED" } });
  });

  test("a result that cannot be written down stops the other calls and is thrown", async () => {
    const stopped: string[] = [];
    const begun = runBatch(
      [call("a"), call("b")],
      context(
        (id, signal) =>
          id === "a"
            ? Promise.resolve(ok)
            : new Promise((_resolve, reject) => {
                signal.addEventListener("abort", () => {
                  stopped.push(id);
                  reject(signal.reason);
                });
              }),
        {
          recordResult: async ({ toolCallId }) => {
            if (toolCallId === "a") throw new Error("disk full");
          },
        },
      ),
    );
    await expect(begun).rejects.toThrow("disk full");
    expect(stopped).toEqual(["b"]);
  });
});

describe("the calls of a step", () => {
  keepWorkers();
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost({ "a.txt": "old\n" });
  });
  afterEach(() => host.remove());

  test("keep the order that their effects need", async () => {
    const model = scriptedModel([
      {
        calls: [
          { id: "write", tool: "Write", args: { path: "b.txt", content: "one\n" } },
          { id: "read", tool: "Read", args: { path: "./b.txt" } },
          { id: "bash", tool: "Bash", args: { command: "cat b.txt; sleep 0.2; echo two > c.txt" } },
          { id: "later", tool: "Write", args: { path: "c.txt", content: "three\n", overwrite: true } },
        ],
      },
      { text: "ok" },
    ]);
    const agent = await host.agent({ model, mode: "auto" });
    await collect(agent.run("go"));
    const results = newestResults(model.requests[1]);
    expect(results.read).toContain("1:one");
    expect(results.bash).toContain("one");
    expect(await host.read("c.txt")).toBe("three\n");
  });

  test("that only look run side by side", async () => {
    let waiting = 0;
    let release = (): void => undefined;
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    const meet = testTool("meet", "low", async () => {
      waiting += 1;
      if (waiting === 3) release();
      await all;
      return "met";
    });
    const model = scriptedModel([{ calls: [{ tool: "meet" }, { tool: "meet" }, { tool: "meet" }] }, { text: "ok" }]);
    const agent = await host.agent({ model, tools: [meet] });
    const { events } = await collect(agent.run("go"));
    expect(eventsOf(events, "tool_result")).toHaveLength(3);
  });
});
