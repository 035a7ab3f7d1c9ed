import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collect, createTestHost, eventsOf, keepWorkers, type TestHost } from "./helpers/host.ts";
import { newestResults, scriptedModel, userTexts } from "./helpers/scripted-model.ts";
import { echo, testTool } from "./helpers/tools.ts";

keepWorkers();
let host: TestHost;
beforeEach(async () => {
  host = await createTestHost();
});
afterEach(() => host.remove());

const fail = testTool("fail", "low", async () => {
  throw new Error("broken");
});

describe("a turn", () => {
  test("goes on until the model asks for nothing more", async () => {
    const model = scriptedModel([
      { text: "first", calls: [{ tool: "echo", args: { n: 1 } }] },
      { calls: [{ tool: "echo", args: { n: 2 } }] },
      { text: "the answer", inputTokens: 5000 },
    ]);
    const agent = await host.agent({ model, tools: [echo] });
    const { events, result } = await collect(agent.run("go"));
    expect(result).toEqual({
      reason: "stop",
      text: "the answer",
      steps: 3,
      usage: { inputTokens: 5000, outputTokens: 30, cachedInputTokens: 0 },
    });
    expect(events.map(({ type }) => type)).toEqual([
      ...["step_start", "text_delta", "usage", "tool_call", "tool_result"],
      ...["step_start", "usage", "tool_call", "tool_result"],
      ...["step_start", "text_delta", "text_delta", "usage", "done"],
    ]);
    expect(newestResults(model.requests[2])).toEqual({ c1_0: '{"n":2}' });
    expect(userTexts(model.requests[2])).toEqual(["go"]);
  });

  test("shows the results in call order, whatever finished first", async () => {
    const slow = testTool("slow", "low", () => new Promise((resolve) => setTimeout(() => resolve("late"), 50)));
    const model = scriptedModel([
      { calls: [{ tool: "slow" }, { tool: "echo", args: {} }, { tool: "slow" }] },
      { text: "ok" },
    ]);
    const agent = await host.agent({ model, tools: [echo, slow] });
    const { events } = await collect(agent.run("go"));
    expect(eventsOf(events, "tool_result")[0]?.toolName).toBe("echo");
    expect(Object.entries(newestResults(model.requests[1]))).toEqual([
      ["c0_0", "late"],
      ["c0_1", "{}"],
      ["c0_2", "late"],
    ]);
  });

  test("a thrown error, an unknown tool and bad JSON become error results, and the loop goes on", async () => {
    const calls = [{ tool: "fail" }, { tool: "Raed", args: { path: "a" } }, { tool: "echo", rawArgs: '{"a":' }];
    const model = scriptedModel([{ calls }, { text: "ok" }]);
    const agent = await host.agent({ model, tools: [echo, fail] });
    const { result } = await collect(agent.run("go"));
    expect(result.reason).toBe("stop");
    expect(newestResults(model.requests[1])).toEqual({
      c0_0: "Error TOOL_FAILED: fail failed (broken): try another way",
      c0_1: 'Error UNKNOWN_TOOL: There is no tool "Raed": use one of Read, Glob, Grep, Bash, Write, Edit, new_context, echo, fail',
      c0_2: "Error INVALID_ARGUMENT: The arguments are not valid JSON, so the call was not run: send it again",
    });
  });

  test("arguments cut off by the output limit are never executed, earlier calls are", async () => {
    const model = scriptedModel([
      {
        calls: [
          { tool: "Write", args: { path: "whole.txt", content: "whole" } },
          { tool: "Write", args: { path: "half.txt", content: "ha" } },
        ],
        finish: { unified: "length", raw: "max_tokens" },
      },
      { text: "ok" },
    ]);
    const agent = await host.agent({ model, mode: "auto", maxOutputTokens: 2000 });
    await collect(agent.run("go"));
    expect(await host.read("whole.txt")).toBe("whole");
    await expect(host.read("half.txt")).rejects.toThrow("ENOENT");
    expect(newestResults(model.requests[1]).c0_1).toBe(
      "Error ARGUMENTS_CUT_OFF: The arguments were cut off by the output limit of 2000 tokens, so the call was not run: send less in one call, in several if need be",
    );
  });

  test("ids that a server hands out again are made unique in the session", async () => {
    const call = { id: "call_0", tool: "echo", args: {} };
    const model = scriptedModel([{ calls: [call, call] }, { calls: [call] }, { text: "ok" }]);
    const agent = await host.agent({ model, tools: [echo] });
    await collect(agent.run("go"));
    expect(Object.keys(newestResults(model.requests[1]))).toEqual(["call_0", "call_0_2"]);
    expect(Object.keys(newestResults(model.requests[2]))).toEqual(["call_0_3"]);
  });

  test("the same call failing the same way is told so the third time and ends the turn the fifth", async () => {
    const model = scriptedModel(() => ({ calls: [{ tool: "fail", args: { a: 1 } }] }));
    const agent = await host.agent({ model, tools: [fail] });
    const { events, result } = await collect(agent.run("go"));
    expect(result.reason).toBe("error");
    expect(result.error).toEqual({
      code: "REPEATED_FAILURE",
      message: "The same fail call failed the same way 5 times (TOOL_FAILED); the turn was ended: say how to go on",
      next: "say how to go on",
    });
    expect(eventsOf(events, "error")).toHaveLength(1);
    expect(model.requests).toHaveLength(5);
    expect(Object.values(newestResults(model.requests[2]))).toEqual([
      "Error TOOL_FAILED: fail failed (broken): try another way",
    ]);
    expect(Object.values(newestResults(model.requests[3]))[0]).toContain(
      "[This very call failed the same way 3 times.",
    );
  });

  test("an answer that met the output limit and one that was filtered end the turn with that reason", async () => {
    const model = scriptedModel([
      { text: "half", finish: { unified: "length", raw: "max_tokens" } },
      { text: "", finish: { unified: "content-filter", raw: "refusal" } },
    ]);
    const agent = await host.agent({ model });
    expect((await agent.run("one").result).reason).toBe("length");
    expect((await agent.run("two").result).reason).toBe("content-filter");
  });

  test("an empty answer ends the turn and leaves no empty message behind", async () => {
    const model = scriptedModel([{ finish: { unified: "stop", raw: "end_turn" } }, { text: "ok" }]);
    const agent = await host.agent({ model });
    expect((await agent.run("one").result).reason).toBe("stop");
    expect((await agent.run("two").result).text).toBe("ok");
    expect(model.requests[1]?.prompt.map(({ role }) => role)).toEqual(["system", "user", "user"]);
  });

  test("a custom tool's text is bounded like a search result", async () => {
    const flood = testTool("flood", "low", async () => "0123456789\n".repeat(50_000));
    const model = scriptedModel([{ calls: [{ tool: "flood" }] }, { text: "ok" }]);
    const agent = await host.agent({ model, tools: [flood], contextWindow: 1_000_000 });
    await collect(agent.run("go"));
    const text = newestResults(model.requests[1]).c0_0 ?? "";
    expect(text).toContain("[truncated: kept the first 4000 of 50000 lines; limit 4000 lines / 128KB.");
  });
});
