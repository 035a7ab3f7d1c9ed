import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pidNamespacePrefix } from "../../src/shell/pid-namespace.ts";
import { bash } from "../helpers/bash.ts";
import { abortOnceRunning, newTag, processesTagged } from "../helpers/processes.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

let workspace: Workspace;

beforeAll(async () => {
  workspace = await createWorkspace({}, { pidNamespaces: true });
  if (canUnshare()) await bash(workspace, "true");
});

afterAll(() => workspace.remove());

function canUnshare(): boolean {
  try {
    execFileSync("unshare", ["--pid", "--fork", "--kill-child", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Nothing tells that it belongs to the call: no mark, no session, no parent, no pipe. */
const CLEARED_DAEMON = "(env -i setsid sleep $TAG </dev/null >/dev/null 2>&1 &)";

describe.runIf(canUnshare()).concurrent("a command in a PID namespace", () => {
  test.each(["exit", "timeout", "abort"] as const)("leaves not even a cleared daemon after its %s", async (by) => {
    const tag = newTag();
    const command = `${CLEARED_DAEMON}; ${by === "exit" ? "sleep 0.1; echo done" : "sleep $TAG | cat"}`;
    const outcome = await bash(
      workspace,
      { command, env: { TAG: tag }, ...(by === "timeout" && { timeout: 1 }) },
      by === "abort" ? { signal: abortOnceRunning(tag) } : {},
    );
    expect(processesTagged(tag)).toEqual([]);
    expect(outcome.ended).toBe(by);
  });

  test("keeps its output, its exit code and its end by a signal", async () => {
    expect(await bash(workspace, "echo out; echo err >&2; exit 7")).toMatchObject({
      stdout: "out\n",
      stderr: "err\n",
      exitCode: 7,
    });
    expect(await bash(workspace, "kill -KILL $$")).toMatchObject({ ok: false, exitCode: 137 });
    expect(await bash(workspace, "sleep 30 & echo done")).toMatchObject({ ok: true, stdout: "done\n" });
  });
});

describe("pidNamespacePrefix", () => {
  test("says when no namespace can be made", async () => {
    await expect(pidNamespacePrefix({ PATH: "/nowhere" })).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: expect.stringContaining("none can be made on this machine"),
    });
  });
});
