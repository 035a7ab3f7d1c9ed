import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { OutputChunk } from "../../src/tool.ts";
import { bash } from "../helpers/bash.ts";
import { runInHost } from "../helpers/command-host.ts";
import { abortOnceRunning, newTag, processesTagged } from "../helpers/processes.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

let workspace: Workspace;

beforeAll(async () => {
  workspace = await createWorkspace();
  await bash(workspace, "true");
});

afterAll(() => workspace.remove());

function textOf(chunks: readonly OutputChunk[], stream: "stdout" | "stderr"): string {
  return chunks
    .filter((chunk) => chunk.stream === stream)
    .map((chunk) => chunk.text)
    .join("");
}

describe("F11", () => {
  test("F11 few but very long lines of stderr keep the cause on the last line", async () => {
    const script = [
      "import sys",
      "for i in range(3): sys.stderr.write('W'*60000+'\\n')",
      "sys.stderr.write('FATAL: root cause 42\\n'); sys.stdout.write('ok\\n'); sys.exit(2)",
    ].join("\n");
    await workspace.write("noisy.py", script);
    const outcome = await bash(workspace, "python3 noisy.py");
    expect(outcome).toMatchObject({
      ok: false,
      exitCode: 2,
      stdout: "ok\n",
      truncated: true,
      error: { code: "TOOL_FAILED" },
    });
    const [marker = "", , ...body] = outcome.stderr.split("\n");
    expect(marker).toMatch(
      /^\[truncated: kept the last \d of 4 lines; limit 4000 lines \/ 96KB\. Full output saved to \//,
    );
    expect(outcome.stderr.endsWith("\nFATAL: root cause 42\n")).toBe(true);
    expect(Buffer.byteLength(body.join("\n"))).toBeLessThanOrEqual(98_304);
    expect(outcome.stderrInfo).toMatchObject({ totalBytes: 180_024, totalLines: 4 });
    expect((await readFile(outcome.stderrInfo.spillPath ?? "")).length).toBe(180_024);
  });
});

describe("F12", () => {
  test("F12 output that the capture dropped is counted", async () => {
    const outcome = await bash(workspace, "seq 1 400000");
    const [body = "", marker] = outcome.stdout.split("\n\n[");
    expect(body.split("\n")).toEqual(Array.from({ length: 4_000 }, (_, index) => String(index + 1)));
    expect(marker).toMatch(
      /^truncated: kept the first 4000 of 400000 lines; limit 4000 lines \/ 96KB\. Partial output \(first \d+ of 2688895 bytes, \d+ of 400000 lines\) saved to \//,
    );
    const { capturedBytes = 0, spillPath = "" } = outcome.stdoutInfo;
    expect(outcome).toMatchObject({
      ok: true,
      exitCode: 0,
      stdoutInfo: { totalBytes: 2_688_895, totalLines: 400_000 },
    });
    expect(capturedBytes).toBeGreaterThan(524_280);
    expect(capturedBytes).toBeLessThanOrEqual(524_288);
    expect((await readFile(spillPath)).length).toBe(capturedBytes);
  });

  test("F12 4000 lines are complete and unmarked, 4001 are marked", async () => {
    const exact = await bash(workspace, "seq 1 4000");
    expect(exact.truncated).toBe(false);
    expect(exact.stdout.endsWith("\n3999\n4000\n")).toBe(true);
    const over = await bash(workspace, "seq 1 4001");
    expect(over.truncated).toBe(true);
    expect(over.stdout).toMatch(/\n4000\n\n\[truncated: kept the first 4000 of 4001 lines; .* Full output saved to /);
  });
});

describe("F14", () => {
  test("F14 a spill directory that cannot be made costs only the hint", async () => {
    const own = await createWorkspace();
    await mkdir(own.dataDir);
    await writeFile(`${own.dataDir}/scratch`, "");
    const outcome = await bash(own, "seq 1 100000");
    expect(outcome).toMatchObject({ ok: true, truncated: true });
    expect(outcome.stdout.startsWith("1\n2\n3\n")).toBe(true);
    expect(outcome.stdout).toMatch(/\[truncated: kept the first 4000 of 100000 lines; [^/]*\/ 96KB\. [^/]*\]$/);
    expect(outcome.stdout).not.toMatch(/undefined|null/);
    expect(outcome.stdoutInfo.spillPath).toBeUndefined();
    expect(await bash(own, "echo alive")).toMatchObject({ ok: true, stdout: "alive\n" });
    await own.remove();
  });
});

describe("F15", () => {
  test("F15 the spill of one long line is the whole output and is not spilled again by reading it", async () => {
    const script = `print('{' + ','.join('"k%05d":%d' % (i,i) for i in range(30000)) + '}')`;
    await workspace.write("gen.py", script);
    const outcome = await bash(workspace, "python3 gen.py");
    const { spillPath = "", totalBytes } = outcome.stdoutInfo;
    expect(outcome.stdout).toContain(`${"[truncated: no complete line fits the 96KB limit; kept "}`);
    expect(outcome.stdout).toContain(`Full output saved to ${spillPath} —`);
    const expected = `{${Array.from({ length: 30_000 }, (_, i) => `"k${String(i).padStart(5, "0")}":${i}`).join(",")}}\n`;
    expect(await readFile(spillPath, "utf8")).toBe(expected);
    expect(totalBytes).toBe(expected.length);
    const folder = spillPath.slice(0, spillPath.lastIndexOf("/"));
    const before = await readdir(folder);
    const again = await bash(workspace, `cat '${spillPath}' | head -c 1000`);
    expect(again.truncated).toBe(false);
    expect(await readdir(folder)).toEqual(before);
  });
});

describe.runIf(process.platform === "linux").concurrent("F24", () => {
  test.each([
    ["F24 a silent background child", "sleep $TAG & echo done", "done\n"],
    ["F24 a child that holds only stderr", "sleep $TAG </dev/null >/dev/null & echo done", "done\n"],
    ["F24 a nohup child", "nohup sleep $TAG >/dev/null 2>&1 & echo done", "done\n"],
  ])("%s does not hold the call", async (_title, command, stdout) => {
    const tag = newTag();
    const chunks: OutputChunk[] = [];
    const outcome = await bash(workspace, { command, env: { TAG: tag } }, { onOutput: (chunk) => chunks.push(chunk) });
    expect(processesTagged(tag)).toEqual([]);
    const seen = chunks.length;
    expect(outcome).toMatchObject({ ok: true, exitCode: 0, stdout, endedProcesses: 1 });
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(chunks.length).toBe(seen);
  });

  test("F24 a child that goes on writing is ended, and nothing comes after the result", async () => {
    const chunks: OutputChunk[] = [];
    const begin = performance.now();
    const outcome = await bash(workspace, "(while true; do echo tick; sleep 0.2; done) & sleep 1; echo end", {
      onOutput: (chunk) => chunks.push(chunk),
    });
    expect(performance.now() - begin).toBeLessThan(20_000);
    expect(outcome).toMatchObject({ ok: true, exitCode: 0 });
    expect(outcome.stdout).toContain("end\n");
    const seen = chunks.length;
    expect(textOf(chunks, "stdout")).toBe(outcome.stdout);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(chunks.length).toBe(seen);
  });
});

describe.runIf(process.platform === "linux").concurrent("F25", () => {
  const command = "echo stage-one; echo warn >&2; sleep $TAG | cat; echo never";

  test("F25 a timeout ends the tree and keeps what was printed", async () => {
    const tag = newTag();
    const begin = performance.now();
    const outcome = await bash(workspace, { command, env: { TAG: tag }, timeout: 1 });
    expect(processesTagged(tag)).toEqual([]);
    expect(outcome).toMatchObject({
      ok: false,
      ended: "timeout",
      stdout: "stage-one\n",
      stderr: "warn\n",
      endedProcesses: 3,
    });
    expect(outcome.error).toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("after 1 s") });
    expect(performance.now() - begin).toBeGreaterThan(990);
    expect(performance.now() - begin).toBeLessThan(20_000);
  });

  test("F25 an abort does the same and says so", async () => {
    const tag = newTag();
    const outcome = await bash(workspace, { command, env: { TAG: tag } }, { signal: abortOnceRunning(tag, 400) });
    expect(processesTagged(tag)).toEqual([]);
    expect(outcome).toMatchObject({
      ok: false,
      ended: "abort",
      stdout: "stage-one\n",
      stderr: "warn\n",
      error: { code: "ABORTED" },
    });
  });
});

describe("F26", () => {
  test("F26 a command that reads standard input gets an empty one, and the host's own stays untouched", async () => {
    const commands = [
      "cat; echo rc=$?",
      "read x; echo got=[$x] rc=$?",
      "python3 -c 'input()'",
      "sort | wc -l",
      "test -t 0; echo tty=$?",
      "exec 3</dev/tty; echo terminal=$?",
      "GIT_CONFIG_NOSYSTEM=1 git -c credential.helper= ls-remote https://127.0.0.1:1/x 2>/dev/null; echo rc=$?",
    ];
    const report = await runInHost(
      commands.map((command) => ({ command, timeout: 10 })),
      { stdin: "LEAK\n" },
    );
    const results = report.outcomes.map(({ ok, result }) => [ok, result.exitCode, result.stdout.trim()]);
    expect(results).toEqual([
      [true, 0, "rc=0"],
      [true, 0, "got=[] rc=1"],
      [false, 1, ""],
      [true, 0, "0"],
      [true, 0, "tty=1"],
      [true, 0, "terminal=1"],
      [true, 0, "rc=128"],
    ]);
    expect(report.outcomes[2]?.result.stderr).toContain("EOFError");
    expect(report.stdin).toBe("LEAK\n");
  });
});

describe.concurrent("F27", () => {
  test.each([
    ["printf before; kill -KILL $$", "SIGKILL", "before"],
    ["printf before; kill -TERM $$", "SIGTERM", "before"],
    ["kill -SEGV $$", "SIGSEGV", ""],
  ])("F27 death by signal is a failure that names it: %s", async (command, signal, stdout) => {
    const outcome = await bash(workspace, command);
    expect(outcome).toMatchObject({ ok: false, ended: "signal", exitCode: null, signal, stdout });
    expect(outcome.error).toMatchObject({ code: "TOOL_FAILED", message: expect.stringContaining(signal) });
  });

  test("F27 exit 7 is a failure with 7, and a child's death is none", async () => {
    expect(await bash(workspace, "exit 7")).toMatchObject({ ok: false, ended: "exit", exitCode: 7, signal: null });
    const after = await bash(workspace, "sh -c 'kill -9 $$'; echo after");
    expect(after).toMatchObject({ ok: true, exitCode: 0, signal: null, stdout: "after\n" });
  });
});

describe.concurrent("F28", () => {
  async function withChunks(command: string): Promise<{ stdout: string; stderr: string; live: string }> {
    const chunks: OutputChunk[] = [];
    const { stdout, stderr } = await bash(workspace, command, { onOutput: (chunk) => chunks.push(chunk) });
    return { stdout, stderr, live: textOf(chunks, "stdout") + textOf(chunks, "stderr") };
  }

  test("F28 characters at chunk borders stay whole on both streams", async () => {
    const text = "你".repeat(30_000);
    const write = (stream: string): string => `python3 -c "import sys; sys.${stream}.write('你'*30000)"`;
    expect(await withChunks(write("stdout"))).toEqual({ stdout: text, stderr: "", live: text });
    expect(await withChunks(write("stderr"))).toEqual({ stdout: "", stderr: text, live: text });
  });

  test("F28 a character that comes byte by byte is one", async () => {
    const { stdout, live } = await withChunks(
      "printf '\\xe4'; sleep 0.15; printf '\\xb8'; sleep 0.15; printf '\\xad\\n'",
    );
    expect(stdout).toBe("中\n");
    expect(live).toBe("中\n");
  });

  test("F28 emoji on stderr stay whole", async () => {
    const { stderr } = await withChunks(`python3 -c "import sys; sys.stdout.write('🟡'*20000)" >&2`);
    expect(stderr).toBe("🟡".repeat(20_000));
  });

  test("F28 a cut falls between characters", async () => {
    const text = `a${"你".repeat(40_000)}`;
    const command = `python3 -c "import sys; sys.stdout.write('a'+'你'*40000)"`;
    const { stdout } = await withChunks(command);
    const head = stdout.slice(0, stdout.indexOf("\n\n[truncated"));
    expect(text.startsWith(head)).toBe(true);
    expect(Buffer.byteLength(head)).toBeLessThanOrEqual(98_304);
    expect(Buffer.byteLength(head)).toBeGreaterThan(98_300);
    const { stderr } = await withChunks(`${command} >&2`);
    const tail = stderr.slice(stderr.indexOf("]\n\n") + 3);
    expect(text.endsWith(tail)).toBe(true);
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(98_304);
    expect(Buffer.byteLength(tail)).toBeGreaterThan(98_300);
  });
});

describe("F29", () => {
  test("F29 endless output costs neither memory nor the event loop", { timeout: 120_000 }, async () => {
    const report = await runInHost(
      [
        { command: "yes", timeout: 2 },
        { command: "yes | tr -d '\\n'", timeout: 2 },
        { command: "cat /dev/urandom | base64 -w0 | head -c 300000000", timeout: 60 },
      ],
      { flags: ["--max-old-space-size=192"] },
    );
    const [lines, oneLine, random] = report.outcomes;
    for (const outcome of [lines, oneLine]) {
      expect(outcome).toMatchObject({
        ok: false,
        error: { code: "TIMEOUT" },
        result: { ended: "timeout", truncated: true },
      });
      expect(outcome?.elapsedMs).toBeLessThan(30_000);
      expect(outcome?.result.stdout.startsWith("y")).toBe(true);
      const { totalBytes = 0, keptBytes = 0, capturedBytes = 0 } = outcome?.result.stdoutInfo ?? {};
      expect(totalBytes).toBeGreaterThan(10_000_000);
      expect(outcome?.result.stdout).toContain(`(first ${capturedBytes} of ${totalBytes} bytes`);
      expect(keptBytes).toBeLessThanOrEqual(98_304);
    }
    expect(random).toMatchObject({ ok: true, result: { exitCode: 0, stdoutInfo: { totalBytes: 300_000_000 } } });
    expect(report.peakBytes).toBeLessThan(300 * 1024 * 1024);
    expect(report.maxLagMs).toBeLessThan(10_000);
    expect(report.chunkChars).toBeLessThanOrEqual(3 * 524_288);
    expect(report.chunkCount).toBeLessThan(200);
  });
});

describe("F30", () => {
  test("F30 chunks of both streams have one order, the results none", async () => {
    const chunks: OutputChunk[] = [];
    const command = "for i in 1 2 3; do echo out$i; sleep 0.1; echo err$i >&2; sleep 0.1; done";
    const outcome = await bash(workspace, command, { onOutput: (chunk) => chunks.push(chunk) });
    const sorted = chunks.toSorted((first, second) => first.seq - second.seq);
    expect(sorted.map((chunk) => chunk.text).join("")).toBe("out1\nerr1\nout2\nerr2\nout3\nerr3\n");
    expect(chunks.map((chunk) => chunk.seq)).toEqual([...chunks.keys()]);
    expect(outcome).toMatchObject({ stdout: "out1\nout2\nout3\n", stderr: "err1\nerr2\nerr3\n" });
    const merged = await bash(workspace, "exec 2>&1; for i in 1 2 3; do echo out$i; echo err$i >&2; done");
    expect(merged).toMatchObject({ stdout: "out1\nerr1\nout2\nerr2\nout3\nerr3\n", stderr: "" });
  });
});

describe("F31", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test("F31 credentials of the host do not reach commands, unless one is let through", async () => {
    const secrets = {
      OPENAI_API_KEY: "sk-test-aaa",
      ANTHROPIC_API_KEY: "sk-ant-bbb",
      AWS_SECRET_ACCESS_KEY: "sk-cccccc",
      GITHUB_TOKEN: "sk-dddddd",
      MY_DB_PASSWORD: "sk-eeeeee",
    };
    for (const [name, value] of Object.entries({ ...secrets, HARMLESS: "fff" })) vi.stubEnv(name, value);
    const own = await createWorkspace();
    const box = await own.toolbox();
    for (const command of ["env", "tr '\\0' '\\n' < /proc/self/environ", "tr '\\0' '\\n' < /proc/self/cmdline"]) {
      const { stdout } = await bash(box, command);
      for (const value of Object.values(secrets)) expect(stdout).not.toContain(value);
    }
    const { stdout } = await bash(box, "env");
    expect(stdout).toContain("HARMLESS=fff\n");
    expect(stdout).toMatch(/^PATH=/m);
    const description = box.tools.find(({ name }) => name === "Bash")?.description ?? "";
    for (const name of Object.keys(secrets)) expect(description).toContain(name);
    const allowing = await own.toolbox({ env: { allow: ["GITHUB_TOKEN"] } });
    expect((await bash(allowing, "env | grep -c sk-")).stdout).toBe("1\n");
    expect((await bash(allowing, "echo $GITHUB_TOKEN")).stdout).toBe("sk-dddddd\n");
    await own.remove();
  });
});
