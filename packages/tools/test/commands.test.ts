import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "@spillway/limits";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Commands, type CommandsOptions, createCommands } from "../src/commands.ts";
import { callMark, sessionMark } from "../src/shell/mark.ts";
import { ownProcess } from "../src/shell/process-id.ts";
import type { CommandEnd, CommandRequest } from "../src/shell.ts";
import { newTag, processesTagged, until } from "./helpers/processes.ts";

let folder = "";
let tag = "";

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "spillway-commands-")));
  tag = newTag();
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function commands(options: Partial<CommandsOptions> = {}): Commands {
  const scratchDir = join(folder, "scratch", "one");
  return createCommands({ scratchDir, limits: DEFAULT_LIMITS, env: {}, daemons: "end", ...options });
}

function run(session: Commands, command: string, request: Partial<CommandRequest> = {}): Promise<CommandEnd> {
  const signal = new AbortController().signal;
  return session.run({ command, cwd: folder, env: { TAG: tag }, signal, onData: () => undefined, ...request });
}

const linux = process.platform === "linux";
const DAEMON = "setsid -f sleep $TAG >/dev/null 2>&1";

describe("createCommands", () => {
  test("runs in the given directory with the given environment", async () => {
    const session = commands({ hostEnv: { PATH: process.env.PATH, A: "host", B_TOKEN: "secret" } });
    let output = "";
    const end = await run(session, 'echo "$PWD $A $B_TOKEN $C $PAGER"', {
      env: { C: "call" },
      onData: (_stream, chunk) => {
        output += Buffer.from(chunk).toString();
        return undefined;
      },
    });
    expect(output).toBe(`${folder} host  call cat\n`);
    expect(end).toMatchObject({
      ended: "exit",
      exitCode: 0,
      signal: null,
      endedProcesses: 0,
      daemons: [],
      leftovers: [],
    });
    await session.close();
  });

  test("fails with SHELL_NOT_FOUND only where no bash is anywhere", async () => {
    const session = commands({ hostEnv: { PATH: "/nowhere" } });
    expect(await run(session, "exit 3")).toMatchObject({ ended: "exit", exitCode: 3 });
    await session.close();
  });

  test("holds a stream back while its reader asks to wait", async () => {
    const session = commands();
    let waiting = 0;
    let most = 0;
    let bytes = 0;
    await run(session, "head -c 2000000 /dev/zero", {
      onData: async (_stream, chunk) => {
        bytes += chunk.length;
        waiting += 1;
        most = Math.max(most, waiting);
        await new Promise((resolve) => setImmediate(resolve));
        waiting -= 1;
      },
    });
    expect(bytes).toBe(2_000_000);
    // Node itself resumes the stream once, at the exit of the process.
    expect(most).toBeLessThanOrEqual(2);
    await session.close();
  });
});

describe.runIf(linux)("close", () => {
  test("ends running commands as aborted, and refuses further ones", async () => {
    const session = commands();
    const running = run(session, "sleep $TAG & setsid sleep $TAG & wait");
    await until(() => processesTagged(tag).length >= 3, "three processes");
    await session.close();
    expect(processesTagged(tag)).toEqual([]);
    expect(await running).toMatchObject({ ended: "abort", signal: "SIGTERM", endedProcesses: 3 });
    await expect(run(session, "true")).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("ends background commands", async () => {
    const session = commands();
    const { ended } = await session.background.start({
      command: "sleep $TAG; sleep $TAG",
      cwd: folder,
      env: { TAG: tag },
    });
    await session.close();
    expect(processesTagged(tag)).toEqual([]);
    expect(await ended).toMatchObject({ ended: "signal", exitCode: null });
  });

  test("ends the daemons of earlier calls", async () => {
    const session = commands();
    const end = await run(session, DAEMON);
    expect(end.daemons).toEqual([expect.stringMatching(`^(setsid -f )?sleep ${tag} \\(pid \\d+\\)$`)]);
    expect(processesTagged(tag).length).toBe(1);
    await session.close();
    expect(processesTagged(tag)).toEqual([]);
  });

  test("keeps the daemons where that was asked for", async () => {
    const session = commands({ daemons: "keep" });
    await run(session, DAEMON);
    await session.close();
    const [daemon] = processesTagged(tag);
    expect(daemon?.command).toBe(`sleep ${tag}`);
    process.kill(daemon?.pid ?? 0, "SIGKILL");
  });

  test("is quick and can be called when nothing ran", async () => {
    await commands().close();
  });
});

describe.runIf(linux)("a resumed session", () => {
  async function deadHost(): Promise<{ pid: number; start: number }> {
    const host = spawn("sleep", ["1000"]);
    const { pid = 0 } = host;
    host.kill("SIGKILL");
    await once(host, "exit");
    return { pid, start: 1 };
  }

  function leftBehind(scratchDir: string, host: { pid: number; start: number }): void {
    spawn("sleep", [tag], {
      detached: true,
      stdio: "ignore",
      env: { PATH: process.env.PATH, SPILLWAY_CALL: callMark(sessionMark(scratchDir), host, 1) },
    }).unref();
  }

  test("ends what a dead host of the same session left running", async () => {
    const scratchDir = join(folder, "scratch", "one");
    leftBehind(scratchDir, await deadHost());
    await until(() => processesTagged(tag).length === 1, "the orphan");
    const session = commands({ resumed: true });
    await until(() => processesTagged(tag).length === 0, "its end");
    await session.close();
  });

  test.each([
    ["of another session", "two", "dead"],
    ["of a living host", "one", "living"],
  ] as const)("leaves the commands %s alone", async (_title, name, hostState) => {
    leftBehind(join(folder, "scratch", name), hostState === "dead" ? await deadHost() : ownProcess());
    await until(() => processesTagged(tag).length === 1, "the process");
    const session = commands({ resumed: true });
    await session.close();
    const [left] = processesTagged(tag);
    expect(left).toBeDefined();
    process.kill(left?.pid ?? 0, "SIGKILL");
  });
});
