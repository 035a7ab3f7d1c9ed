import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collect, createTestHost, eventsOf, keepWorkers, type TestHost } from "./helpers/host.ts";
import {
  lastingMessages,
  newestResults,
  type ScriptedReply,
  scriptedModel,
  userTexts,
} from "./helpers/scripted-model.ts";
import { echo, testTool } from "./helpers/tools.ts";

keepWorkers();
let host: TestHost;
beforeEach(async () => {
  host = await createTestHost();
});
afterEach(() => host.remove());

const page = testTool("page", "low", async (args) => {
  const { lines = 100 } = { ...Object(args) };
  return Array.from({ length: lines }, (_, n) => `line ${n} of a page with some ordinary words`).join("\n");
});

/** Summaries are asked for without tools. */
function withSummaries(next: (index: number) => ScriptedReply): ReturnType<typeof scriptedModel> {
  let index = -1;
  return scriptedModel((request) => {
    if (request.tools === undefined) return { text: "Summary: apples were counted." };
    index += 1;
    return next(index);
  });
}

describe("new_context", () => {
  test("takes a checkpoint before the next request and keeps the prompt and the results of the step", async () => {
    const model = withSummaries((index) => {
      if (index === 0) return { calls: [{ tool: "page", args: { lines: 2000 } }] };
      if (index === 1) return { text: "enough", calls: [{ tool: "new_context" }, { tool: "echo", args: { n: 1 } }] };
      return { text: "done" };
    });
    const agent = await host.agent({ model, tools: [page, echo] });
    const { events, result } = await collect(agent.run("count apples"));
    expect(result).toMatchObject({ reason: "stop", text: "done", steps: 3 });
    expect(eventsOf(events, "checkpoint")).toMatchObject([{ generation: 1 }]);
    const last = model.requests.at(-1);
    expect(userTexts(last)).toEqual([expect.stringContaining("Summary: apples were counted."), "count apples"]);
    expect(Object.values(newestResults(last))).toEqual([
      "A new context window begins before your next step.",
      '{"n":1}',
    ]);
  });

  test("asked for when nothing can be gained is a warning, and the turn goes on", async () => {
    const model = withSummaries((index) => (index === 0 ? { calls: [{ tool: "new_context" }] } : { text: "done" }));
    const agent = await host.agent({ model });
    const { events, result } = await collect(agent.run("hi"));
    expect(result.reason).toBe("stop");
    expect(eventsOf(events, "warning")).toMatchObject([{ code: "CHECKPOINT_REFUSED" }]);
    expect(eventsOf(events, "checkpoint")).toEqual([]);
  });
});

describe("a context that reaches the hard limit", () => {
  const busy = (steps: number): ReturnType<typeof scriptedModel> =>
    withSummaries((index) =>
      index < steps ? { text: `step ${index}`, calls: [{ tool: "page", args: { lines: 400 } }] } : { text: "done" },
    );

  test("is made smaller before the request, and every request stays below the limit", async () => {
    const model = busy(12);
    const agent = await host.agent({ model, tools: [page], contextWindow: 40_000 });
    const { events, result } = await collect(agent.run("count apples"));
    expect(result).toMatchObject({ reason: "stop", steps: 13 });
    expect(eventsOf(events, "checkpoint").length).toBeGreaterThan(1);
    for (const { contextTokens, hardLimit } of eventsOf(events, "step_start")) {
      expect(hardLimit).toBe(40_000 - 16_384);
      expect(contextTokens).toBeLessThan(hardLimit);
    }
    const marks = eventsOf(events, "checkpoint");
    expect(marks.map(({ generation }) => generation)).toEqual(marks.map((_, index) => index + 1));
    for (const { tokensBefore, tokensAfter } of marks) expect(tokensAfter).toBeLessThan(tokensBefore);
  });

  test("is the same after a restart", async () => {
    const agent = await host.agent({ model: busy(12), tools: [page], contextWindow: 40_000, sessionId: "s" });
    await agent.run("count apples").result;
    const staying = withSummaries(() => ({ text: "ok" }));
    await agent.close();
    const again = await host.agent({ model: staying, tools: [page], contextWindow: 40_000, sessionId: "s" });
    await again.run("and now?").result;
    await again.close();
    const third = withSummaries(() => ({ text: "ok" }));
    const last = await host.agent({ model: third, tools: [page], contextWindow: 40_000, sessionId: "s" });
    await last.run("and then?").result;
    const [first] = userTexts(staying.requests[0]);
    expect(first).toMatch(/^\[context checkpoint \d+: earlier messages were replaced by this summary\]/);
    const sent = lastingMessages(staying.requests[0]);
    expect(third.requests[0]?.prompt.slice(0, sent.length)).toEqual(sent);
  });

  test("before a new prompt needs no user message of finished work", async () => {
    const model = withSummaries(() => ({ text: "ok" }));
    const agent = await host.agent({ model, contextWindow: 40_000 });
    await agent.run(`first ${"apple ".repeat(12_000)}`).result;
    const { events } = await collect(agent.run(`second ${"pear ".repeat(12_000)}`));
    expect(eventsOf(events, "checkpoint")).toHaveLength(1);
    const texts = userTexts(model.requests.at(-1));
    expect(texts.some((text) => text.startsWith("first"))).toBe(false);
    expect(texts.at(-1)?.startsWith("second")).toBe(true);
  });
});

describe("compact", () => {
  test("on request replaces finished work by its summary", async () => {
    const model = withSummaries(() => ({ text: "ok" }));
    const agent = await host.agent({ model });
    await agent.run(`first ${"apple ".repeat(5000)}`).result;
    await agent.compact();
    await agent.run("second").result;
    expect(userTexts(model.requests.at(-1))).toEqual([expect.stringContaining("Summary: apples"), "second"]);
  });

  test("that gains nothing is refused", async () => {
    const agent = await host.agent({ model: withSummaries(() => ({ text: "ok" })) });
    await agent.run("hi").result;
    await expect(agent.compact()).rejects.toMatchObject({ code: "CONTEXT_COMPACTION_FAILED" });
    expect((await agent.run("hi again").result).reason).toBe("stop");
  });

  test("can be aborted", async () => {
    const model = scriptedModel((request) =>
      request.tools === undefined ? { text: "x", hangs: true } : { text: "ok" },
    );
    const agent = await host.agent({ model });
    await agent.run(`first ${"apple ".repeat(5000)}`).result;
    const stop = new AbortController();
    const compacted = agent.compact({ signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(compacted).rejects.toThrow("enough");
    expect((await agent.run("go on").result).reason).toBe("stop");
  });
});

describe("reminders", () => {
  test("come once each while a window fills, and are not stored", async () => {
    const model = withSummaries((index) =>
      index < 9 ? { calls: [{ tool: "page", args: { lines: 220 } }] } : { text: "done" },
    );
    const agent = await host.agent({ model, tools: [page], contextWindow: 46_000 });
    await agent.run("count apples").result;
    const reminded = model.requests
      .filter(({ tools }) => tools !== undefined)
      .map((request) => userTexts(request).filter((text) => text.startsWith("[context reminder")).length);
    expect(Math.max(...reminded)).toBe(1);
    expect(reminded.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1);
    const stored = JSON.stringify(await host.facts(agent.sessionId));
    expect(stored).not.toContain("[context reminder");
  });
});
