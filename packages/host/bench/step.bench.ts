// What does a step of the loop cost, next to the AI SDK's own loop with the same model and the same tool?
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { jsonSchema, stepCountIs, streamText, tool } from "ai";
import { createAgent } from "../src/agent.ts";
import { table } from "./rounds.ts";

const SCHEMA = { type: "object", properties: {}, additionalProperties: true } as const;
/** About what a file page or a test run brings. */
const RESULT = "a line of some ordinary words\n".repeat(100);

export async function benchStep(quick: boolean): Promise<string> {
  const steps = quick ? 10 : 50;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "spillway-bench-")));
  const page = {
    name: "page",
    description: "page",
    risk: "low",
    inputJsonSchema: SCHEMA,
    execute: async () => RESULT,
  } as const;
  const options = { root: folder, dataDir: join(folder, "data"), contextWindow: 1_000_000, tools: [page] };
  // Keeps the worker threads alive, as a process with several sessions does.
  const keeper = await createAgent({ model: countingModel(0), ...options });
  try {
    const variants = [
      {
        name: "AI SDK `streamText`, tools run by it, nothing kept",
        run: async () => {
          const result = streamText({
            model: countingModel(steps),
            prompt: "go",
            tools: { page: tool({ description: "page", inputSchema: jsonSchema(SCHEMA), execute: page.execute }) },
            stopWhen: stepCountIs(steps + 1),
          });
          for await (const _ of result.fullStream);
        },
      },
      {
        name: "a new session and `agent.run`, every fact on the disk",
        run: async () => {
          const agent = await createAgent({ model: countingModel(steps), ...options });
          for await (const _ of agent.run("go"));
          await agent.close();
        },
      },
    ];
    return await table(`one of ${steps} steps`, variants, quick ? 1 : 7, steps + 1);
  } finally {
    await keeper.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Calls the tool until the newest prompt has as many answers as steps were asked for. */
function countingModel(steps: number): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: "bench",
    modelId: "counting",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("It streams")),
    doStream: async ({ prompt }) => {
      const since = prompt.slice(prompt.findLastIndex(({ role }) => role === "user"));
      const answers = since.filter(({ role }) => role === "assistant").length;
      const calls = answers < steps;
      const parts: LanguageModelV3StreamPart[] = [
        { type: "stream-start", warnings: [] },
        ...(calls
          ? [{ type: "tool-call" as const, toolCallId: `c${prompt.length}_${answers}`, toolName: "page", input: "{}" }]
          : [
              { type: "text-start" as const, id: "t" },
              { type: "text-delta" as const, id: "t", delta: "done" },
              { type: "text-end" as const, id: "t" },
            ]),
        {
          type: "finish",
          finishReason: { unified: calls ? "tool-calls" : "stop", raw: "x" },
          usage: {
            inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
        },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
}
