import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGENTS } from "../../src/report/fact.ts";
import { sessionOfFile } from "../../src/report/find-sessions.ts";
import { detectAgent } from "../../src/report/formats.ts";
import { loadReport, sourceOf } from "../../src/report/load.ts";
import type { Report } from "../../src/report/report.ts";
import { CWD, countScript, makeScript, SECRET } from "../helpers/transcripts/script.ts";
import { TOOLS, transcriptLines } from "../helpers/transcripts/write.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spillway-report-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function load(name: string, text: string): Promise<Report> {
  const path = join(folder, name);
  await writeFile(path, text);
  const agent = await detectAgent(sourceOf(path));
  if (agent === undefined) throw new Error(`"${name}" is nobody's`);
  return loadReport(await sessionOfFile(agent, path));
}

const events = makeScript();
const wanted = countScript(events);

describe("loadReport", () => {
  test.each(AGENTS)("%s: the totals are those of an independent count", async (agent) => {
    const report = await load(`${agent}.jsonl`, `${transcriptLines(agent, events).join("\n")}\n`);
    const { requests, calls, tokens, resent, errors, inputTokens } = wanted;
    expect(report).toMatchObject({
      ...{ agent, requests, calls, turns: 6 },
      usage: { requests, inputTokens },
      // Three in the same turn, and one of a turn before the compaction.
      totals: { results: calls, tokens, resent, errors, repeats: 4 },
    });
    if (agent !== "kimi-code") expect(report.cwd).toBe(CWD);
    expect(report.compactions).toMatchObject([{ context: "main", afterRequest: 12, cause: "compaction" }]);
    for (const [path, sums] of Object.entries(wanted.byFile)) {
      const { tokens, resent } = sums;
      expect(report.paths.find(({ name }) => name === path)).toMatchObject({ tokens, resent });
    }
    for (const kind of ["read", "search", "command"] as const) {
      const { tokens, resent, calls: results } = wanted.byKind[kind];
      const found = report.tools.find(({ name }) => name === TOOLS[agent][kind]);
      expect(found).toMatchObject({ tokens, resent, results });
    }
    expect(Object.values(report.damage).map(({ lines }) => lines)).toEqual([0, 0, 0, 0]);
  });

  test.each(AGENTS)("%s: nothing that was said is in the report", async (agent) => {
    const report = await load(`${agent}.jsonl`, transcriptLines(agent, events).join("\n"));
    expect(JSON.stringify(report)).not.toContain(SECRET);
  });

  test.each(AGENTS)("%s: damaged, foreign and unfinished lines are counted and change nothing else", async (agent) => {
    const lines = transcriptLines(agent, events);
    const whole = await load(`${agent}.jsonl`, lines.join("\n"));
    const broken = [
      '{"type":',
      "[1,2]",
      "\u0000\u0001",
      '{"type":"user","message":7}',
      '{"v":1,"t":"result"}',
      "{}",
      "null",
    ];
    const mixed = lines.flatMap((line, index) =>
      index % 5 === 4 ? [broken[index % broken.length] ?? "", line] : [line],
    );
    const damaged = await load(`${agent}-damaged.jsonl`, `${mixed.join("\r\n")}\n{"half":`);
    expect(damaged.totals).toEqual(whole.totals);
    expect(damaged.damage.unfinished).toEqual({ lines: 1, bytes: 8 });
    expect(damaged.damage["not-json"].lines).toBeGreaterThan(0);
  });

  test("a line that is too long is passed over and counted with its size", async () => {
    const lines = transcriptLines("claude-code", events);
    const long = JSON.stringify({ type: "user", message: { content: "x".repeat(50 * 1024 * 1024) } });
    const report = await load("long.jsonl", [...lines.slice(0, 8), long, ...lines.slice(8)].join("\n"));
    expect(report.damage.oversized).toEqual({ lines: 1, bytes: long.length });
    expect(report.totals.tokens).toBe(wanted.tokens);
  });

  test("agents that were sent out have a context of their own", async () => {
    const lines = transcriptLines("claude-code", events);
    const sidechain = lines.map((line) =>
      JSON.stringify({
        ...JSON.parse(line.replaceAll("call-", "side-").replaceAll("req-", "sreq-")),
        isSidechain: true,
        agentId: "a1",
      }),
    );
    const report = await load("agents.jsonl", [...lines, ...sidechain].join("\n"));
    expect(report.contexts).toMatchObject([
      { name: "main", tokens: wanted.tokens, resent: wanted.resent },
      { name: "a1", tokens: wanted.tokens, resent: wanted.resent },
    ]);
  });

  test("of a tree only the branch that ends with the last entry counts", async () => {
    const lines = transcriptLines("pi", events);
    const stray = JSON.stringify({
      type: "message",
      id: "stray",
      parentId: "e0",
      message: {
        role: "toolResult",
        toolCallId: "s",
        toolName: "read",
        content: [{ type: "text", text: "stray ".repeat(100) }],
      },
    });
    const report = await load("tree.jsonl", [...lines.slice(0, 4), stray, ...lines.slice(4)].join("\n"));
    expect(report.totals.tokens).toBe(wanted.tokens);
  });

  test("an abort stops the reading", async () => {
    const path = join(folder, "aborted.jsonl");
    await writeFile(path, transcriptLines("codex", events).join("\n"));
    const session = await sessionOfFile("codex", path);
    await expect(loadReport(session, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });

  test("with a tokenizer the counts are its", async () => {
    const path = join(folder, "exact.jsonl");
    await writeFile(path, transcriptLines("codex", events).join("\n"));
    const report = await loadReport(await sessionOfFile("codex", path), { exact: (texts) => texts.map(() => 7) });
    expect(report).toMatchObject({ counting: "exact", totals: { tokens: 7 * wanted.calls, largest: 7 } });
  });
});
