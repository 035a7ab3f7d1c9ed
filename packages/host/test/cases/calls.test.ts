import { getEventListeners } from "node:events";
import { access, symlink } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collect, createTestHost, eventsOf, keepWorkers, type TestHost } from "../helpers/host.ts";
import { isRunning } from "../helpers/processes.ts";
import { newestResults, scriptedModel, userTexts } from "../helpers/scripted-model.ts";

keepWorkers();
let host: TestHost;
beforeEach(async () => {
  host = await createTestHost({ "a.txt": "alpha\n" });
});
afterEach(() => host.remove());

const exists = (name: string): Promise<boolean> =>
  access(host.path(name)).then(
    () => true,
    () => false,
  );

describe("F30", () => {
  test("F30 output events carry the stream and one order over both streams", async () => {
    const command = "for i in 1 2 3; do echo out$i; sleep 0.1; echo err$i >&2; sleep 0.1; done";
    const scripted = scriptedModel([{ calls: [{ tool: "Bash", args: { command } }] }, { text: "ok" }]);
    const agent = await host.agent({ model: scripted, mode: "auto" });
    const { events } = await collect(agent.run("go"));
    const chunks = eventsOf(events, "tool_output");
    expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_, index) => index));
    expect(chunks.map(({ text }) => text).join("")).toBe("out1\nerr1\nout2\nerr2\nout3\nerr3\n");
    for (const { stream, text } of chunks) expect(text.startsWith(stream === "stdout" ? "out" : "err")).toBe(true);
    const [result] = eventsOf(events, "tool_result");
    expect(result?.outcome).toMatchObject({
      result: { stdout: "out1\nout2\nout3\n", stderr: "err1\nerr2\nerr3\n" },
    });
    expect(events.findLastIndex(({ type }) => type === "tool_output")).toBeLessThan(
      events.findIndex(({ type }) => type === "tool_result"),
    );
  });
});

describe("F34", () => {
  test("F34 parallel edits of one file under several spellings lose nothing", async () => {
    await host.write("race.txt", Array.from({ length: 120 }, (_, index) => `${index + 1}\n`).join(""));
    await symlink("race.txt", host.path("link.txt"));
    const edits: [line: number, text: string][] = [
      [40, "forty"],
      [90, "ninety"],
    ];
    for (let line = 1; line <= 8; line += 1) edits.push([line, `L${line}`]);
    const spellings = ["race.txt", "./race.txt", host.path("race.txt"), "link.txt"];
    const scripted = scriptedModel((request, index) => {
      if (index === 0) return { calls: [{ tool: "Read", args: { path: "race.txt" } }] };
      if (index > 1) return { text: "ok" };
      const [page = ""] = Object.values(newestResults(request));
      const tag = /#([0-9A-F]{4})\]/.exec(page)?.[1];
      const calls = edits.map(([line, text], at) => ({
        tool: "Edit",
        args: { path: spellings[at % spellings.length], tag, ops: `PUT ${line}.=${line}:\n+${text}` },
      }));
      return { calls };
    });
    const agent = await host.agent({ model: scripted, mode: "auto" });
    const { events } = await collect(agent.run("go"));
    const results = eventsOf(events, "tool_result").slice(1);
    expect(results).toHaveLength(10);
    const lines = (await host.read("race.txt")).trimEnd().split("\n");
    expect(lines).toHaveLength(120);
    const order = eventsOf(events, "tool_call")
      .slice(1)
      .map(({ toolCallId }) => toolCallId);
    for (const { toolCallId, outcome } of results) {
      const [line = 0, text] = edits[order.indexOf(toolCallId)] ?? [];
      if (outcome.ok) expect(lines[line - 1]).toBe(text);
      else expect(outcome.error.code).toMatch(/^(EDIT_TAG_MISMATCH|EDIT_TAG_UNKNOWN|FILE_CHANGED)$/);
    }
    expect(results.filter(({ outcome }) => outcome.ok).length).toBeGreaterThan(0);
  });
});

describe("F42", () => {
  test("F42 (a) after a stop in a running command the next prompt is valid and nothing runs twice", async () => {
    const seconds = `60.${process.pid}42`;
    const scripted = scriptedModel([
      {
        calls: [
          { id: "read", tool: "Read", args: { path: "a.txt" } },
          { id: "bash", tool: "Bash", args: { command: `echo started >> log; echo up; sleep ${seconds}` } },
        ],
      },
      { text: "ok" },
    ]);
    const agent = await host.agent({ model: scripted, mode: "auto" });
    const stop = new AbortController();
    const run = agent.run("go", { signal: stop.signal });
    let readDone = false;
    let bashUp = false;
    for await (const event of run) {
      if (event.type === "tool_result" && event.toolCallId === "read") readDone = true;
      if (event.type === "tool_output") bashUp = true;
      if (readDone && bashUp) stop.abort(new Error("stop"));
    }
    expect((await run.result).reason).toBe("aborted");
    expect(isRunning(seconds)).toBe(false);
    await agent.run("continue").result;
    const request = scripted.requests[1];
    expect(userTexts(request)).toEqual(["go", "continue"]);
    expect(request?.prompt.at(-1)?.role).toBe("user");
    const results = newestResults(request);
    expect(results.read).toContain("alpha");
    expect(results.bash).toMatch(/abort/i);
    expect(await host.read("log")).toBe("started\n");
  });

  test.each([
    ["(c) and sends a message", false],
    ["(d) and compacts first", true],
  ])("F42 %s: a half answered batch on disk is completed", async (_title, compactFirst) => {
    const scripted = scriptedModel((request) => (request.tools === undefined ? { text: "Summary." } : { text: "ok" }));
    await host.write("../data/sessions/half/journal.jsonl", halfAnswered());
    const agent = await host.agent({ model: scripted, sessionId: "half" });
    if (compactFirst) await agent.compact();
    expect((await agent.run("continue").result).text).toBe("ok");
    const request = scripted.requests.at(-1);
    expect(userTexts(request).at(-1)).toBe("continue");
    expect(newestResults(request)).toEqual({
      c1: expect.stringContaining("x"),
      c2: expect.stringContaining("did not finish"),
    });
    const before = (await host.facts("half")).filter(({ t }) => t === "result").length;
    await agent.close();
    const again = await host.agent({ model: scripted, sessionId: "half" });
    await again.run("once more").result;
    expect((await host.facts("half")).filter(({ t }) => t === "result")).toHaveLength(before);
  });
});

function halfAnswered(): string {
  const call = (toolCallId: string, path: string): unknown => ({
    type: "tool-call",
    toolCallId,
    toolName: "Read",
    input: { path },
  });
  const facts = [
    { t: "session", root: host.root },
    { t: "user", message: { role: "user", content: `q0 ${"apple ".repeat(4000)}` } },
    { t: "assistant", message: { role: "assistant", content: [{ type: "text", text: "noted" }] }, finish: "stop" },
    { t: "user", message: { role: "user", content: "q" } },
    {
      t: "assistant",
      message: { role: "assistant", content: [call("c1", "a"), call("c2", "b")] },
      finish: "tool-calls",
    },
    { t: "result", toolCallId: "c1", outcome: { ok: true, tool: "other", text: "x" } },
  ];
  return facts
    .map((fact, index) => `${JSON.stringify({ v: 1, id: `f${index}`, ts: "2026-01-01T00:00:00.000Z", ...fact })}\n`)
    .join("");
}

describe("F45", () => {
  const three = [
    { id: "b", tool: "Bash", args: { command: "echo up; sleep 2" } },
    { id: "w1", tool: "Write", args: { path: "w1", content: "x" } },
    { id: "w2", tool: "Write", args: { path: "w2", content: "y" } },
  ];

  test("F45 calls that had not begun when the run was stopped never run", async () => {
    const scripted = scriptedModel([{ calls: three }, { text: "ok" }]);
    const agent = await host.agent({ model: scripted, mode: "auto" });
    const stop = new AbortController();
    const run = agent.run("go", { signal: stop.signal });
    let stoppedAt = 0;
    for await (const event of run) {
      if (event.type !== "tool_output") continue;
      stoppedAt = performance.now();
      stop.abort(new Error("stop"));
    }
    expect((await run.result).reason).toBe("aborted");
    expect(performance.now() - stoppedAt).toBeLessThan(30_000);
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
    await agent.run("continue").result;
    expect(newestResults(scripted.requests[1])).toEqual({
      b: expect.stringMatching(/abort/i),
      w1: expect.stringContaining("The turn was stopped before this call began"),
      w2: expect.stringContaining("The turn was stopped before this call began"),
    });
    expect([await exists("w1"), await exists("w2")]).toEqual([false, false]);
  });

  test("F45 a stop while a question stands runs nothing of the batch", async () => {
    const scripted = scriptedModel([{ calls: three }, { text: "ok" }]);
    const stop = new AbortController();
    const agent = await host.agent({
      model: scripted,
      onPermission: () => {
        stop.abort(new Error("stop"));
        return "session";
      },
    });
    const { events } = await collect(agent.run("go", { signal: stop.signal }));
    expect(eventsOf(events, "tool_result").map(({ outcome }) => !outcome.ok && outcome.error.code)).toEqual([
      "NOT_RUN",
      "NOT_RUN",
      "NOT_RUN",
    ]);
    expect(eventsOf(events, "tool_output")).toEqual([]);
    expect([await exists("w1"), await exists("w2")]).toEqual([false, false]);
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
  });
});
