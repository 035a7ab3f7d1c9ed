import { mkdir, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PermissionMode, PermissionRequest } from "../src/permission.ts";
import { listSessions } from "../src/sessions.ts";
import { collect, createTestHost, eventsOf, keepWorkers, type TestHost } from "./helpers/host.ts";
import { type ScriptedCall, scriptedModel } from "./helpers/scripted-model.ts";

keepWorkers();
let host: TestHost;
beforeEach(async () => {
  host = await createTestHost({ "a.txt": "alpha\n", ".env": "KEY=1\n" });
  await mkdir(host.path("../elsewhere"));
  await writeFile(host.path("../elsewhere/notes.txt"), "outside\n");
});
afterEach(() => host.remove());

const CALLS = {
  read: { tool: "Read", args: { path: "a.txt" } },
  write: { tool: "Write", args: { path: "new.txt", content: "x" } },
  remove: { tool: "Edit", args: { path: "a.txt", tag: "0000", ops: "REM" } },
  bash: { tool: "Bash", args: { command: "true" } },
  outside: { tool: "Read", args: { path: "../elsewhere/notes.txt" } },
  secret: { tool: "Read", args: { path: ".env" } },
} as const;
const names = ["read", "write", "remove", "bash", "outside", "secret"] as const;

async function outcomes(
  mode: PermissionMode,
  answer?: (request: PermissionRequest) => "once" | "session" | "deny",
): Promise<{ codes: string[]; warnings: string[]; requests: string[] }> {
  const calls = names.map((id) => ({ id, ...CALLS[id] }));
  const model = scriptedModel([{ calls }, { text: "ok" }]);
  const agent = await host.agent({ model, mode, ...(answer === undefined ? {} : { onPermission: answer }) });
  const { events } = await collect(agent.run("go"));
  const results = eventsOf(events, "tool_result");
  const codes = names.map((name) => {
    const outcome = results.find(({ toolCallId }) => toolCallId === name)?.outcome;
    return outcome?.ok === true ? "ok" : (outcome?.error.code ?? "missing");
  });
  const requests = eventsOf(events, "permission_request").map(({ toolCallId, reason }) => `${toolCallId}: ${reason}`);
  return { codes, requests, warnings: eventsOf(events, "warning").map(({ message }) => message) };
}

describe("without anybody to ask", () => {
  // The edit that removes names no valid tag: EDIT_TAG_UNKNOWN means that it was let through to the tool.
  test.each<[PermissionMode, string[]]>([
    ["ask", ["ok", "NOT_ALLOWED", "NOT_ALLOWED", "NOT_ALLOWED", "PATH_OUTSIDE_WORKSPACE", "SENSITIVE_PATH"]],
    ["accept-edits", ["ok", "ok", "NOT_ALLOWED", "NOT_ALLOWED", "PATH_OUTSIDE_WORKSPACE", "SENSITIVE_PATH"]],
    ["auto", ["ok", "ok", "EDIT_TAG_UNKNOWN", "ok", "ok", "SENSITIVE_PATH"]],
  ])("%s lets through what it names and nothing else", async (mode, expected) => {
    expect((await outcomes(mode)).codes).toEqual(expected);
  });

  test("a denial says which flag allows it, to the person and not to the model", async () => {
    const { warnings } = await outcomes("ask");
    expect(warnings).toEqual(
      expect.arrayContaining([
        "Denied Write, nobody is there to ask: run with --mode accept-edits to allow it",
        "Denied Bash, nobody is there to ask: run with --mode auto to allow it",
        `Denied Read on "${host.path(".env")}", nobody is there to ask: run it on a terminal to be asked`,
      ]),
    );
    expect(JSON.stringify(await host.facts((await listSessions(host.dataDir))[0]?.id ?? ""))).not.toContain("--mode");
  });
});

describe("with somebody to ask", () => {
  test("everything that the mode does not allow is asked for, with its reason", async () => {
    const { codes, requests } = await outcomes("ask", () => "once");
    expect(codes).toEqual(["ok", "ok", "EDIT_TAG_UNKNOWN", "ok", "ok", "ok"]);
    expect([...requests].sort()).toEqual([
      "bash: execute",
      "outside: outside",
      "remove: destructive",
      "secret: secret",
      "write: edit",
    ]);
  });

  test("a secret is asked for in auto as well", async () => {
    const { codes, requests } = await outcomes("auto", () => "once");
    expect(codes.at(-1)).toBe("ok");
    expect(requests).toEqual(["secret: secret"]);
  });

  test("a no is a no for that call alone", async () => {
    const { codes } = await outcomes("ask", ({ reason }) => (reason === "outside" ? "deny" : "once"));
    expect(codes).toEqual(["ok", "ok", "EDIT_TAG_UNKNOWN", "ok", "PATH_OUTSIDE_WORKSPACE", "ok"]);
  });

  test("a yes for the session is not asked for again", async () => {
    const write = (path: string): ScriptedCall => ({ tool: "Write", args: { path, content: "x" } });
    const model = scriptedModel([{ calls: [write("1"), write("2")] }, { calls: [write("3")] }, { text: "ok" }]);
    let asked = 0;
    const onPermission = (): "session" => {
      asked += 1;
      return "session";
    };
    const agent = await host.agent({ model, onPermission });
    await collect(agent.run("go"));
    expect(asked).toBe(1);
    expect(await host.read("3")).toBe("x");
  });
});
