import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { createToolbox } from "@spillway/tools";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collect, createTestHost, eventsOf, keepWorkers, type TestHost } from "./helpers/host.ts";
import { scriptedModel, userTexts } from "./helpers/scripted-model.ts";
import { testTool } from "./helpers/tools.ts";

keepWorkers();
let host: TestHost;
beforeEach(async () => {
  host = await createTestHost();
});
afterEach(async () => {
  vi.useRealTimers();
  await host.remove();
});

/** What a model reads of a value: its texts, without keys and escapes. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const DAY_MS = 86_400_000;
const page = testTool("page", "low", async () => "a line of a page with some ordinary words\n".repeat(1500));

test("a session that is compacted twenty times, killed in between and resumed on other days keeps every instruction", async () => {
  // A summary that does what it is asked to: it quotes the instructions, those of the summary before among them.
  const rulesIn = (text: string): string[] => [...new Set(text.match(/RULE-\d+-END/g) ?? [])];
  let asked = 0;
  const model = scriptedModel((request) => {
    if (request.tools === undefined)
      return { text: `Instructions: ${rulesIn(JSON.stringify(request.prompt)).join(" ")}` };
    asked += 1;
    // Every third request goes on with the turn; each batch alone takes a good part of the window.
    return asked % 3 === 0 ? { text: "done" } : { calls: [{ tool: "page" }, { tool: "page" }] };
  });
  const open = () => host.agent({ model, tools: [page], sessionId: "long", contextWindow: 40_000 });
  let agent = await open();
  let checkpoints = 0;
  let turns = 0;
  const told: string[] = [];
  while (checkpoints < 20 && turns < 60) {
    turns += 1;
    told.push(`RULE-${turns}-END`);
    const { events, result } = await collect(agent.run(`From now on: ${told.at(-1)}`));
    expect(result).toMatchObject({ reason: "stop", text: "done" });
    checkpoints += eventsOf(events, "checkpoint").length;
    expect(rulesIn(userTexts(model.requests.at(-1)).join("\n")).sort()).toEqual([...told].sort());
    if (turns % 4 !== 0) continue;
    // What a kill in the middle of a write leaves, a day before.
    await agent.close();
    await appendFile(join(host.dataDir, "sessions/long/journal.jsonl"), '{"v":1,"id":"torn","ts":"2026-');
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY_MS });
    agent = await open();
  }
  expect(checkpoints).toBeGreaterThanOrEqual(20);
  const journal = await host.facts("long");
  expect(journal.filter(({ t }) => t === "user")).toHaveLength(turns);
  expect(journal.filter(({ t }) => t === "checkpoint").map(({ generation }) => generation)).toEqual(
    Array.from({ length: checkpoints }, (_, n) => n + 1),
  );
}, 60_000);

test("sixteen parallel results of 1 MB never overflow a model of 128k", async () => {
  const large = testTool("large", "low", async () => "x".repeat(1_000_000));
  await host.write("big.txt", "a line with some ordinary words in it\n".repeat(27_000));
  const prompts: string[] = [];
  const model = scriptedModel((request) => {
    if (request.tools === undefined) return { text: "Summary." };
    prompts.push(stringsIn(request.prompt).join(""));
    if (prompts.length > 3) return { text: "done" };
    const bash = { tool: "Bash", args: { command: "cat big.txt" } };
    const read = { tool: "Read", args: { path: "big.txt", limit: 4000 } };
    return { calls: Array.from({ length: 16 }, (_, n) => [{ tool: "large" }, bash, read][n % 3] ?? bash) };
  });
  const agent = await host.agent({ model, tools: [large], mode: "auto", contextWindow: 128_000 });
  const { events, result } = await collect(agent.run("read it all"));
  expect(result).toMatchObject({ reason: "stop", text: "done" });
  expect(eventsOf(events, "tool_result")).toHaveLength(48);
  for (const { contextTokens, hardLimit } of eventsOf(events, "step_start"))
    expect(contextTokens).toBeLessThan(hardLimit);
  const toolbox = await createToolbox({ root: host.root });
  const counts = await toolbox.countTokens(prompts);
  await toolbox.close({ remove: true });
  expect(Math.max(...counts)).toBeLessThan(128_000 - 16_384);
  expect(Math.max(...counts)).toBeGreaterThan(50_000);
  expect(eventsOf(events, "warning").filter(({ code }) => code === "CONTEXT_OVERFLOW")).toEqual([]);
}, 60_000);
