import { describe, expect, test } from "vitest";
import { CLIENT_NAMES, clientConfig } from "../../src/mcp/client-config.ts";

const started = {
  command: "node",
  args: ["/a b/cli.js", "mcp", "--root", 'C:\\x "y"'],
  env: { SPILLWAY_HOME: "/data" },
};

describe("clientConfig", () => {
  test.each([
    ["claude-code", { mcpServers: { spillway: started } }],
    ["claude-desktop", { mcpServers: { spillway: started } }],
    ["vscode", { servers: { spillway: { type: "stdio", ...started } } }],
    ["cursor", { mcpServers: { spillway: started } }],
    ["gemini-cli", { mcpServers: { spillway: started } }],
  ])("tells %s of a command", (client, expected) => {
    expect(JSON.parse(clientConfig(client, started).text)).toEqual(expected);
  });

  test("tells codex of a command in TOML", () => {
    expect(clientConfig("codex", started).text).toBe(`[mcp_servers.spillway]
command = "node"
args = ["/a b/cli.js", "mcp", "--root", "C:\\\\x \\"y\\""]

[mcp_servers.spillway.env]
SPILLWAY_HOME = "/data"`);
    expect(clientConfig("codex", { command: "a\u007f", args: [], env: {} }).text).toContain('command = "a\\u007F"');
  });

  const address = { url: "http://127.0.0.1:8080/mcp", tokenVariable: "TOKEN" };

  test.each([
    ["claude-code", { type: "http", url: address.url, headers: { Authorization: `Bearer $\{TOKEN}` } }],
    ["cursor", { url: address.url, headers: { Authorization: `Bearer $\{env:TOKEN}` } }],
    ["gemini-cli", { httpUrl: address.url, headers: { Authorization: "Bearer $TOKEN" } }],
  ])("tells %s of an address, the token by its variable", (client, spillway) => {
    expect(JSON.parse(clientConfig(client, address).text)).toEqual({ mcpServers: { spillway } });
  });

  test("tells vscode and codex of an address", () => {
    expect(JSON.parse(clientConfig("vscode", { url: address.url }).text)).toEqual({
      servers: { spillway: { type: "http", url: address.url } },
    });
    expect(clientConfig("codex", address).text).toBe(`[mcp_servers.spillway]
url = "http://127.0.0.1:8080/mcp"
bearer_token_env_var = "TOKEN"`);
  });

  test("refuses an address for claude-desktop, which starts servers itself", () => {
    expect(() => clientConfig("claude-desktop", address)).toThrow(
      'The file of "claude-desktop" cannot name a server by its address: leave out --http',
    );
  });

  test.each(["emacs", "toString"])("refuses %s and names the clients it knows", (client) => {
    expect(() => clientConfig(client, started)).toThrow(
      `Unknown client "${client}": use one of ${CLIENT_NAMES.join(", ")}`,
    );
  });
});
