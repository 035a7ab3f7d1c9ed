import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bash } from "./helpers/bash.ts";
import { NASTY_COMMANDS } from "./helpers/nasty-commands.ts";
import { abortOnceRunning, allProcesses, newTag, processesTagged } from "./helpers/processes.ts";
import { createWorkspace, type Workspace } from "./helpers/workspace.ts";

let workspace: Workspace;

beforeAll(async () => {
  workspace = await createWorkspace();
  // The first command of a process loads the spawner.
  await bash(workspace, "true");
});

afterAll(() => workspace.remove());

function hasPrograms(programs: readonly string[] = []): boolean {
  return programs.every((program) => spawnSync("bash", ["-c", `command -v ${program}`]).status === 0);
}

/** A chain of processes shows itself only now and then. */
function survivors(tag: string): unknown[] {
  for (let look = 0; look < 10; look++) {
    const found = processesTagged(tag);
    if (found.length > 0) return found;
  }
  return [];
}

const cases = NASTY_COMMANDS.map((nasty, index) => ({ ...nasty, by: index % 3 === 0 ? "timeout" : "abort" }) as const);

async function leavesNoProcess({ command, by }: (typeof cases)[number]): Promise<void> {
  const tag = newTag();
  const args = { command, env: { TAG: tag } };
  const outcome =
    by === "timeout"
      ? await bash(workspace, { ...args, timeout: 1 })
      : await bash(workspace, args, { signal: abortOnceRunning(tag) });
  expect(survivors(tag)).toEqual([]);
  expect(outcome).toMatchObject({ ok: false, ended: by, exitCode: null, signal: expect.stringMatching(/^SIG/) });
  expect(outcome.error?.code).toBe(by === "timeout" ? "TIMEOUT" : "ABORTED");
  expect(outcome.endedProcesses).toBeGreaterThan(0);
  expect(outcome.notice).toBeUndefined();
}

describe.runIf(process.platform === "linux").concurrent("a command that is ended leaves no process", () => {
  for (const nasty of cases.filter(({ wild }) => wild !== true)) {
    test.runIf(hasPrograms(nasty.programs))(`${nasty.by}: ${nasty.name}`, () => leavesNoProcess(nasty));
  }
});

describe.runIf(process.platform === "linux")("a command that is ended", () => {
  for (const nasty of cases.filter(({ wild }) => wild === true)) {
    test.runIf(hasPrograms(nasty.programs))(`leaves no process, ${nasty.by}: ${nasty.name}`, () =>
      leavesNoProcess(nasty),
    );
  }

  test("leaves no zombie", async () => {
    const tag = newTag();
    const args = { command: "echo $$; sleep $TAG | cat", env: { TAG: tag } };
    const { stdout } = await bash(workspace, args, { signal: abortOnceRunning(tag) });
    expect(allProcesses().some(({ pid }) => pid === Number(stdout))).toBe(false);
  });
});

describe.runIf(process.platform === "linux").concurrent("a shell that has exited", () => {
  test.each([
    ["holds the pipes", "sleep $TAG & echo done"],
    ["holds one pipe", "sleep $TAG </dev/null >/dev/null & echo done"],
    ["holds the pipes in a session of its own", "setsid sleep $TAG & echo done"],
    ["holds the pipes and ignores SIGTERM", "(trap '' TERM; exec sleep $TAG) & echo done"],
    ["holds the pipes with another environment and no parent", "(env -i setsid sleep $TAG &) ; sleep 0.1; echo done"],
    ["is still in the session", "nohup sleep $TAG >/dev/null 2>&1 & echo done"],
  ])("has its leftover ended and named when that %s", async (_title, command) => {
    const tag = newTag();
    const outcome = await bash(workspace, { command, env: { TAG: tag } });
    expect(survivors(tag)).toEqual([]);
    expect(outcome).toMatchObject({ ok: true, ended: "exit", exitCode: 0, stdout: "done\n", endedProcesses: 1 });
    expect(outcome.notice).toMatch(
      new RegExp(
        `^Ended what the command had left running: sleep ${tag} \\(pid \\d+\\)\\. To keep a program running, start it with background: true\\.$`,
      ),
    );
  });

  test("keeps what a leftover writes meanwhile", async () => {
    const outcome = await bash(workspace, "(sleep 0.3; echo late) & echo early");
    expect(outcome).toMatchObject({ stdout: "early\nlate\n", endedProcesses: 0 });
    expect(outcome.notice).toBeUndefined();
  });

  test("lets a process substitution finish", async () => {
    const outcome = await bash(
      workspace,
      "echo text > >(sleep 0.1; cat >written 2>/dev/null) 2>/dev/null; echo done >&2",
    );
    expect(outcome).toMatchObject({ exitCode: 0, endedProcesses: 0 });
    expect(await bash(workspace, "cat written")).toMatchObject({ stdout: "text\n" });
  });

  test("does not wait for output without end", async () => {
    const begin = performance.now();
    const outcome = await bash(workspace, "(while :; do echo tick; sleep 0.1; done) & echo end");
    expect(outcome.stdout).toMatch(/^(tick\n)*end\n(tick\n)+$/);
    expect(outcome.endedProcesses).toBeGreaterThan(0);
    expect(performance.now() - begin).toBeLessThan(20_000);
  });

  test("answers at once when the wait for held pipes is aborted", async () => {
    const tag = newTag();
    const controller = new AbortController();
    const call = bash(
      workspace,
      { command: "(while :; do echo tick; sleep 0.1; done) & sleep $TAG & echo end", env: { TAG: tag } },
      {
        signal: controller.signal,
        onOutput: ({ text }) => text.includes("end") && setTimeout(() => controller.abort(), 50),
      },
    );
    expect(await call).toMatchObject({ ok: true, ended: "exit", exitCode: 0 });
    expect(survivors(tag)).toEqual([]);
  });

  test("leaves a daemon alone that left the session and closed the pipes, and names it", async () => {
    const tag = newTag();
    const own = await createWorkspace();
    const command = "setsid -f sleep $TAG >/dev/null 2>&1; echo done";
    const outcome = await bash(own, { command, env: { TAG: tag } });
    expect(outcome).toMatchObject({ ok: true, exitCode: 0, endedProcesses: 0 });
    expect(outcome.notice).toMatch(
      new RegExp(
        `^Still running outside of the call: (?:setsid -f )?sleep ${tag} \\(pid \\d+\\); it is ended when the session closes\\.$`,
      ),
    );
    expect(processesTagged(tag).length).toBe(1);
    await own.remove();
    expect(survivors(tag)).toEqual([]);
  });
});
