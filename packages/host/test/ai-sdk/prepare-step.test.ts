import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Checkpoint } from "@spillway/checkpoint";
import { estimateTokens } from "@spillway/limits";
import { generateText, type ModelMessage, stepCountIs, ToolLoopAgent } from "ai";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPrepareStep, createTools, type PrepareStep, type Tools } from "../../src/ai-sdk.ts";
import { createTestHost, type TestHost } from "../helpers/host.ts";
import { newestResults, type ScriptedReply, scriptedModel, userTexts } from "../helpers/scripted-model.ts";

Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);

const WINDOW = 40_000;

let host: TestHost;
let own: Tools;
let keeper: Tools | undefined;
beforeEach(async () => {
  host = await createTestHost();
  for (let n = 0; n < 8; n++) {
    await host.write(
      `f${n}.txt`,
      Array.from({ length: 1000 }, (_, line) => `file ${n} row ${line} some words`).join("\n"),
    );
  }
  keeper ??= await createTools({ root: process.cwd() });
  own = await createTools({ root: host.root });
});
afterEach(async () => {
  await own.close({ remove: true });
  await host.remove();
});
afterAll(() => keeper?.close({ remove: true }));

const sizeOf = (request: LanguageModelV3CallOptions | undefined): number =>
  request === undefined ? Number.NaN : estimateTokens(JSON.stringify(request.prompt));
const reads = (...files: number[]): ScriptedReply => ({
  calls: files.map((n) => ({ tool: "Read", args: { path: `f${n}.txt` } })),
});
const isSummary = (request: LanguageModelV3CallOptions): boolean => (request.tools ?? []).length === 0;

/** Reads file after file and then says so; asked without tools it writes a summary. */
function readingModel(count: number) {
  let next = 0;
  return scriptedModel((request) => {
    if (isSummary(request)) return { text: `Summary: ${next} files are read.` };
    return next < count ? reads(next++) : { text: `All ${count} files are read.` };
  });
}

describe("createPrepareStep", () => {
  test("keeps every request of a long run below the window, the user's words in it", async () => {
    const model = readingModel(8);
    const made: Checkpoint[] = [];
    const { text, steps } = await generateText({
      ...{ model, tools: own.tools, prompt: "Read all files, and never delete any.", stopWhen: stepCountIs(20) },
      prepareStep: own.prepareStep({ contextWindow: WINDOW, onCheckpoint: (checkpoint) => made.push(checkpoint) }),
    });
    expect([text, steps.length]).toEqual(["All 8 files are read.", 9]);
    expect(made.length).toBeGreaterThan(1);
    expect(made.map(({ generation }) => generation)).toEqual(made.map((_, index) => index + 1));
    const asked = model.requests.filter((request) => !isSummary(request));
    for (const request of asked) {
      expect(sizeOf(request)).toBeLessThan(WINDOW);
      expect(userTexts(request).join("\n")).toContain("never delete any");
    }
  });

  test("shows parallel results in fair shares, each true about itself", async () => {
    const model = scriptedModel((request) =>
      isSummary(request)
        ? { text: "Summary." }
        : model.requests.length === 1
          ? reads(0, 1, 2, 3, 4, 5, 6, 7)
          : { text: "ok" },
    );
    const prepareStep = own.prepareStep({ contextWindow: WINDOW });
    await generateText({ model, tools: own.tools, prompt: "go", stopWhen: stepCountIs(5), prepareStep });
    const results = Object.values(newestResults(model.requests.at(-1)));
    expect(results).toHaveLength(8);
    for (const [n, text] of results.entries()) {
      const shown = text.split("\n").filter((line) => /^\d+:/.test(line));
      expect(shown[0]).toBe(`1:file ${n} row 0 some words`);
      expect(text).toContain(`"offset":${shown.length + 1}`);
    }
    expect(sizeOf(model.requests.at(-1))).toBeLessThan(WINDOW);
  });

  test("goes on from its checkpoint when the same agent is called again with the whole history", async () => {
    const model = readingModel(6);
    const made: Checkpoint[] = [];
    const agent = new ToolLoopAgent({
      ...{ model, tools: own.tools, stopWhen: stepCountIs(20) },
      prepareStep: own.prepareStep({ contextWindow: WINDOW, onCheckpoint: (checkpoint) => made.push(checkpoint) }),
    });
    const history: ModelMessage[] = [{ role: "user", content: "Read all files." }];
    history.push(...(await agent.generate({ messages: history })).response.messages);
    const before = made.length;
    history.push({ role: "user", content: "Thank you. Anything else?" });
    await agent.generate({ messages: history });
    expect(before).toBeGreaterThan(0);
    expect(made).toHaveLength(before);
    expect(sizeOf(model.requests.at(-1))).toBeLessThan(WINDOW);
    expect(userTexts(model.requests.at(-1)).at(-1)).toBe("Thank you. Anything else?");
  });

  test("keeps two runs apart that overlap", async () => {
    const prepareStep = own.prepareStep({ contextWindow: WINDOW });
    const run = async (n: number): Promise<string> => {
      const model = scriptedModel([reads(n), reads(n), { text: "done" }]);
      await generateText({ model, tools: own.tools, prompt: `task ${n}`, stopWhen: stepCountIs(5), prepareStep });
      return JSON.stringify(model.requests.map(userTexts));
    };
    const told = await Promise.all([0, 1, 2].map(run));
    expect(told).toEqual([0, 1, 2].map((n) => JSON.stringify(Array(3).fill([`task ${n}`]))));
  });

  // What ai 7 does: the next step is shown what the step before was given, and what it added.
  test("does the same where the loop goes on from what it was given", async () => {
    const runAs = async (persists: boolean): Promise<string[]> => {
      const prepareStep = own.prepareStep({ contextWindow: WINDOW, summarize: async () => "Summary." });
      return drive(prepareStep, persists);
    };
    expect(await runAs(true)).toEqual(await runAs(false));
  });

  test("repairs a history that was left with an open call", async () => {
    const prepareStep = createPrepareStep({ contextWindow: WINDOW });
    const call = { type: "tool-call" as const, toolCallId: "c1", toolName: "Read", input: {} };
    const messages: ModelMessage[] = [
      { role: "user", content: "go" },
      { role: "assistant", content: [call] },
      { role: "user", content: "go on" },
    ];
    const prepared = await prepareStep({ steps: [], stepNumber: 0, model: scriptedModel([]), messages });
    expect(prepared.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  });
});

/** The requests of a run of ten steps as text, from a loop of the test's own. */
async function drive(prepareStep: PrepareStep, persists: boolean): Promise<string[]> {
  const sent: string[] = [];
  const steps: { usage: { inputTokens: number } }[] = [];
  let shown: ModelMessage[] = [{ role: "user", content: "go" }];
  for (let stepNumber = 0; stepNumber < 10; stepNumber++) {
    const { messages } = await prepareStep({ steps, stepNumber, model: scriptedModel([]), messages: shown });
    sent.push(JSON.stringify(messages));
    const toolCallId = `c${stepNumber}`;
    const input = { path: `f${stepNumber % 8}.txt` };
    const value = `result ${stepNumber} ${"word ".repeat(6000)}`;
    const added: ModelMessage[] = [
      { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName: "Read", input }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId, toolName: "Read", output: { type: "text", value } }],
      },
    ];
    shown = [...(persists ? messages : shown), ...added];
    steps.push({ usage: { inputTokens: estimateTokens(JSON.stringify(messages)) } });
  }
  return sent;
}
