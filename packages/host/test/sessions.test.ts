import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newSessionId } from "../src/session.ts";
import { findSession, listSessions, removeSession } from "../src/sessions.ts";
import { createTestHost, keepWorkers, type TestHost } from "./helpers/host.ts";
import { scriptedModel } from "./helpers/scripted-model.ts";

keepWorkers();
let host: TestHost;
beforeEach(async () => {
  host = await createTestHost();
});
afterEach(() => host.remove());

async function begin(sessionId: string, prompt: string): Promise<void> {
  const agent = await host.agent({ model: scriptedModel([{ text: "ok" }]), sessionId });
  await agent.run(prompt).result;
  await agent.close();
}

describe("newSessionId", () => {
  test("sorts by age and does not repeat", () => {
    const early = newSessionId(new Date("2026-01-02T03:04:05Z"));
    expect(early).toMatch(/^20260102-030405-[0-9a-f]{6}$/);
    expect(newSessionId(new Date("2026-01-02T03:04:06Z")) > early).toBe(true);
    expect(new Set(Array.from({ length: 50 }, () => newSessionId(new Date(0)))).size).toBe(50);
  });
});

describe("listSessions", () => {
  test("lists the newest first, with folder and first prompt, and skips what is none", async () => {
    await begin("one", `first ${"x".repeat(500)}`);
    await begin("two", "second");
    await mkdir(join(host.dataDir, "sessions", "no-journal"));
    await writeFile(join(host.dataDir, "sessions", "file"), "");
    const sessions = await listSessions(host.dataDir);
    expect(sessions).toMatchObject([
      { id: "two", root: host.root, prompt: "second" },
      { id: "one", root: host.root, prompt: expect.stringMatching(/^first x+$/) },
    ]);
    expect(sessions[1]?.prompt).toHaveLength(200);
    expect(await listSessions(join(host.dataDir, "missing"))).toEqual([]);
  });
});

describe("a session in which nothing was said", () => {
  test("leaves nothing behind when it is closed, nor when it could not be begun", async () => {
    const unused = await host.agent({ model: scriptedModel([]), sessionId: "unused" });
    await unused.close();
    const begun = host.agent({ model: scriptedModel([]), sessionId: "refused", limits: { globLimit: 0 } });
    await expect(begun).rejects.toThrow("globLimit");
    expect(await listSessions(host.dataDir)).toEqual([]);
    expect(await readdir(join(host.dataDir, "sessions"))).toEqual([]);
  });

  test("takes nothing with it that somebody else put there, and one in which something was said stays", async () => {
    const unused = await host.agent({ model: scriptedModel([]), sessionId: "unused" });
    await writeFile(join(host.dataDir, "sessions", "unused", "note"), "mine");
    await unused.close();
    expect(await readdir(join(host.dataDir, "sessions", "unused"))).toEqual(["note"]);
    await begin("used", "first");
    await (await host.agent({ model: scriptedModel([]), sessionId: "used" })).close();
    expect(await listSessions(host.dataDir)).toMatchObject([{ id: "used" }]);
  });
});

describe("findSession", () => {
  test("finds the named or the newest, and says what to do without one", async () => {
    await expect(findSession(host.dataDir, undefined)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await begin("one", "first");
    await begin("two", "second");
    expect((await findSession(host.dataDir, undefined)).id).toBe("two");
    expect((await findSession(host.dataDir, "one")).id).toBe("one");
    await expect(findSession(host.dataDir, "three")).rejects.toThrow('"spillway sessions" lists them');
    await expect(findSession(host.dataDir, "../x")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

describe("removeSession", () => {
  test("removes one that nobody has open, damaged or not, and leaves the others", async () => {
    await begin("one", "first");
    await begin("two", "second");
    await writeFile(join(host.dataDir, "sessions", "two", "journal.jsonl"), "{\n{\n");
    const open = await host.agent({ model: scriptedModel([]), sessionId: "three" });
    expect(await removeSession(host.dataDir, "one")).toBe(true);
    expect(await removeSession(host.dataDir, "two")).toBe(true);
    expect(await removeSession(host.dataDir, "three")).toBe(false);
    expect(await readdir(join(host.dataDir, "sessions"))).toEqual(["three"]);
    await open.close();
  });
});
