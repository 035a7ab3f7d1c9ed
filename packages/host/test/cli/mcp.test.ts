import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseArguments } from "../../src/cli/arguments.ts";
import { CLI, type CliHome, createCliHome } from "../helpers/cli.ts";
import { connect } from "../helpers/mcp.ts";

let home: CliHome;
beforeAll(async () => {
  home = await createCliHome({ "notes.txt": "one\n" });
});
afterAll(() => home.remove());

describe("spillway mcp", () => {
  test("prints a configuration that starts a server with the same folder and flags", async () => {
    const printed = await home.run(["mcp", "--root", ".", "--structured", "--print-config", "claude-code"]);
    expect(printed).toMatchObject({ code: 0, stderr: "For .mcp.json in the project's folder:\n" });
    const { mcpServers } = JSON.parse(printed.stdout);
    expect(mcpServers).toEqual({
      spillway: {
        command: process.execPath,
        args: [CLI[1], "mcp", "--root", home.root, "--structured"],
        env: { SPILLWAY_HOME: home.dataDir },
      },
    });
    const { command, args, env } = mcpServers.spillway;
    const client = await connect("v1", { command, args, env: { ...home.env, ...env }, cwd: "/" });
    try {
      expect((await client.call("Read", { path: "notes.txt" })).structured).toMatchObject({ totalLines: 1 });
    } finally {
      await client.close();
    }
  });

  test("prints the address with --http, and the token by its variable alone", async () => {
    const env = { SPILLWAY_MCP_TOKEN: "0123456789abcdef" };
    const { stdout } = await home.run(["mcp", "--http", "0.0.0.0:8080", "--print-config", "codex"], { env });
    expect(stdout).toBe(`[mcp_servers.spillway]
url = "http://0.0.0.0:8080/mcp"
bearer_token_env_var = "SPILLWAY_MCP_TOKEN"
`);
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
      ["--http", "0.0.0.0:0"],
      'HTTP on "0.0.0.0" is open to the network: set a token (spillway mcp: SPILLWAY_MCP_TOKEN), or listen on 127.0.0.1',
    ],
    [["--root", "none"], /root ".*none" does not exist: name an existing directory/],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await home.run(["mcp", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    if (typeof message === "string") expect(stderr).toBe(`spillway: ${message}\n`);
    else expect(stderr).toMatch(message);
  });

  test("knows its flags", () => {
    expect(parseArguments(["mcp", "--port", "1"])).toMatchObject({ kind: "wrong" });
    expect(parseArguments(["mcp", "word"])).toMatchObject({ kind: "wrong" });
    expect(parseArguments(["mcp", "--help"])).toEqual({ kind: "help", command: "mcp" });
  });
});
