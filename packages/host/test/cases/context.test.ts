import { estimateTokens } from "@spillway/limits";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collect, createTestHost, eventsOf, keepWorkers, type TestHost } from "../helpers/host.ts";
import { overflowError } from "../helpers/model-errors.ts";
import {
  lastingMessages,
  newestResults,
  type ScriptedCall,
  type ScriptedReply,
  scriptedModel,
  userTexts,
} from "../helpers/scripted-model.ts";

keepWorkers();
let host: TestHost;
beforeEach(async () => {
  host = await createTestHost();
});
afterEach(() => host.remove());

/** Replies to ordinary requests; summary requests carry no tools. */
function model(
  replies: readonly ScriptedReply[],
  summary = "Summary of what was said.",
): ReturnType<typeof scriptedModel> {
  let index = 0;
  return scriptedModel((request) =>
    request.tools === undefined ? { text: summary } : (replies[index++] ?? { text: "ok" }),
  );
}

function rows(count: number, row: (n: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${row(index + 1)}\n`).join("");
}

/** What a Read page shows: its line numbers, and the offset it names for going on. */
function pageFacts(text: string): { numbers: number[]; next: number | undefined; full: boolean } {
  const shown = text.split("\n").flatMap((line) => /^(\d+):(.*)$/.exec(line)?.slice(1) ?? []);
  const numbers = shown.filter((_, index) => index % 2 === 0).map(Number);
  const texts = shown.filter((_, index) => index % 2 === 1);
  const next = /"?offset"?[:=]\s*(\d+)/.exec(text)?.[1];
  return {
    numbers,
    next: next === undefined ? undefined : Number(next),
    full: texts.every((line) => line.length === 206),
  };
}

const reads = (...paths: string[]): ScriptedCall[] => paths.map((path) => ({ tool: "Read", args: { path } }));

describe("F08", () => {
  test.each([[1], [2]])(
    "F08 a page fitted to a small window tells the truth about itself (%i reads at once)",
    async (count) => {
      await host.write(
        "big.txt",
        rows(1500, (n) => `${String(n).padStart(5, "0")} ${"y".repeat(200)}`),
      );
      const big = Array.from({ length: count }, () => "big.txt");
      const scripted = model([{ calls: reads(...big) }]);
      const agent = await host.agent({ model: scripted, contextWindow: 40_000 });
      await agent.run("read it").result;
      const results = Object.values(newestResults(scripted.requests.at(-1)));
      expect(results).toHaveLength(count);
      for (const text of results) {
        const { numbers, next, full } = pageFacts(text);
        const last = numbers.length;
        expect(last).toBeGreaterThan(20);
        expect(numbers).toEqual(Array.from({ length: last }, (_, index) => index + 1));
        expect(full).toBe(true);
        expect(next).toBe(last + 1);
        expect(text).toContain("1500");
        expect(text).toContain(`1-${last}`);
      }
      const first = pageFacts(results[0] ?? "");
      const onward = model([{ calls: [{ tool: "Read", args: { path: "big.txt", offset: first.next } }] }]);
      await (await host.agent({ model: onward })).run("go on").result;
      const [page = ""] = Object.values(newestResults(onward.requests.at(-1)));
      expect(pageFacts(page).numbers[0]).toBe(first.numbers.length + 1);
    },
  );
});

describe("F37", () => {
  test("F37 results over the retention budget are reduced, and the journal keeps them whole", async () => {
    for (const name of ["a", "b", "c", "d"])
      await host.write(
        `${name}.txt`,
        rows(600, (n) => `line ${n} some ordinary words here`),
      );
    const chat = Array.from({ length: 10 }, (): ScriptedReply => ({ text: "word ".repeat(1250) }));
    const scripted = model([...chat, { calls: reads("a.txt", "b.txt", "c.txt", "d.txt") }, { text: "read" }]);
    const options = { contextWindow: 48_000, sessionId: "f37" } as const;
    const agent = await host.agent({ model: scripted, ...options });
    for (let turn = 0; turn < 10; turn += 1) await agent.run("word ".repeat(1250)).result;
    const { events } = await collect(agent.run("read all four"));
    expect(eventsOf(events, "checkpoint").length).toBeGreaterThan(0);
    const request = scripted.requests.at(-1);
    expect(userTexts(request).at(-1)).toBe("read all four");
    const results = Object.values(newestResults(request));
    expect(results).toHaveLength(4);
    for (const text of results) {
      expect(text).toMatch(/^\[.*\n1:line 1 /);
      expect(text).toMatch(/offset"?[:=]\s*\d+/);
      expect(estimateTokens(text)).toBeLessThan(6000);
    }
    expect(results.reduce((sum, text) => sum + estimateTokens(text), 0)).toBeLessThan(20_000);
    const whole = (await host.facts("f37")).filter(({ t }) => t === "result");
    expect(whole).toHaveLength(4);
    for (const fact of whole)
      expect(fact).toMatchObject({ outcome: { ok: true, result: { lineCount: 600, totalLines: 600 } } });
    await agent.close();
    const again = model([]);
    await (await host.agent({ model: again, ...options })).run("and now?").result;
    const sent = lastingMessages(request);
    expect(again.requests.at(-1)?.prompt.slice(0, sent.length)).toEqual(sent);
  });
});

describe("F39", () => {
  test("F39 (a) a provider that refuses every request ends the run with one error, and the session stays usable", async () => {
    let refused = 0;
    const scripted = scriptedModel((request) => {
      if (request.tools === undefined) return { text: "A short summary of thirty tokens or so." };
      refused += 1;
      return { error: overflowError(210_000, 200_000) };
    });
    const agent = await host.agent({ model: scripted, sessionId: "f39", contextWindow: 200_000 });
    const { events, result } = await collect(agent.run(`go ${"apple ".repeat(30_000)}`));
    expect(result.error?.code).toBe("CONTEXT_COMPACTION_FAILED");
    expect(eventsOf(events, "error")).toHaveLength(1);
    expect(eventsOf(events, "checkpoint").length).toBeLessThanOrEqual(3);
    expect(refused).toBeLessThanOrEqual(4);
    expect(scripted.requests.at(-1)?.tools).toBeDefined();
    await agent.close();
    const better = model([{ text: "ok" }]);
    expect((await (await host.agent({ model: better, sessionId: "f39" })).run("hi").result).text).toBe("ok");
  });

  test("F39 (b) a summary as long as its input is not used for ever", async () => {
    const scripted = scriptedModel((request, index) => {
      if (request.tools === undefined) return { text: userTexts(request).join("\n") };
      return index === 0 ? { error: overflowError(60_000, 50_000) } : { text: "done" };
    });
    const agent = await host.agent({ model: scripted, contextWindow: 200_000 });
    const { events, result } = await collect(agent.run(`go ${"apple ".repeat(40_000)}`));
    expect(result.reason).toBe("stop");
    expect(eventsOf(events, "checkpoint").length).toBeLessThanOrEqual(3);
  });

  test("F39 (c) a usage figure from before a checkpoint is not used after it", async () => {
    const scripted = model([{ text: "word ".repeat(4000), inputTokens: 180_000 }, { text: "hello" }]);
    const agent = await host.agent({ model: scripted, contextWindow: 200_000 });
    await agent.run("word ".repeat(8000)).result;
    await agent.compact();
    const { events } = await collect(agent.run("hi"));
    expect(eventsOf(events, "checkpoint")).toEqual([]);
    expect(eventsOf(events, "step_start")[0]?.contextTokens).toBeLessThan(60_000);
  });
});

describe("F41", () => {
  test("F41 ten pages at once fit together, fairly, and the same after a restart", async () => {
    for (let n = 0; n < 10; n += 1) {
      await host.write(
        `f${n}.txt`,
        rows(3300, (line) => `line ${String(line).padStart(6, "0")} some ordinary words here`),
      );
    }
    const ten = Array.from({ length: 10 }, (_, n) => `f${n}.txt`);
    const scripted = model([{ text: "noted" }, { calls: reads(...ten) }, { text: "done" }]);
    const agent = await host.agent({ model: scripted, contextWindow: 128_000, sessionId: "f41" });
    await agent.run("apple ".repeat(30_000)).result;
    const { events } = await collect(agent.run("read all ten"));
    expect(eventsOf(events, "checkpoint")).toEqual([]);
    const step = eventsOf(events, "step_start").at(-1);
    expect(step?.contextTokens).toBeLessThan(step?.hardLimit ?? 0);
    expect(step?.hardLimit).toBe(128_000 - 16_384);
    const request = scripted.requests.at(-1);
    const sizes = Object.values(newestResults(request)).map((text) => {
      const { numbers, next } = pageFacts(text);
      expect(next).toBe(numbers.length + 1);
      return numbers.length;
    });
    expect(sizes).toHaveLength(10);
    expect(Math.min(...sizes)).toBeGreaterThan(Math.max(...sizes) * 0.9);
    const stored = await host.facts("f41");
    for (const fact of stored.filter(({ t }) => t === "result")) {
      expect(fact).toMatchObject({ outcome: { result: { lineCount: 2000, totalLines: 3300 } } });
    }
    await agent.close();
    const again = model([]);
    await (await host.agent({ model: again, contextWindow: 128_000, sessionId: "f41" })).run("go on").result;
    const sent = lastingMessages(request);
    expect(again.requests.at(-1)?.prompt.slice(0, sent.length)).toEqual(sent);
  });
});
