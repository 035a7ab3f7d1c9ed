import { estimateTokens } from "@spillway/limits";
import { describe, expect, test } from "vitest";
import {
  buildContext,
  type Checkpoint,
  checkPairing,
  contextBudget,
  type Entry,
  estimateContext,
  type ModelMessage,
} from "../src/index.ts";
import { budget48k, chatter, compact, failureOf, SUMMARY, summarizer } from "./helpers/compaction.ts";
import { A, calls, entriesFrom, results, textsOf, U } from "./helpers/messages.ts";

describe("createCheckpoint", () => {
  test("carries summary and newest user message in the middle of a turn", async () => {
    const entries = entriesFrom([...chatter(20_000), U("now fix it")]);
    const checkpoint = await compact(entries);
    expect(checkpoint).toMatchObject({ generation: 1, throughId: "e80", mode: "active_turn", family: "summary" });
    expect(buildContext(entries, checkpoint)).toEqual([
      U(`[context checkpoint 1: earlier messages were replaced by this summary]\n\n${SUMMARY}`),
      U("now fix it"),
    ]);
  });

  test("carries the summary alone after a completed turn", async () => {
    const entries = entriesFrom([...chatter(20_000), U("fix it"), calls({ a: {} }), results({ a: "ok" }), A("fixed")]);
    const checkpoint = await compact(entries, { mode: "completed_turn" });
    expect(buildContext(entries, checkpoint)).toHaveLength(1);
    expect(buildContext([...entries, { id: "next", message: U("thanks, next") }], checkpoint)[1]).toEqual(
      U("thanks, next"),
    );
  });

  test("puts the open batch after the user message, and leaves answered steps to the summary", async () => {
    const entries = entriesFrom([
      ...chatter(20_000),
      U("fix it"),
      calls({ a: { path: "a" } }),
      results({ a: "old" }),
      calls({ b: { path: "b" }, c: { path: "c" } }),
      results({ b: "new b", c: "new c" }),
    ]);
    const checkpoint = await compact(entries);
    expect(buildContext(entries, checkpoint).slice(1)).toEqual([
      U("fix it"),
      entries.at(-2)?.message,
      entries.at(-1)?.message,
    ]);
  });

  test("keeps an unseen batch before a prompt that came after it", async () => {
    const entries = entriesFrom([...chatter(20_000), calls({ a: {} }), results({ a: "new" }), U("stop, do this")]);
    const [, ...rest] = buildContext(entries, await compact(entries));
    expect(rest).toEqual([entries.at(-3)?.message, entries.at(-2)?.message, U("stop, do this")]);
  });

  test("gives the summariser every message of the range but the open batch", async () => {
    const { requests, summarize } = summarizer();
    const entries = entriesFrom([
      U("always answer in German"),
      A("ja"),
      ...chatter(20_000),
      U("fix it"),
      calls({ a: { path: "secret-path" } }),
      results({ a: "answered-result" }),
      A("looking"),
      calls({ b: {} }),
      results({ b: "unseen-result" }),
    ]);
    await compact(entries, { summarize });
    const sent = requests.map(({ prompt }) => prompt).join("");
    for (const text of ["always answer in German", "secret-path", "answered-result", "question 39"])
      expect(sent).toContain(text);
    expect(sent).not.toContain("unseen-result");
  });

  test("never takes a note, a reminder or a summary for the newest user message", async () => {
    const entries: Entry[] = [
      ...entriesFrom([...chatter(20_000), U("the task")]),
      { id: "n", message: U("the build finished"), note: true },
      { id: "r", message: U("[context reminder: about 900 tokens are left in this window.]") },
      { id: "s", message: U("[context checkpoint 3: earlier messages were replaced by this summary]\n\nold") },
    ];
    expect((await compact(entries)).retained?.message).toEqual(U("the task"));
  });

  test("keeps leading system messages in front of every context", async () => {
    const system: ModelMessage = { role: "system", content: "You are careful." };
    const entries = entriesFrom([system, ...chatter(20_000), U("go")]);
    expect(buildContext(entries, await compact(entries))[0]).toEqual(system);
  });

  test("makes no request where everything crosses anyway", async () => {
    const { requests, summarize } = summarizer();
    const entries = entriesFrom([U("read it"), calls({ a: {} }), results({ a: "x".repeat(200_000) })]);
    const checkpoint = await compact(entries, { summarize });
    expect(requests).toEqual([]);
    expect(checkpoint.summary).toBe("(No earlier messages.)");
  });

  test("tells a fresh window that the history was reset, without a request", async () => {
    const { requests, summarize } = summarizer();
    const entries = entriesFrom([...chatter(20_000), U("go")]);
    const checkpoint = await compact(entries, { summarize, family: "fresh_window" });
    expect(requests).toEqual([]);
    expect(textsOf(buildContext(entries, checkpoint)[0])[0]).toMatch(/history before this point was reset/);
  });

  test("sums up in several bounded requests where the range is longer than one", async () => {
    const { requests, summarize } = summarizer(({ part }) => `summary ${part}`);
    const budget = contextBudget({ contextWindow: 8000 });
    const entries = entriesFrom([...chatter(14_000), U("go")]);
    const checkpoint = await compact(entries, { summarize, budget });
    expect(requests.length).toBeGreaterThan(3);
    for (const [at, { system, prompt, part, parts }] of requests.entries()) {
      expect(estimateTokens(system) + estimateTokens(prompt)).toBeLessThan(budget.hardLimit);
      expect([part, parts]).toEqual([at + 1, requests.length]);
      if (at > 0) expect(prompt).toContain(`Summary so far:\n\nsummary ${at}`);
    }
    const sent = requests.map(({ prompt }) => prompt).join("");
    for (let at = 0; at < 28; at++) expect(sent).toContain(`question ${at}\n`);
    expect(checkpoint.summary).toBe(`summary ${requests.length}`);
  });

  test("counts its generations and ignores a checkpoint whose entry is gone", async () => {
    const entries = entriesFrom([...chatter(20_000), U("go")]);
    const first = await compact(entries);
    const gone: Checkpoint = { ...first, throughId: "no such entry" };
    expect(buildContext(entries, gone)).toHaveLength(entries.length);
    const { requests, summarize } = summarizer();
    expect((await compact(entries, { previous: gone, summarize })).generation).toBe(2);
    expect(requests[0]?.prompt).toContain("question 0\n");
  });

  test.each([
    ["throws", () => Promise.reject(new Error("boom\nsecond line")), "the summary request failed: boom"],
    ["answers nothing", async () => " \n", "the model answered with no text"],
    ["refuses", async () => "I'm sorry, but I can't help with that.", "the model refused"],
    ["is filtered", async () => ({ text: "half", finishReason: "content-filter" }), "the model refused"],
    [
      "is cut off",
      async () => ({ text: "half", finishReason: "length" }),
      "the summary was cut off at the output limit",
    ],
    ["writes too much", async () => "word ".repeat(8000), "the summary took 10000 of 7904 tokens"],
    [
      "is aborted by the provider",
      () => Promise.reject(new DOMException("gone", "AbortError")),
      "the summary request failed: gone",
    ],
    [
      "does not fit",
      () => Promise.reject(new Error("prompt is too long: 9 tokens > 8 maximum")),
      "the summary request does not fit the window",
    ],
  ])("falls back to a text without a model when the summariser %s", async (_, summarize, reason) => {
    const entries = entriesFrom([
      U("standing rule"),
      ...chatter(30_000),
      U("go"),
      calls({ a: {} }),
      results({ a: "ok" }),
    ]);
    const checkpoint = await compact(entries, { summarize });
    expect(checkpoint.fallback?.reason).toBe(reason);
    const context = buildContext(entries, checkpoint);
    expect(checkPairing(context)).toEqual([]);
    const [opening] = textsOf(context[0]);
    expect(opening).toContain(`no summary could be written (${reason})`);
    expect(opening).toContain("[user]\nstanding rule");
    expect(opening).toMatch(/\[\d+ messages of the agent and its tools are left out/);
    expect(context.slice(-3)).toEqual([U("go"), ...entries.slice(-2).map(({ message }) => message)]);
    expect(context.length).toBeGreaterThan(4);
    expect(estimateContext(context)).toBeLessThan(budget48k.hardLimit);
  });

  test("summarises the originals once the model answers again", async () => {
    const entries = entriesFrom([...chatter(30_000), U("go"), A("on it")]);
    const failed = await compact(entries, { summarize: () => Promise.reject(new Error("down")) });
    const later = [...entries, ...entriesFrom([U("more"), A("word ".repeat(20_000)), U("last")], "f")];
    const { requests, summarize } = summarizer();
    const checkpoint = await compact(later, { summarize, previous: failed });
    const sent = requests.map(({ prompt }) => prompt).join("");
    for (const text of ["question 0\n", "question 59\n", "on it"]) expect(sent).toContain(text);
    expect(sent).not.toContain("could not be written");
    expect(checkpoint.fallback).toBeUndefined();
  });

  test("cuts no word of the user for a checkpoint that is not needed and cannot be summed up", async () => {
    const entries = entriesFrom([U(`rule: ${"word ".repeat(80)}`)]);
    const summarize = () => Promise.reject(new Error("down"));
    const failure = await failureOf(compact(entries, { summarize, mode: "completed_turn" }));
    expect(failure).toMatchObject({ reason: "no-progress" });
  });

  test("summarises the original of a message that a fallback had to cut, even if it is all there was", async () => {
    const entries = entriesFrom([U(`rule one ${"word ".repeat(60_000)} rule two`)]);
    const down = () => Promise.reject(new Error("down"));
    const failed = await compact(entries, { summarize: down, mode: "completed_turn" });
    expect(failed.fallback?.reason).toBe("the summary request failed: down");
    const later = [...entries, ...entriesFrom([A("word ".repeat(2000)), U("next")], "f")];
    const { requests, summarize } = summarizer();
    await compact(later, { summarize, previous: failed });
    const [words = 0] = requests.map(({ prompt }) => prompt.split("word ").length);
    expect(words).toBeGreaterThan(15_000);
    expect(failed.tokensAfter).toBeLessThan(8000);
    expect(requests[0]?.prompt).toMatch(/\[user\]\nrule one [\s\S]* rule two/);
  });

  test("asks once more with less when the provider says that the summary request is too long", async () => {
    const sizes: number[] = [];
    const entries = entriesFrom([...chatter(30_000), U("go")]);
    const checkpoint = await compact(entries, {
      summarize: async ({ prompt }) => {
        sizes.push(estimateTokens(prompt));
        if (sizes.length === 1) throw new Error("prompt is too long: 40000 tokens > 20000 maximum");
        return SUMMARY;
      },
    });
    expect(checkpoint.fallback).toBeUndefined();
    expect(Math.max(...sizes.slice(1))).toBeLessThan((sizes[0] ?? 0) / 2);
  });

  test("lets the caller go at once when aborted, even by a summariser that ignores the signal", async () => {
    const controller = new AbortController();
    const promise = compact(entriesFrom([...chatter(20_000), U("go")]), {
      signal: controller.signal,
      summarize: () => new Promise(() => setImmediate(() => controller.abort(new Error("stopped by the user")))),
    });
    await expect(promise).rejects.toThrow("stopped by the user");
    await expect(compact(entriesFrom([U("a")]), { signal: controller.signal })).rejects.toThrow("stopped by the user");
  });

  test("refuses a checkpoint that saves less than 5 %", async () => {
    const entries = entriesFrom([U("a short question"), A("a short answer")]);
    expect(await failureOf(compact(entries))).toMatchObject({
      code: "CONTEXT_COMPACTION_FAILED",
      reason: "no-progress",
      message: expect.stringMatching(/^A checkpoint would leave \d+ of 16 tokens, which is less than 5 % saved — /),
    });
  });

  test("names the part that cannot shrink, and its size, and asks no model", async () => {
    const entries = entriesFrom([...chatter(30_000), U("go")]);
    const { requests, summarize } = summarizer();
    expect(await failureOf(compact(entries, { fixedTokens: 40_000, summarize }))).toMatchObject({
      code: "CONTEXT_COMPACTION_FAILED",
      reason: "irreducible",
      part: "system text and tool schemas",
      partTokens: 40_000,
    });
    const crowd = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`call_${at}`, "x".repeat(400)]));
    const batch = entriesFrom([...chatter(2000), U("go"), calls(crowd), results(crowd)]);
    const failure = await failureOf(compact(batch, { summarize }));
    expect(requests).toEqual([]);
    expect(failure).toMatchObject({ code: "CONTEXT_COMPACTION_FAILED", part: "batch" });
    expect(failure.partTokens).toBeGreaterThan(budget48k.hardLimit);
  });

  test("loses nothing of the first checkpoint in the second", async () => {
    const entries = entriesFrom([...chatter(20_000), U("first task"), calls({ a: {} }), results({ a: "tail result" })]);
    const first = await compact(entries);
    const later = [...entries, ...entriesFrom([A("seen it"), ...chatter(20_000), U("second task")], "f")];
    const { requests, summarize } = summarizer("second summary");
    const second = await compact(later, { previous: first, summarize });
    const [request] = requests;
    for (const text of [SUMMARY, "first task", "tail result", "seen it", "question 39\n"])
      expect(request?.prompt).toContain(text);
    expect(buildContext(later, second).slice(1)).toEqual([U("second task")]);
  });

  test("carries user message and open batch through two checkpoints in a row", async () => {
    const entries = entriesFrom([
      ...chatter(20_000),
      U("the task"),
      calls({ a: {} }),
      results({ a: "x".repeat(120_000) }),
    ]);
    const first = await compact(entries);
    const smaller = contextBudget({ contextWindow: 24_000 });
    const second = await compact(entries, { previous: first, budget: smaller });
    const context = buildContext(entries, second);
    expect(context.map(({ role }) => role)).toEqual(["user", "user", "assistant", "tool"]);
    expect(context[1]).toEqual(U("the task"));
    expect(checkPairing(context)).toEqual([]);
    expect(estimateContext(context)).toBeLessThan(estimateContext(buildContext(entries, first)) * 0.95);
  });

  test("works from the entry a checkpoint names as well as from the whole transcript", async () => {
    const entries = entriesFrom([...chatter(20_000), U("first"), calls({ a: {} }), results({ a: "one" })]);
    const first = await compact(entries);
    const later = [...entries, ...entriesFrom([A("seen"), ...chatter(20_000), U("second")], "f")];
    const part = later.slice(entries.length - 1);
    expect(buildContext(part, first)).toEqual(buildContext(later, first));
    expect(await compact(part, { previous: first })).toEqual(await compact(later, { previous: first }));
  });

  test("is plain JSON, binary parts included", async () => {
    const image = { type: "image" as const, image: new Uint8Array([1, 2, 3]), mediaType: "image/png" };
    const message: ModelMessage = { role: "user", content: [{ type: "text", text: "see" }, image] };
    const checkpoint = await compact(entriesFrom([...chatter(20_000), message]));
    expect(JSON.parse(JSON.stringify(checkpoint))).toEqual(checkpoint);
    expect(checkpoint.retained?.message.content).toEqual([
      { type: "text", text: "see" },
      { type: "image", image: "AQID", mediaType: "image/png" },
    ]);
  });

  test.each([
    [{ mode: "done" }, 'Invalid mode "done": give "active_turn" or "completed_turn"'],
    [{ family: "none" }, 'Invalid family "none": give "summary" or "fresh_window"'],
    [{ fixedTokens: -1 }, 'Invalid fixedTokens "-1": give a number of tokens, 0 or more'],
    [
      { budget: { ...budget48k, hardLimit: Number.NaN } },
      'Invalid hardLimit "NaN": give a number of tokens, 0 or more',
    ],
  ])("refuses %o and says what to give", async (options: object, message) => {
    await expect(compact(entriesFrom([U("a")]), options)).rejects.toThrow(new RangeError(message));
  });

  test("refuses an empty transcript", async () => {
    await expect(compact([])).rejects.toThrow("No entries to make a checkpoint of: append a message first");
  });
});
