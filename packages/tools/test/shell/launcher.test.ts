import { readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "@spillway/limits";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Commands, createCommands } from "../../src/commands.ts";
import { readProcess } from "../../src/shell/process-id.ts";
import { listPids } from "../../src/shell/process-list.ts";
import type { CommandEnd, CommandRequest } from "../../src/shell.ts";
import { newTag, processesTagged, until } from "../helpers/processes.ts";

let folder = "";
let tag = "";
let session: Commands;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "spillway-launcher-")));
  tag = newTag();
  const scratchDir = join(folder, "scratch", "one");
  session = createCommands({ scratchDir, limits: DEFAULT_LIMITS, env: {}, daemons: "end", launchAboveBytes: 0 });
});

afterEach(async () => {
  await session.close();
  await rm(folder, { recursive: true, force: true });
});

interface Told {
  readonly end: CommandEnd;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(command: string, request: Partial<CommandRequest> = {}): Promise<Told> {
  const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const end = await session.run({
    ...{ command, cwd: folder, env: { TAG: tag }, signal: new AbortController().signal },
    onData: (stream, chunk) => void chunks[stream].push(chunk),
    ...request,
  });
  const text = (of: Uint8Array[]): string => Buffer.concat(of).toString();
  return { end, stdout: text(chunks.stdout), stderr: text(chunks.stderr) };
}

/** The launcher, by its place among this process's children. */
function launcherPid(): number | undefined {
  return listPids().find(
    (pid) =>
      readProcess(pid)?.parent === process.pid &&
      readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("launcher-main"),
  );
}

describe.skipIf(process.platform !== "linux")("shareLauncher", () => {
  test("hands on both streams, the exit code, the directory and the environment", async () => {
    const { end, stdout, stderr } = await run('echo "$PWD $TAG"; echo broken >&2; exit 7');
    expect({ stdout, stderr }).toEqual({ stdout: `${folder} ${tag}\n`, stderr: "broken\n" });
    expect(end).toMatchObject({ ended: "exit", exitCode: 7, signal: null, endedProcesses: 0, leftovers: [] });
  });

  test("the shell is a child of the launcher and the leader of a session of its own", async () => {
    const { stdout } = await run("echo $$ $PPID $(ps -o sid= -p $$)");
    const [shell, parent, leader] = stdout.trim().split(/\s+/);
    expect(parent).toBe(String(launcherPid()));
    expect(leader).toBe(shell);
  });

  test("loses nothing of many quick commands at once", async () => {
    const told = await Promise.all(Array.from({ length: 30 }, (_, at) => run(`echo out ${at}; echo err ${at} >&2`)));
    expect(told.map(({ stdout }) => stdout)).toEqual(told.map((_, at) => `out ${at}\n`));
    expect(told.map(({ stderr }) => stderr)).toEqual(told.map((_, at) => `err ${at}\n`));
  });

  test("takes all of a flood", async () => {
    const { end, stdout } = await run("head -c 20000000 /dev/zero | tr '\\0' x");
    expect(stdout.length).toBe(20_000_000);
    expect(end).toMatchObject({ ended: "exit", exitCode: 0 });
  });

  test("a signal that ends the shell is told as one", async () => {
    expect((await run("kill -KILL $$")).end).toMatchObject({ ended: "signal", exitCode: null, signal: "SIGKILL" });
  });

  test("a timeout ends the whole tree", async () => {
    const { end } = await run("sleep $TAG & sleep $TAG", { timeoutMs: 300 });
    expect(end).toMatchObject({ ended: "timeout", exitCode: null, survivors: [] });
    expect(processesTagged(tag)).toEqual([]);
  });

  test("what the shell leaves behind is ended", async () => {
    const { end } = await run("sleep $TAG & echo left");
    expect(end).toMatchObject({ ended: "exit", exitCode: 0, endedProcesses: 1, survivors: [] });
    expect(processesTagged(tag)).toEqual([]);
  });

  test("a directory that is not there is the shell's failure to start", async () => {
    await expect(run("true", { cwd: join(folder, "gone") })).rejects.toMatchObject({ errno: "ENOENT" });
  });

  test("a launcher that is killed takes the running commands with it, as killed, and the next command has another", async () => {
    let stdout = "";
    const running = session.run({
      ...{ command: "echo begun; sleep $TAG", cwd: folder, env: { TAG: tag }, signal: new AbortController().signal },
      onData: (_stream, chunk) => {
        stdout += Buffer.from(chunk).toString();
        return undefined;
      },
    });
    await until(() => stdout === "begun\n", "its output");
    await until(() => processesTagged(tag).length > 0, "the command to run");
    const first = launcherPid() ?? 0;
    process.kill(first, "SIGKILL");
    expect(await running).toMatchObject({ ended: "signal", exitCode: null, signal: "SIGKILL", survivors: [] });
    expect(processesTagged(tag)).toEqual([]);
    expect((await run("echo again")).stdout).toBe("again\n");
    expect(launcherPid()).not.toBe(first);
  });

  test("where no launcher comes to its start the host starts its shells itself", async () => {
    const { execPath } = process;
    process.execPath = join(folder, "no-node");
    try {
      expect((await run("echo $PPID")).stdout).toBe(`${process.pid}\n`);
    } finally {
      process.execPath = execPath;
    }
  });

  test("ends with its last session", async () => {
    await run("true");
    const pid = launcherPid() ?? 0;
    await session.close();
    await until(() => readProcess(pid) === undefined, "the launcher to end");
  });
});

describe("createCommands", () => {
  test("starts the shells of a small host itself", async () => {
    const scratchDir = join(folder, "scratch", "two");
    const small = createCommands({
      ...{ scratchDir, limits: DEFAULT_LIMITS, env: {}, daemons: "end" },
      launchAboveBytes: Number.POSITIVE_INFINITY,
    });
    let parent = "";
    const signal = new AbortController().signal;
    const onData = (_: unknown, chunk: Uint8Array): undefined => {
      parent += Buffer.from(chunk).toString();
    };
    await small.run({ command: "echo $PPID", cwd: folder, env: {}, signal, onData });
    expect(parent).toBe(`${process.pid}\n`);
    await small.close();
  });
});
