import { resolve } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseArguments } from "../../src/cli/arguments.ts";
import { runCommand } from "../../src/cli/commands.ts";
import { createOutput } from "../../src/cli/output.ts";
import { CLI, type CliHome, createCliHome } from "../helpers/cli.ts";
import { connect } from "../helpers/mcp.ts";

let home: CliHome;
beforeAll(async () => {
  home = await createCliHome({ "notes.txt": "one\n" });
});
afterAll(() => home.remove());

/** The command without a process of its own, for what comes to an end by itself. */
async function inProcess(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const outcome = parseArguments(["mcp", "--root", home.root, ...args]);
  if (outcome.kind !== "command") throw new Error("These are no arguments of a command");
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const context = { stdout: createOutput(stdout), stderr: createOutput(stderr) };
  const code = await runCommand(outcome.parsed, { ...context, environment: { ...home.env, ...variables } });
  const [out, err] = [stdout, stderr].map((stream) => String(stream.read() ?? ""));
  return { code, stdout: out ?? "", stderr: err ?? "" };
}

describe("spillway mcp", () => {
  const OPEN =
    'HTTP on "0.0.0.0" is open to the network: set a token (spillway mcp: SPILLWAY_MCP_TOKEN), or listen on 127.0.0.1';
  const NO_ROOT = `root "${resolve("/none/such")}" does not exist: name an existing directory`;

  test("prints a configuration that starts a server with the same folder and flags", async () => {
    const printed = await home.run([
      "mcp",
      "--root",
      ".",
      "--structured",
      "--max-timeout",
      "90",
      "--print-config",
      "claude-code",
    ]);
    expect(printed).toMatchObject({ code: 0, stderr: "For .mcp.json in the project's folder:\n" });
    const { mcpServers } = JSON.parse(printed.stdout);
    expect(mcpServers).toEqual({
      spillway: {
        command: process.execPath,
        args: [CLI[1], "mcp", "--root", home.root, "--structured", "--max-timeout", "90"],
        env: { SPILLWAY_HOME: home.dataDir },
      },
    });
    const { command, args, env } = mcpServers.spillway;
    const client = await connect("v1", { command, args, env: { ...home.env, ...env }, cwd: "/" });
    try {
      expect((await client.call("Read", { path: "notes.txt" })).structured).toMatchObject({ totalLines: 1 });
      expect(JSON.stringify(await client.tools())).toContain("(default 50, 1 to 90)");
    } finally {
      await client.close();
    }
  });

  test("prints the address with --http, and the token by its variable alone", async () => {
    const environment = { SPILLWAY_MCP_TOKEN: "0123456789abcdef" };
    const { stdout } = await inProcess(["--http", "[::]:8080", "--print-config", "codex"], environment);
    expect(stdout).toBe(`[mcp_servers.spillway]
url = "http://[::1]:8080/mcp"
bearer_token_env_var = "SPILLWAY_MCP_TOKEN"
`);
  });

  test.each([
    ["8080", "http://127.0.0.1:8080/mcp"],
    ["127.0.0.2:8080", "http://127.0.0.2:8080/mcp"],
    ["0.0.0.0:8080", "http://127.0.0.1:8080/mcp"],
  ])("for --http %s the client's address is %s", async (http, url) => {
    const environment = { SPILLWAY_MCP_TOKEN: "0123456789abcdef" };
    const { stdout } = await inProcess(["--http", http, "--print-config", "cursor"], environment);
    expect(JSON.parse(stdout)).toHaveProperty("mcpServers.spillway.url", url);
  });

  test.each([
    [
      ["--print-config", "emacs"],
      'Unknown client "emacs": use one of claude-code, claude-desktop, vscode, cursor, codex, gemini-cli',
    ],
    [
      ["--http", "0", "--print-config", "codex"],
      'Invalid http "0" from --http: give the port that the server will listen on',
    ],
    [
      ["--http", "70000"],
      'Invalid http "70000" from --http: give a port (0: any free one), or an address and a port like 0.0.0.0:8080',
    ],
    [
      ["--max-timeout", "1m"],
      'Invalid max-timeout "1m" from --max-timeout: give whole seconds, ten less than your client waits for a call',
    ],
    [["--http", "0.0.0.0:0"], OPEN],
    [["--http", "0.0.0.0:8080", "--print-config", "codex"], OPEN],
    [["--root", "/none/such"], NO_ROOT],
    [["--root", "/none/such", "--http", "0"], NO_ROOT],
    [["--root", "/none/such", "--print-config", "codex"], NO_ROOT],
  ])("refuses %j", async (args, message) => {
    expect(await inProcess(args)).toEqual({ code: 2, stdout: "", stderr: `spillway: ${message}\n` });
  });

  test("knows its flags", () => {
    expect(parseArguments(["mcp", "--port", "1"])).toMatchObject({ kind: "wrong" });
    expect(parseArguments(["mcp", "word"])).toMatchObject({ kind: "wrong" });
    expect(parseArguments(["mcp", "--help"])).toEqual({ kind: "help", command: "mcp" });
  });
});
