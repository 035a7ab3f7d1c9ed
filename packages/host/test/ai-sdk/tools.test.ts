import { stat } from "node:fs/promises";
import { generateText, stepCountIs, streamText, ToolLoopAgent } from "ai";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTools, type Tools, type ToolsOptions } from "../../src/ai-sdk.ts";
import { createTestHost, type TestHost } from "../helpers/host.ts";
import { newestResults, type ScriptedReply, scriptedModel } from "../helpers/scripted-model.ts";

Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);

let host: TestHost;
let open: Tools[] = [];
let keeper: Tools | undefined;
beforeEach(async () => {
  host = await createTestHost({ "a.txt": "one\ntwo\n" });
  // One worker pool for the file.
  keeper ??= await createTools({ root: process.cwd() });
});
afterEach(async () => {
  await Promise.all(open.map((tools) => tools.close({ remove: true })));
  open = [];
  await host.remove();
});
afterAll(() => keeper?.close({ remove: true }));

async function tools(options: Omit<ToolsOptions, "root"> = {}): Promise<Tools> {
  const made = await createTools({ root: host.root, ...options });
  open.push(made);
  return made;
}

const read = (path: string): ScriptedReply => ({ calls: [{ tool: "Read", args: { path } }] });

describe("createTools", () => {
  test("gives the six tools with their own schemas", async () => {
    const { tools: set, toolbox } = await tools();
    expect(Object.keys(set).sort()).toEqual(["Bash", "Edit", "Glob", "Grep", "Read", "Write"]);
    expect(set.Read?.description).toBe(toolbox.tools.find(({ name }) => name === "Read")?.description);
  });

  test("works in generateText, streamText and ToolLoopAgent alike", async () => {
    const own = await tools();
    const setting = () => ({
      model: scriptedModel([read("a.txt"), { text: "Two lines." }]),
      tools: own.tools,
      stopWhen: stepCountIs(5),
    });
    expect((await generateText({ ...setting(), prompt: "go" })).text).toBe("Two lines.");
    expect(await streamText({ ...setting(), prompt: "go" }).text).toBe("Two lines.");
    expect((await new ToolLoopAgent(setting()).generate({ prompt: "go" })).text).toBe("Two lines.");
  });

  test("shows the model text, and the program the outcome", async () => {
    const own = await tools();
    const model = scriptedModel([
      { calls: [{ id: "r", tool: "Read", args: { path: "a.txt" } }] },
      { calls: [{ id: "m", tool: "Read", args: { path: "b.txt" } }] },
      { text: "done" },
    ]);
    const { steps } = await generateText({ model, tools: own.tools, prompt: "go", stopWhen: stepCountIs(5) });
    expect(newestResults(model.requests[1]).r).toMatch(/^\[a\.txt#[0-9A-F]{4}\]\n1:one\n2:two/);
    expect(newestResults(model.requests[2]).m).toMatch(/^Error PATH_NOT_FOUND: "b\.txt" does not exist/);
    expect(steps[0]?.toolResults[0]?.output).toMatchObject({ ok: true, result: { totalLines: 2 } });
    expect(steps[1]?.toolResults[0]?.output).toMatchObject({ ok: false, error: { code: "PATH_NOT_FOUND" } });
    expect(JSON.stringify(model.requests[2]?.prompt.at(-1))).toContain('"type":"error-text"');
  });

  test("takes what can be coerced, and tags go on from call to call", async () => {
    const own = await tools();
    const model = scriptedModel((request, index) => {
      if (index === 0) return { calls: [{ tool: "Read", args: { path: "a.txt", limit: "2" } }] };
      const tag = /#([0-9A-F]{4})\]/.exec(JSON.stringify(request.prompt))?.[1] ?? "";
      const ops = "PUT 1.=1:\n+first\n";
      return index === 1 ? { calls: [{ tool: "Edit", args: { path: "a.txt", tag, ops } }] } : { text: "done" };
    });
    await generateText({ model, tools: own.tools, prompt: "go", stopWhen: stepCountIs(5) });
    expect(await host.read("a.txt")).toBe("first\ntwo\n");
  });

  test("passes live output on, and an abort ends the command and all that it started", async () => {
    const chunks: string[] = [];
    const stop = new AbortController();
    const own = await tools({
      onOutput: ({ text }) => {
        chunks.push(text);
        stop.abort(new Error("enough"));
      },
    });
    const model = scriptedModel([{ calls: [{ tool: "Bash", args: { command: "echo up; sleep 60; touch late" } }] }]);
    const run = generateText({ model, tools: own.tools, prompt: "go", abortSignal: stop.signal, maxRetries: 0 });
    await run.catch(() => undefined);
    expect(chunks.join("")).toBe("up\n");
    await own.close();
    await expect(stat(host.path("late"))).rejects.toThrow("ENOENT");
  });
});
