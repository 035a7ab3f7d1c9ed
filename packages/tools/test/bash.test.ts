import { mkdir, symlink, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bash, refusal } from "./helpers/bash.ts";
import { newTag, processesTagged, until } from "./helpers/processes.ts";
import { createWorkspace, type Workspace } from "./helpers/workspace.ts";

let workspace: Workspace;

beforeAll(async () => {
  workspace = await createWorkspace({ "folder/inside.txt": "x", "file.txt": "y" });
});

afterAll(() => workspace.remove());

describe("a command", () => {
  test("runs in the workspace root, and its cd does not outlive it", async () => {
    expect((await bash(workspace, "cd folder && pwd")).stdout).toBe(`${workspace.root}/folder\n`);
    expect((await bash(workspace, "pwd")).stdout).toBe(`${workspace.root}\n`);
  });

  test("runs in the directory that cwd names", async () => {
    expect((await bash(workspace, { command: "pwd", cwd: "folder" })).stdout).toBe(`${workspace.root}/folder\n`);
  });

  test("may begin with a dash and hold quotes, line ends and non-ASCII text", async () => {
    expect((await bash(workspace, "-x 2>/dev/null; printf '%s\\n' \"it's\" '日本'\necho end")).stdout).toBe(
      "it's\n日本\nend\n",
    );
  });

  test("gets the variables of its env, numbers and booleans as text", async () => {
    const outcome = await workspace.call("Bash", { command: "echo $A $B $C", env: { A: "x", B: 3000, C: true } });
    expect(outcome).toMatchObject({ ok: true, result: { stdout: "x 3000 true\n" } });
  });

  test("is no login shell and has a session without terminal of its own", async () => {
    const { stdout } = await bash(
      workspace,
      "shopt login_shell | tr -d ' \\t'; tty; ps -o sid= -p $$ | tr -d ' '; echo $$",
    );
    const [login, tty, session, pid] = stdout.split("\n");
    expect([login, tty]).toEqual(["login_shelloff", "not a tty"]);
    expect(session).toBe(pid);
  });

  test("has its output told apart, counted and timed", async () => {
    const outcome = await bash(workspace, "printf 'a\\nb'; printf 'c\\n' >&2");
    expect(outcome).toEqual({
      ok: true,
      stdout: "a\nb",
      stderr: "c\n",
      exitCode: 0,
      signal: null,
      ended: "exit",
      durationMs: expect.any(Number),
      truncated: false,
      stdoutInfo: { kept: "head", keptBytes: 3, keptLines: 2, totalBytes: 3, totalLines: 2 },
      stderrInfo: { kept: "tail", keptBytes: 2, keptLines: 1, totalBytes: 2, totalLines: 1 },
      endedProcesses: 0,
    });
  });

  test("has colours and overwritten lines left out, and the spill holds them", async () => {
    const outcome = await bash(workspace, "printf '\\e[31mred\\e[0m\\n10%%\\r20%%\\r\\n'");
    expect(outcome.stdout).toBe("red\n20%\r\n");
    expect(outcome.stdoutInfo).toMatchObject({ totalBytes: 22, foldedBytes: 13, keptBytes: 9 });
  });

  test.each([
    ["exit 7", "Command exited with code 7: look for the cause in its output", { exitCode: 7 }],
    [
      "no_such_program",
      "Command exited with code 127: a program was not found; check its name, or install it",
      { exitCode: 127 },
    ],
    [
      "./file.txt",
      "Command exited with code 126: the program was found but may not be executed; check its permissions",
      { exitCode: 126 },
    ],
    ["kill -SEGV $$", "Command was ended by SIGSEGV: look for the cause in its output", { signal: "SIGSEGV" }],
  ])("that fails says how: %s", async (command, message, details) => {
    const { ok, error } = await bash(workspace, command);
    expect(ok).toBe(false);
    expect(error).toMatchObject({ code: "TOOL_FAILED", message, details });
  });

  test("that times out names the limit and the way out", async () => {
    const { error, signal } = await bash(workspace, { command: "sleep 100", timeout: 1 });
    expect(signal).toBe("SIGTERM");
    expect(error).toMatchObject({
      code: "TIMEOUT",
      message:
        "Command timed out after 1 s and was ended (SIGTERM): give it a longer timeout (at most 21600 s), or start it with background: true",
      details: { timeoutS: 1, signal: "SIGTERM" },
    });
  });

  test("whose shell answers the timeout with exit 0 does not look like a success", async () => {
    const outcome = await bash(workspace, { command: "trap 'exit 0' TERM; while :; do sleep 0.05; done", timeout: 1 });
    expect(outcome).toMatchObject({ ok: false, ended: "timeout", exitCode: null, signal: "SIGTERM" });
  });

  test("that was aborted before it began does not begin", async () => {
    const controller = new AbortController();
    controller.abort(new Error("given up"));
    await expect(workspace.call("Bash", { command: "touch ran" }, { signal: controller.signal })).rejects.toThrow(
      "given up",
    );
  });
});

describe("arguments", () => {
  test.each([
    [{}, 'Bash needs "command": send {"command": …}, or the id of a background command with an action'],
    [{ command: "  " }, '"command" "  " is empty: give the command to run'],
    [{ command: "a\0b" }, '"command" holds a NUL character: write it without one'],
    [
      { command: `: ${"x".repeat(131_070)}` },
      '"command" has 131072 bytes, and a command line can have 131071: put long text into a file with Write and name the file in the command',
    ],
    [
      { command: "true", env: { "A-B": "x" } },
      '"env" "A-B" cannot name a variable: use letters, digits and _, and no digit first',
    ],
    [{ command: "true", env: { SPILLWAY_CALL: "x" } }, '"env" "SPILLWAY_CALL" belongs to the host: leave it out'],
    [{ command: "true", env: { A: "x\0y" } }, /leave out NUL characters/],
    [{ command: "true", env: { A: { b: 1 } } }, /env/],
    [
      { command: "true", action: "kill" },
      '"action" "kill" goes with the id of a background command: give its id, or leave action out',
    ],
    [
      { command: "true", id: "bg-1", action: "kill" },
      '"command" "true" cannot be given together with id: send either a command or an id',
    ],
    [{ id: "bg-1" }, 'Bash needs "action" with an id: use "status", "wait" or "kill"'],
    [{ command: "true", workdir: "folder" }, /Bash has no argument "workdir"/],
  ])("are refused by name: %j", async (args, message) => {
    const error = await refusal(workspace, args);
    expect(error.code).toBe("INVALID_ARGUMENT");
    if (message instanceof RegExp) expect(error.message).toMatch(message);
    else expect(error.message).toBe(message);
  });

  test("take the longest command there can be", async () => {
    const command = `: ${"x".repeat(131_069)}`;
    expect((await bash(workspace, command)).exitCode).toBe(0);
  });

  test("say when all of them together are too long for the system", async () => {
    const env = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`V${index}`, "x".repeat(120_000)]));
    const outcome = await bash(workspace, { command: "true", env });
    expect(outcome).toMatchObject({ ok: false, ended: "spawn-failed", exitCode: null, signal: null });
    expect(outcome.error).toMatchObject({
      code: "TOOL_FAILED",
      message:
        "Command could not be started (E2BIG): put long text into a file with Write and name the file in the command",
    });
  });
});

describe("cwd", () => {
  test("that does not exist is named as such", async () => {
    const error = await refusal(workspace, { command: "pwd", cwd: "foldr" });
    expect(error.code).toBe("PATH_NOT_FOUND");
    expect(error.message).toMatch(/^Working directory "foldr" does not exist: /);
    expect(error.details).toMatchObject({ argument: "cwd" });
  });

  test("that is a file is refused", async () => {
    const error = await refusal(workspace, { command: "pwd", cwd: "file.txt" });
    expect(error).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: 'Working directory "file.txt" is a file: give the directory it lies in as cwd',
    });
  });

  test("outside of the workspace is refused, also behind a link, unless the host granted it", async () => {
    const outside = `${workspace.root}/../outside`;
    await mkdir(outside);
    await symlink(outside, workspace.path("link"));
    for (const cwd of ["..", "/", "link"]) {
      expect((await refusal(workspace, { command: "pwd", cwd })).code).toBe("PATH_OUTSIDE_WORKSPACE");
    }
    const granted = await workspace.toolbox({ externalPaths: (_path, access) => access === "write" });
    expect((await bash(granted, { command: "pwd", cwd: "link" })).ok).toBe(true);
  });

  test("that is removed with the workspace is named, and the next call works again", async () => {
    const own = await createWorkspace();
    await bash(own, 'rmdir "$PWD"');
    const error = await refusal(own, { command: "pwd" });
    expect(error).toMatchObject({
      code: "PATH_NOT_FOUND",
      message: `Working directory "${own.root}" does not exist any more: create it again, or give another cwd`,
    });
    await mkdir(own.root);
    expect((await bash(own, "pwd")).ok).toBe(true);
    await own.remove();
  });
});

describe("the description", () => {
  test("carries the resolved numbers and what is withheld", async () => {
    const box = await workspace.toolbox({
      limits: { bashTimeoutS: 50, shell: { maxLines: 100, maxBytes: 2_048 }, shellErr: { keep: "head" } },
    });
    const { description, inputJsonSchema, riskOf } = box.tools.find(({ name }) => name === "Bash") ?? {};
    expect(description).toContain("default 50, 1 to 21600");
    expect(description).toContain("the first 100 lines / 2 KB of stdout, the first 4000 lines / 96 KB of stderr");
    expect(description).not.toMatch(/undefined|\$\{|NaN/);
    expect(JSON.stringify(inputJsonSchema)).toContain("1 to 21600, default 50");
    expect(riskOf?.({ command: "true" })).toBe("execute");
    expect(riskOf?.({ id: "bg-1", action: "status" })).toBe("low");
    expect(riskOf?.({ id: "bg-1", action: "kill" })).toBe("execute");
  });
});

describe("background", () => {
  test("starts a server, shows it, waits for it and ends it", async () => {
    const tag = newTag();
    const command = "echo listening; echo warning >&2; sleep $TAG; true";
    const started = await bash(workspace, { command, env: { TAG: tag }, background: true });
    const { id = "", logPath = "" } = started;
    expect(started).toMatchObject({ ok: true, ended: "running", exitCode: null, signal: null, id: "bg-1" });
    expect(logPath).toMatch(/\/scratch\/[^/]+\/background\/bg-1-\d+\/000001\.log$/);
    await until(() => processesTagged(tag).length === 2, "the server");
    let status = started;
    while (status.stderr === "") {
      await new Promise((resolve) => setTimeout(resolve, 10));
      status = await bash(workspace, { id, action: "status" });
    }
    expect(status).toMatchObject({ ok: true, ended: "running", stdout: "listening\n", stderr: "warning\n" });
    const waited = await bash(workspace, { id, action: "wait", timeout: 1 });
    expect(waited).toMatchObject({
      ok: true,
      ended: "running",
      notice: expect.stringContaining("Still running after 1 s"),
    });
    const killed = await bash(workspace, { id, action: "kill" });
    expect(killed).toMatchObject({ ok: true, ended: "signal", exitCode: null, signal: "SIGTERM", endedProcesses: 2 });
    expect(processesTagged(tag)).toEqual([]);
    const read = await bash(workspace, `cat '${logPath}'`);
    expect(read.stdout.split("\n").sort()).toEqual(["", "listening", "warning"]);
    expect((await bash(workspace, { id, action: "kill" })).ended).toBe("signal");
  });

  test("gives the end of a command that ends by itself, as wait would in the foreground", async () => {
    const { id = "" } = await bash(workspace, { command: "echo done; exit 3", background: true });
    const waited = await bash(workspace, { id, action: "wait" });
    expect(waited).toMatchObject({
      ok: false,
      ended: "exit",
      exitCode: 3,
      stdout: "done\n",
      error: { code: "TOOL_FAILED" },
    });
    expect(await bash(workspace, { id, action: "status" })).toMatchObject({ ok: true, exitCode: 3 });
  });

  test("has no time limit but one that was given", async () => {
    const { id = "" } = await bash(workspace, { command: "sleep 100", background: true, timeout: 1 });
    const waited = await bash(workspace, { id, action: "wait", timeout: 20 });
    expect(waited).toMatchObject({ ok: false, ended: "timeout", error: { code: "TIMEOUT", details: { timeoutS: 1 } } });
    expect(waited.error?.next).toBe("start it again with a longer timeout, or without one");
  });

  test("is not ended by an abort of wait", async () => {
    const { id = "" } = await bash(workspace, { command: "sleep 100", background: true });
    const waited = await bash(workspace, { id, action: "wait" }, { signal: AbortSignal.timeout(100) });
    expect(waited).toMatchObject({ ok: false, ended: "running", error: { code: "ABORTED" } });
    expect(await bash(workspace, { id, action: "status" })).toMatchObject({ ok: true, ended: "running" });
    await bash(workspace, { id, action: "kill" });
  });

  test("keeps the log within bounds and says where its end is", async () => {
    const box = await workspace.toolbox({ limits: { spillMaxBytes: 100_000 } });
    const { id = "", logPath = "" } = await bash(box, { command: "seq 1 400000", background: true });
    const waited = await bash(box, { id, action: "wait" });
    expect(waited).toMatchObject({ ok: true, exitCode: 0, truncated: true });
    expect(waited.stdout.endsWith("\n399999\n400000\n")).toBe(true);
    expect(waited.stdoutInfo).toMatchObject({ totalBytes: 2_688_895, totalLines: 400_000 });
    const folder = logPath.slice(0, logPath.lastIndexOf("/"));
    const newest = /000001\.log holds its beginning, (\S+\.log) its end\.$/.exec(waited.notice ?? "")?.[1] ?? "";
    expect(newest.startsWith(`${folder}/`)).toBe(true);
    expect(
      (await bash(box, `head -n 1 '${logPath}'; tail -n 1 '${newest}'; du -sb '${folder}' | cut -f 1`)).stdout,
    ).toMatch(/^1\n400000\n[1-9]\d{5}\n$/);
  });

  test("runs without a log where none can be written", async () => {
    const own = await createWorkspace();
    await mkdir(own.dataDir);
    await writeFile(`${own.dataDir}/scratch`, "in the way");
    const started = await bash(own, { command: "echo here", background: true });
    expect(started.logPath).toBeUndefined();
    const waited = await bash(own, { id: started.id, action: "wait" });
    expect(waited).toMatchObject({
      stdout: "here\n",
      notice: "Its output could not be logged; only the last of it is shown here.",
    });
    await own.remove();
  });

  test("that cannot start says so at once", async () => {
    const error = await refusal(workspace, { command: "true", background: true, cwd: "missing" });
    expect(error.code).toBe("PATH_NOT_FOUND");
  });

  test("knows the ids of its session only", async () => {
    const box = await workspace.toolbox();
    expect(await refusal(box, { id: "bg-1", action: "status" })).toMatchObject({
      code: "UNKNOWN_BACKGROUND_ID",
      message: 'There is no background command "bg-1": start one with background: true',
    });
    await bash(box, { command: "true", background: true });
    expect((await refusal(box, { id: "bg-7", action: "status" })).message).toBe(
      'There is no background command "bg-7": use one of bg-1',
    );
  });

  test("refuses more than 32 at once", async () => {
    const box = await workspace.toolbox();
    const starts = Array.from({ length: 32 }, () => bash(box, { command: "sleep 100", background: true }));
    expect((await Promise.all(starts)).every(({ ended }) => ended === "running")).toBe(true);
    expect((await refusal(box, { command: "sleep 100", background: true })).code).toBe("HOST_OVERLOADED");
    await box.close();
  });
});
