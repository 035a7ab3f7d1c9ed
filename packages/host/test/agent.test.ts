import { writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAgent } from "../src/agent.ts";
import { collect, createTestHost, eventsOf, keepWorkers, type TestHost } from "./helpers/host.ts";
import { scriptedModel, userTexts } from "./helpers/scripted-model.ts";
import { echo, hangs } from "./helpers/tools.ts";

keepWorkers();
let host: TestHost;
beforeEach(async () => {
  host = await createTestHost({ "a.txt": "alpha\n" });
});
afterEach(() => host.remove());

const quiet = scriptedModel(() => ({ text: "ok" }));

describe("createAgent", () => {
  test.each([
    [{ root: "/no/such/folder" }, 'root "/no/such/folder" does not exist: name an existing directory'],
    [{ sessionId: "../x" }, 'Invalid session id "../x": use 1 to 64 letters, digits, "-" and "_"'],
    [{ tools: [{ ...echo, name: "Read" }] }, 'The tool name "Read" is taken: choose another one'],
    [{ tools: [{ ...echo, name: "a b" }] }, 'Invalid tool name "a b"'],
    [{ limits: { globLimit: 0 } }, "globLimit"],
  ])("refuses %j", async (options, message) => {
    await expect(createAgent({ model: quiet, root: host.root, dataDir: host.dataDir, ...options })).rejects.toThrow(
      message,
    );
  });

  test("says which data folder cannot be made and what to do", async () => {
    await writeFile(host.path("file"), "");
    await expect(createAgent({ model: quiet, root: host.root, dataDir: host.path("file/data") })).rejects.toThrow(
      `Cannot make the data folder "${host.path("file/data")}" (ENOTDIR): set SPILLWAY_HOME to a folder that can be written`,
    );
  });

  test("keeps a second agent off a session until the first is closed", async () => {
    const first = await host.agent({ model: quiet, sessionId: "one" });
    await expect(host.agent({ model: quiet, sessionId: "one" })).rejects.toMatchObject({ code: "SESSION_LOCKED" });
    await first.close();
    await expect(host.agent({ model: quiet, sessionId: "one" })).resolves.toMatchObject({ sessionId: "one" });
  });

  test("a failed start leaves the session free", async () => {
    await expect(host.agent({ model: quiet, sessionId: "one", tools: [{ ...echo, name: "Bash" }] })).rejects.toThrow(
      "is taken",
    );
    await expect(host.agent({ model: quiet, sessionId: "one" })).resolves.toBeDefined();
  });
});

describe("an agent", () => {
  test("refuses an empty prompt, a second run beside the first, and any run after its end", async () => {
    const agent = await host.agent({ model: scriptedModel([{ text: "half", hangs: true }]) });
    expect(() => agent.run(5 as never)).toThrow("The prompt is no text: say what is to be done");
    expect(() => agent.run(" \n")).toThrow("The prompt is empty: say what is to be done");
    const stop = new AbortController();
    const run = agent.run("one", { signal: stop.signal });
    expect(() => agent.run("two")).toThrow("A run is going on: wait for its result or abort it");
    await expect(agent.compact()).resolves.toBeUndefined();
    stop.abort(new Error("enough"));
    expect((await run.result).reason).toBe("aborted");
    await agent.close();
    expect(() => agent.run("three")).toThrow("The agent is closed: create another one");
  });

  test("may be run again as soon as the result is there", async () => {
    const agent = await host.agent({ model: scriptedModel(() => ({ text: "ok" })) });
    for (const prompt of ["one", "two", "three"]) expect((await agent.run(prompt).result).text).toBe("ok");
  });

  test("close stops a run in the middle, and the run still gives its result", async () => {
    const agent = await host.agent({ model: scriptedModel([{ calls: [{ tool: "wait" }] }]), tools: [hangs("wait")] });
    const run = agent.run("go");
    for await (const event of run) if (event.type === "tool_call") void agent.close();
    expect(await run.result).toMatchObject({ reason: "aborted", steps: 1 });
    await agent.close();
  });

  test("leaving the loop over the events stops the run", async () => {
    const agent = await host.agent({ model: scriptedModel([{ text: "a b c", hangs: true }]) });
    const run = agent.run("go");
    for await (const event of run) if (event.type === "text_delta") break;
    expect((await run.result).reason).toBe("aborted");
  });

  test("a run whose events nobody reads comes to its end", async () => {
    const agent = await host.agent({ model: scriptedModel([{ text: "word ".repeat(2000) }]) });
    expect((await agent.run("go").result).reason).toBe("stop");
  });

  test("an abort from the start runs nothing and keeps no prompt", async () => {
    const model = scriptedModel([]);
    const agent = await host.agent({ model });
    const { result } = await collect(agent.run("go", { signal: AbortSignal.abort(new Error("no")) }));
    expect(result).toEqual({ reason: "aborted", text: "", steps: 0, usage: {} });
    expect(model.requests).toHaveLength(0);
  });

  test("keeps what the user had read of an answer that was stopped", async () => {
    const model = scriptedModel([{ text: "one two", hangs: true }, { text: "ok" }]);
    const agent = await host.agent({ model });
    const stop = new AbortController();
    const run = agent.run("count", { signal: stop.signal });
    for await (const event of run) if (event.type === "text_delta" && event.text === "two") stop.abort();
    expect(await run.result).toMatchObject({ reason: "aborted", text: "one two" });
    await agent.run("and?").result;
    expect(model.requests[1]?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  });

  test("sends the same request after a restart as without one", async () => {
    const replies = [{ calls: [{ tool: "Read", args: { path: "a.txt" } }] }, { text: "one" }, { text: "two" }];
    const staying = scriptedModel(replies);
    const agent = await host.agent({ model: staying });
    await agent.run("first").result;
    await agent.run("second").result;
    await agent.close();
    const leaving = scriptedModel(replies);
    const before = await host.agent({ model: leaving, sessionId: "other" });
    await before.run("first").result;
    await before.close();
    const after = await host.agent({ model: leaving, sessionId: "other" });
    await after.run("second").result;
    expect(leaving.requests[2]?.prompt).toEqual(staying.requests[2]?.prompt);
  });

  test("tells what opening the journal found broken, once", async () => {
    const first = await host.agent({ model: quiet, sessionId: "torn" });
    await first.run("go").result;
    await first.close();
    const file = `${host.dataDir}/sessions/torn/journal.jsonl`;
    await writeFile(file, '{"half', { flag: "a" });
    const second = await host.agent({ model: quiet, sessionId: "torn" });
    const warnings = eventsOf((await collect(second.run("again"))).events, "warning");
    expect(warnings).toMatchObject([
      { code: "JOURNAL_RECOVERED", message: expect.stringContaining("cut short by a crash") },
    ]);
    expect(eventsOf((await collect(second.run("once more"))).events, "warning")).toEqual([]);
  });

  test("says that a session goes on in another folder", async () => {
    const first = await host.agent({ model: quiet, sessionId: "moved" });
    await first.run("go").result;
    await first.close();
    const second = await createAgent({ model: quiet, root: host.dataDir, dataDir: host.dataDir, sessionId: "moved" });
    const { events } = await collect(second.run("go"));
    await second.close();
    expect(eventsOf(events, "warning")).toMatchObject([{ code: "ROOT_CHANGED" }]);
  });
});

describe("resume", () => {
  test("of a finished turn asks nothing and gives its answer again", async () => {
    const model = scriptedModel([{ text: "the answer" }]);
    const agent = await host.agent({ model });
    await agent.run("go").result;
    expect(await agent.resume().result).toEqual({ reason: "stop", text: "the answer", steps: 0, usage: {} });
    expect(model.requests).toHaveLength(1);
  });

  test("of a new session asks nothing", async () => {
    const agent = await host.agent({ model: scriptedModel([]) });
    expect((await agent.resume().result).reason).toBe("stop");
  });

  test("of an answer that was cut off asks to go on, without storing that", async () => {
    const model = scriptedModel([
      { text: "half an", finish: { unified: "length", raw: "max_tokens" } },
      { text: " answer" },
      { text: "ok" },
    ]);
    const agent = await host.agent({ model });
    expect((await agent.run("go").result).reason).toBe("length");
    expect((await agent.resume().result).reason).toBe("stop");
    expect(userTexts(model.requests[1])).toEqual(["go", "Go on where you stopped."]);
    await agent.run("thanks").result;
    expect(userTexts(model.requests[2])).toEqual(["go", "thanks"]);
  });
});
