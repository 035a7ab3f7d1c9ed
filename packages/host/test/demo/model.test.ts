import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { demoModel } from "../../src/demo/model.ts";
import { demoPrompt } from "../../src/demo/script.ts";

const tools: LanguageModelV3CallOptions["tools"] = [
  { type: "function", name: "Glob", inputSchema: { type: "object" } },
];
const user = (text: string): LanguageModelV3Prompt[number] => ({ role: "user", content: [{ type: "text", text }] });
const step = (n: number, toolCallId: string): LanguageModelV3Prompt[number] => ({
  role: "assistant",
  content: [
    { type: "text", text: `Demo step ${n} of 6: …` },
    { type: "tool-call", toolCallId, toolName: "Glob", input: {} },
  ],
});
const result = (toolCallId: string, value = ""): LanguageModelV3Prompt[number] => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "Glob", output: { type: "text", value } }],
});

describe("demoModel", () => {
  test("says that it is a script", async () => {
    const { content } = await demoModel().doGenerate({ prompt: [user(demoPrompt())], tools });
    expect(content[0]).toMatchObject({ type: "text", text: expect.stringContaining("I am a script, not an AI") });
  });

  test("gives the same answer to the same prompt, streamed or not", async () => {
    const prompt = [user(demoPrompt()), step(1, "a"), result("a", "x.md\ny.ts")];
    const first = await demoModel().doGenerate({ prompt, tools });
    expect(await demoModel().doGenerate({ prompt, tools })).toEqual(first);
    const { stream } = await demoModel().doStream({ prompt, tools });
    const calls: unknown[] = [];
    let text = "";
    for await (const part of stream) {
      if (part.type === "text-delta") text += part.delta;
      if (part.type === "tool-call") calls.push(part);
    }
    expect([{ type: "text", text }, ...calls]).toEqual(first.content);
    expect(calls).toHaveLength(3);
  });

  test("counts what it is sent and refuses more than its window as a provider does", async () => {
    const small = demoModel({ contextWindow: 500 });
    const { usage } = await small.doGenerate({ prompt: [user("hi")], tools });
    expect(usage.inputTokens.total).toBeGreaterThan(10);
    await expect(small.doGenerate({ prompt: [user("word ".repeat(1000))], tools })).rejects.toMatchObject({
      name: "AI_APICallError",
      statusCode: 400,
      isRetryable: false,
      message: expect.stringMatching(/^prompt is too long: \d+ tokens > 500 maximum$/),
    });
  });

  test.each<[string, LanguageModelV3Prompt]>([
    ["a call without a result", [user("go"), step(1, "a")]],
    ["a result without a call", [user("go"), result("a")]],
    ["a result that comes later", [user("go"), step(1, "a"), user("well?"), result("a")]],
    ["a result of another call", [user("go"), step(1, "a"), result("b")]],
  ])("refuses %s", async (_title, prompt) => {
    await expect(demoModel().doGenerate({ prompt, tools })).rejects.toMatchObject({ statusCode: 400 });
  });

  test("without tools it sums up what the next step needs", async () => {
    const prompt = [user("Demo step 3 of 6: … Full output saved to /tmp/x y.log — Grep it")];
    const { content } = await demoModel().doGenerate({ prompt });
    expect(content).toEqual([
      {
        type: "text",
        text: "Demo step 3 of 6 is behind us. The full output of the noisy command was saved to /tmp/x y.log — still there.",
      },
    ]);
  });
});
