import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLI, type CliHome, createCliHome } from "../helpers/cli.ts";
import type { WireReply } from "../helpers/wire/format.ts";
import { openaiChat } from "../helpers/wire/openai-chat.ts";
import { startWireServer, type WireServer } from "../helpers/wire/server.ts";

let home: CliHome;
let server: WireServer | undefined;
beforeEach(async () => {
  home = await createCliHome();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await home.remove();
});

async function local(script: (answers: number) => WireReply): Promise<string[]> {
  server = await startWireServer(openaiChat, { script });
  return ["--base-url", server.url, "--model", "local", "--mode", "auto"];
}

/** One step with these commands side by side, then the answer. */
function commands(list: readonly string[]): (answers: number) => WireReply {
  const calls = list.map((command, index) => ({ id: `c${index}`, tool: "Bash", args: { command } }));
  return (answers) => (answers === 0 ? { calls } : { text: "done" });
}

interface Outcome {
  readonly ok: boolean;
  readonly result: { readonly stdout: string; readonly stderr: string };
}

/** The outcomes of a run with `--json`, by call id. */
function outcomesOf(stdout: string): Record<string, Outcome> {
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return Object.fromEntries(
    events.filter(({ type }) => type === "tool_result").map((event) => [event.toolCallId, event.outcome]),
  );
}

describe("F26", () => {
  test("F26 a command sees an empty standard input, and the host's own is left alone", async () => {
    const model = await local(
      commands([
        "cat; echo rc=$?",
        "read x; echo got=[$x] rc=$?",
        `node -e 'process.stdin.resume(); process.stdin.on("end", () => { throw new Error("EOF reached") })'`,
        "sort | wc -l",
        "test -t 0; echo tty=$?",
      ]),
    );
    const started = home.start(["run", "go", "--json", ...model], { input: "open" });
    started.child.stdin.write("LEAK\n");
    const { stdout, code } = await started.finished;
    const { c0, c1, c2, c3, c4 } = outcomesOf(stdout);
    expect(code).toBe(0);
    expect(c0?.result.stdout).toBe("rc=0\n");
    expect(c1?.result.stdout).toBe("got=[] rc=1\n");
    expect(c2).toMatchObject({ ok: false, result: { stderr: expect.stringContaining("EOF reached") } });
    expect(c3?.result.stdout.trim()).toBe("0");
    expect(c4?.result.stdout).toBe("tty=1\n");
    expect(stdout).not.toContain("LEAK");
  });
});

describe("F31", () => {
  test("F31 no secret of the host's environment reaches a command or the model", async () => {
    const secrets = {
      OPENAI_API_KEY: "sk-test-aaa",
      ANTHROPIC_API_KEY: "sk-ant-bbb",
      AWS_SECRET_ACCESS_KEY: "secret-ccc",
      GITHUB_TOKEN: "secret-ddd",
      MY_DB_PASSWORD: "secret-eee",
    };
    const model = await local(commands(["env", "cat /proc/self/environ | tr '\\0' '\\n'"]));
    const { stdout, code } = await home.run(["run", "go", "--json", ...model], {
      env: { ...secrets, HARMLESS: "fff" },
    });
    expect(code).toBe(0);
    const { c0, c1 } = outcomesOf(stdout);
    for (const text of [c0?.result.stdout, ...(process.platform === "linux" ? [c1?.result.stdout] : [])]) {
      expect(text).toContain("HARMLESS=fff");
      expect(text).toMatch(/^PATH=/m);
    }
    const told = stdout + JSON.stringify(server?.bodies);
    for (const value of Object.values(secrets)) expect(told).not.toContain(value);
  });
});

describe("F46", () => {
  const big = "0123456789abcde\n".repeat(3 * 65_536);
  const shell = (
    line: string,
    args: readonly string[],
  ): Promise<{ code: number | null; stdout: string; stderr: string }> =>
    new Promise((resolve, reject) => {
      const child = spawn("bash", ["-c", `set -o pipefail; ${line}`, "bash", ...CLI, ...args], {
        cwd: home.root,
        env: { ...home.env },
        timeout: 60_000,
        killSignal: "SIGKILL",
      });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
      child.once("error", reject);
      child.once("close", (code) =>
        resolve({ code, stdout: Buffer.concat(out).toString("utf8"), stderr: Buffer.concat(err).toString("utf8") }),
      );
    });

  test("F46 an answer of 3 MiB goes whole through a slow pipe and into a file, and a reader may leave", async () => {
    const model = await local(() => ({ text: big }));
    const args = ["run", "go", "--json", ...model];
    const piped = await shell('"$@" | (sleep 1; cat)', [...args, "--session", "s1"]);
    const filed = await shell('"$@" > out.json', [...args, "--session", "s2"]);
    const file = await readFile(home.path("out.json"), "utf8");
    expect([piped.code, filed.code]).toEqual([0, 0]);
    expect(piped.stdout.length).toBe(file.length);
    for (const text of [piped.stdout, file]) {
      const events = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(events.at(-1)).toMatchObject({ type: "done", result: { text: big } });
    }
    const left = await shell('"$@" | head -c 10; exit $PIPESTATUS', [...args, "--session", "s3"]);
    expect(left).toEqual({ code: 141, stdout: '{"type":"s', stderr: "" });
  }, 90_000);

  test("F46 a failed call of more than a pipe holds is whole as well", async () => {
    const args = ["tool", "Bash", JSON.stringify({ command: "seq -f '%060.0f' 1 3000; exit 3" })];
    const { code, stdout, stderr } = await shell('"$@" | (sleep 1; cat)', args);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, result: { exitCode: 3 } });
    expect(stdout.length).toBeGreaterThan(65_536);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  });
});
