import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, type TestContext, test } from "vitest";
import { TYPESCRIPT_FLAGS } from "../../../../scripts/typescript-flags.ts";
import { allProcesses, newTag, processesTagged, until } from "../helpers/processes.ts";
import { createWorkspace } from "../helpers/workspace.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/doomed-host.ts", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

interface Call {
  readonly tag: string;
  readonly command: string;
  readonly background?: boolean;
}

/** A host whose commands have all printed something. */
async function startHost({ onTestFinished }: TestContext, calls: readonly Call[]): Promise<ChildProcess> {
  const workspace = await createWorkspace();
  const host = spawn(
    process.execPath,
    [...TYPESCRIPT_FLAGS, FIXTURE, workspace.root, workspace.dataDir, JSON.stringify(calls)],
    {
      cwd: PACKAGE,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  onTestFinished(async () => {
    host.kill("SIGKILL");
    await workspace.remove();
  });
  const waiting = new Set(calls.keys());
  for await (const line of createInterface(host.stdout)) {
    waiting.delete(Number(line));
    if (waiting.size === 0) break;
  }
  return host;
}

function watchdogsOf({ pid }: ChildProcess): number[] {
  return allProcesses()
    .filter((found) => found.parent === pid && found.command.includes("spillway-watchdog"))
    .map((found) => found.pid);
}

function isGone(pid: number): boolean {
  return !allProcesses().some((found) => found.pid === pid && found.state !== "Z");
}

describe.runIf(process.platform === "linux")("the watchdog", () => {
  test("is one a host, ends the commands of a killed host, and then itself", async (context) => {
    const calls: readonly Call[] = [
      { tag: newTag(), command: "echo x; sleep $TAG | cat" },
      { tag: newTag(), command: "echo x; trap '' TERM; sleep $TAG & setsid sleep $TAG & wait" },
      { tag: newTag(), command: "echo x; exec env -i sleep $TAG" },
      { tag: newTag(), command: "(setsid nohup sleep $TAG >/dev/null 2>&1 &); echo x; sleep $TAG" },
      { tag: newTag(), command: "setsid -f sleep $TAG >/dev/null 2>&1; echo x" },
      { tag: newTag(), command: "for i in $(seq 50); do sleep $TAG & done; echo x; wait" },
      { tag: newTag(), command: "echo x; sleep $TAG & sleep $TAG", background: true },
    ];
    const host = await startHost(context, calls);
    for (const { tag } of calls) await until(() => processesTagged(tag).length > 0, "a process of each command");
    const [watchdog = 0, ...more] = watchdogsOf(host);
    expect(watchdog).toBeGreaterThan(0);
    expect(more).toEqual([]);
    host.kill("SIGKILL");
    const left = (): unknown[] =>
      calls.flatMap(({ tag }) => processesTagged(tag).filter(({ pid }) => pid !== host.pid));
    await until(() => left().length === 0, "the commands' end", 60_000);
    await until(() => isGone(watchdog), "the watchdog's end", 60_000);
  });

  test("is replaced when somebody ends it", async (context) => {
    const tag = newTag();
    const host = await startHost(context, [{ tag, command: "echo x; sleep $TAG" }]);
    const [first = 0] = watchdogsOf(host);
    process.kill(first, "SIGKILL");
    await until(() => watchdogsOf(host).some((pid) => pid !== first), "another watchdog");
    host.kill("SIGKILL");
    await until(() => processesTagged(tag).length === 0, "the command's end", 60_000);
  });
});
