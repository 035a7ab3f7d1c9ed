// The command itself, spoken to byte by byte.
import { spawn } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { test as base, describe, expect } from "vitest";
import { serveMcpStdio } from "../../src/mcp/stdio.ts";
import { CLI, type CliHome, createCliHome, type Started } from "../helpers/cli.ts";
import { servingPid } from "../helpers/mcp.ts";
import { isRunning, until } from "../helpers/processes.ts";

const test = base.extend<{ home: CliHome }>({
  home: async ({ task: _ }, use) => {
    const home = await createCliHome({ "notes.txt": "one\n" });
    await use(home);
    await home.remove();
  },
});

let ids = 0;
function request(method: string, params: object = {}): string {
  ids += 1;
  return `${JSON.stringify({ jsonrpc: "2.0", id: ids, method, params })}\n`;
}

/** The opening of a connection. */
function hello(): string {
  const clientInfo = { name: "raw", version: "1" };
  const initialize = request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  return `${initialize}${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`;
}

function call(name: string, args: object, meta: object = {}): string {
  return request("tools/call", { name, arguments: args, ...meta });
}

function messages(stdout: string): { id?: number; result?: { content?: { text: string }[] }; method?: string }[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

let durations = 0;
function uniqueSeconds(): string {
  durations += 1;
  return `8${process.pid}.${durations}`;
}

async function withCommand(home: CliHome): Promise<{ server: Started; seconds: string }> {
  const seconds = uniqueSeconds();
  const server = home.start(["mcp"], { input: "open" });
  server.child.stdin.write(hello() + call("Bash", { command: `trap '' TERM; sleep ${seconds} | cat` }));
  await until(() => isRunning(seconds), "the command to run");
  return { server, seconds };
}

describe.skipIf(process.platform !== "linux").concurrent("spillway mcp over standard input and output", () => {
  test("F26: commands do not read what the client sends", async ({ home }) => {
    const server = home.start(["mcp"], { input: "open" });
    server.child.stdin.write(hello() + call("Bash", { command: "cat; echo rc=$?; read x; echo got=[$x]" }));
    const last = call("Read", { path: "notes.txt" });
    await server.printed("rc=0");
    server.child.stdin.write(last);
    await server.printed("1:one");
    server.child.stdin.end();
    const { stdout, code } = await server.finished;
    expect(messages(stdout)[1]?.result?.content?.[0]?.text).toMatch(/rc=0\ngot=\[\]$/);
    expect(code).toBe(0);
  });

  test("takes messages in pieces of any size, several at once, and one of 4 MB, passes over what is none, and ends at one of 11 MB", async ({
    home,
  }) => {
    const server = home.start(["mcp"], { input: "open" });
    const bytes = Buffer.from(
      `${hello()}not json\n{"jsonrpc":"2.0","neither":1}\n${call("Grep", { pattern: "one|é漢🟡" })}`,
    );
    for (let at = 0; at < bytes.length; at += 7) server.child.stdin.write(bytes.subarray(at, at + 7));
    await server.printed("notes.txt#");
    const content = `${"0123456789abcde\n".repeat(262_144)}`;
    server.child.stdin.write(call("Write", { path: "big.txt", content }) + call("Glob", { pattern: "no such" }));
    await server.printed("big.txt#");
    expect(server.child.exitCode).toBeNull();
    server.child.stdin.write(call("Write", { path: "bigger.txt", content: "x".repeat(11 * 1024 * 1024) }));
    const { stdout, stderr } = await server.finished;
    expect(messages(stdout).length).toBeGreaterThanOrEqual(3);
    expect(stderr).toMatch(/^spillway mcp: /);
    expect(stderr).toMatch(/^spillway mcp: .*10485760/m);
  });

  test("writes messages of any size and nothing else to standard output", async ({ home }) => {
    const limits = {
      resultMaxChars: 300_000,
      resultMaxTokens: 300_000,
      shell: { maxBytes: 200_000, maxLines: 100_000 },
    };
    await mkdir(home.dataDir, { recursive: true });
    await writeFile(join(home.dataDir, "config.json"), JSON.stringify({ limits }));
    const server = home.start(["mcp"], {
      input: "open",
      env: { NODE_OPTIONS: "--trace-deprecation --trace-warnings" },
    });
    server.child.stdin.write(
      hello() + call("Bash", { command: "yes '\"\\漢' | head -c 150000" }, { _meta: { progressToken: 7 } }),
    );
    await until(async () => server.child.exitCode !== null || (await settled(server, ids)), "the answer");
    server.child.stdin.end();
    const { stdout } = await server.finished;
    const all = messages(stdout);
    expect(all.at(-1)?.result?.content?.[0]?.text.length).toBeGreaterThan(80_000);
    expect(new Set(all.slice(1, -1).map(({ method }) => method))).toEqual(new Set(["notifications/progress"]));
  });

  test("ends with its commands and its saved output when the client closes standard input", async ({ home }) => {
    const { server, seconds } = await withCommand(home);
    server.child.stdin.write(call("Bash", { command: "seq 1 30000" }));
    await server.printed("Full output saved");
    server.child.stdin.end();
    expect(await server.finished).toMatchObject({ code: 0, signal: null });
    expect(isRunning(seconds)).toBe(false);
    expect(await readdir(join(home.dataDir, "scratch"))).toEqual([]);
  });

  test.for([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)(
    "%s ends it with its commands and exit code %i, though its client is there",
    async ([signal, code], { home }) => {
      const { server, seconds } = await withCommand(home);
      server.child.kill(signal);
      expect((await server.finished).code).toBe(code);
      expect(isRunning(seconds)).toBe(false);
    },
  );

  test("is gone with its commands when its client was killed", async ({ home }) => {
    const seconds = uniqueSeconds();
    const [node = "", cli = ""] = CLI;
    const client = `
      const { spawn } = require("node:child_process");
      const server = spawn(process.execPath, [${JSON.stringify(cli)}, "mcp"], { stdio: ["pipe", "pipe", "ignore"] });
      server.stdin.write(process.env.MESSAGES);
      server.stdout.resume();
      setTimeout(() => process.exit(), 60_000);`;
    const MESSAGES = hello() + call("Bash", { command: `trap '' TERM; sleep ${seconds} | cat` });
    const env = { ...home.env, MESSAGES };
    const child = spawn(node, ["-e", client], { cwd: home.root, env, stdio: "ignore" });
    await until(() => isRunning(seconds), "the command to run");
    const server = servingPid(CLI[1], home.root);
    expect(server).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await until(() => !isRunning(seconds), "the command to end");
    await until(() => servingPid(CLI[1], home.root) === 0, "the server to end");
  });
});

async function settled(server: Started, id: number): Promise<boolean> {
  await server.printed(`"id":${id}}`);
  return true;
}

describe("serveMcpStdio", () => {
  test("serves over streams of the caller's own, until its signal", async ({ home }) => {
    const input = new PassThrough();
    const output = new PassThrough();
    const controller = new AbortController();
    const served = serveMcpStdio({
      root: home.root,
      dataDir: home.dataDir,
      streams: { input, output },
      signal: controller.signal,
    });
    input.write(hello());
    const [first] = messages(String(await new Promise((resolve) => output.once("data", resolve))));
    expect(first?.result).toMatchObject({ serverInfo: { name: "spillway" } });
    controller.abort();
    await served;
    expect(input.destroyed).toBe(true);
  });

  test.skipIf(process.platform === "win32")(
    "ends in order in a program of its own whose reader goes away",
    async ({ home }) => {
      const script = home.path("program.mjs");
      const { href } = new URL("mcp.js", pathToFileURL(CLI[1] ?? ""));
      await writeFile(
        script,
        `import { serveMcpStdio } from ${JSON.stringify(href)};
      await serveMcpStdio({ root: ${JSON.stringify(home.root)}, dataDir: ${JSON.stringify(home.dataDir)} });
      console.error("the program goes on");`,
      );
      const server = home.start([], { script, input: "open" });
      server.child.stdin.write(hello());
      await server.printed("serverInfo");
      server.child.stdout.destroy();
      server.child.stdin.write(call("Glob", { pattern: "*" }));
      expect(await server.finished).toMatchObject({ code: 0, stderr: expect.stringContaining("the program goes on") });
    },
  );
});
