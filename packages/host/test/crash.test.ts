// A process that dies leaves a prefix of its journal: every prefix is tried.
import { mkdir, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collect, createTestHost, keepWorkers, type TestHost } from "./helpers/host.ts";
import { newestResults, type ScriptedModel, scriptedModel } from "./helpers/scripted-model.ts";
import { testTool } from "./helpers/tools.ts";

keepWorkers();
let host: TestHost;
beforeEach(async () => {
  host = await createTestHost({ "a.txt": "alpha\n" });
});
afterEach(() => host.remove());

/** Stateless, as a provider is: the next step follows from how many answers the prompt holds. */
function walker(): ScriptedModel {
  return scriptedModel(({ prompt }) => {
    const step = prompt.filter(({ role }) => role === "assistant").length;
    const pair = [
      { id: `r${step}`, tool: "Read", args: { path: "a.txt" } },
      { id: `m${step}`, tool: "mark", args: { step } },
    ];
    return step < 2 ? { text: `step ${step}`, calls: pair } : { text: "done" };
  });
}

function marking(log: string[]): ReturnType<typeof testTool> {
  return testTool("mark", "execute", async (args) => {
    log.push(JSON.stringify(args));
    return "marked";
  });
}

describe("a journal that ends anywhere", () => {
  test("goes on to the same end, validly paired, and no begun call is run again", async () => {
    const agent = await host.agent({ model: walker(), mode: "auto", sessionId: "whole", tools: [marking([])] });
    expect((await agent.run("go").result).text).toBe("done");
    await agent.close();
    const facts = await host.facts("whole");
    expect(facts.map(({ t }) => t)).toEqual([
      ...["session", "user"],
      ...["assistant", "start", "result", "result"],
      ...["assistant", "start", "result", "result"],
      ...["assistant", "turn"],
    ]);
    for (let length = 2; length <= facts.length; length += 1) {
      const sessionId = `cut${length}`;
      const kept = facts.slice(0, length);
      await mkdir(`${host.dataDir}/sessions/${sessionId}`, { recursive: true });
      await writeFile(
        `${host.dataDir}/sessions/${sessionId}/journal.jsonl`,
        kept.map((fact) => `${JSON.stringify(fact)}\n`).join(""),
      );
      const log: string[] = [];
      const model = walker();
      const resumed = await host.agent({ model, mode: "auto", sessionId, tools: [marking(log)] });
      const { result } = await collect(resumed.resume());
      expect(result, sessionId).toMatchObject({ reason: "stop", text: "done" });
      const begun = kept.filter(({ t }) => t === "start").map(({ toolCallId }) => toolCallId);
      const expected = ["m0", "m1"].filter((id) => !begun.includes(id)).map((id) => `{"step":${id[1]}}`);
      expect(log, sessionId).toEqual(expected);
      const answered = new Set(kept.filter(({ t }) => t === "result").map(({ toolCallId }) => toolCallId));
      const lost = begun.filter((id) => !answered.has(id));
      for (const id of lost) {
        expect(newestResults(model.requests[0])[String(id)]).toBe(
          "Error INTERRUPTED: This call was interrupted and did not finish; it may have taken effect: look at what it left before you send it again",
        );
      }
      await resumed.close();
    }
  }, 60_000);

  test("a new prompt in place of a resume answers what is open and runs nothing of it", async () => {
    const agent = await host.agent({ model: walker(), mode: "auto", sessionId: "whole", tools: [marking([])] });
    await agent.run("go").result;
    await agent.close();
    const facts = await host.facts("whole");
    const cut = facts.findIndex(({ t }) => t === "start") + 1;
    await mkdir(`${host.dataDir}/sessions/cut`, { recursive: true });
    await writeFile(
      `${host.dataDir}/sessions/cut/journal.jsonl`,
      facts
        .slice(0, cut)
        .map((fact) => `${JSON.stringify(fact)}\n`)
        .join(""),
    );
    const log: string[] = [];
    const model = scriptedModel([{ text: "ok" }]);
    const next = await host.agent({ model, mode: "auto", sessionId: "cut", tools: [marking(log)] });
    await next.run("continue").result;
    expect(log).toEqual([]);
    expect(model.requests[0]?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
    expect(newestResults(model.requests[0])).toEqual({
      r0: expect.stringContaining("did not finish"),
      m0: expect.stringContaining("it may have taken effect"),
    });
  });
});
