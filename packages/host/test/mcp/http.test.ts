import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type HttpOptions, type McpHttpServer, serveMcpHttp } from "../../src/mcp/http.ts";
import { type CliHome, createCliHome } from "../helpers/cli.ts";
import { connect, type TestClient } from "../helpers/mcp.ts";
import { isRunning, until } from "../helpers/processes.ts";

let home: CliHome;
/** With the defaults, for all tests that need no other. */
let common: McpHttpServer;
beforeAll(async () => {
  home = await createCliHome({ "notes.txt": "one\n" });
  common = await serveMcpHttp({ root: home.root, dataDir: home.dataDir, port: 0 });
});
afterAll(async () => {
  await common.close();
  await home.remove();
});

async function listen(options: Partial<HttpOptions> = {}): Promise<McpHttpServer> {
  const server = await serveMcpHttp({ root: home.root, dataDir: home.dataDir, port: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

async function client(kind: "v1" | "v2 as 2026", server: McpHttpServer, token?: string): Promise<TestClient> {
  const connected = await connect(kind, { url: server.url, ...(token !== undefined && { token }) });
  onTestFinished(() => connected.close());
  return connected;
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly session: string | undefined;
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          session: response.headers["mcp-session-id"]?.toString(),
        }),
      );
    });
    sent.end(JSON.stringify(body));
  });
}

const BACKGROUND = { command: "sleep 600", background: true };
const TOKEN = "0123456789abcdef0123456789abcdef";

/** Finding the processes of a test needs /proc. */
const onLinux = test.skipIf(process.platform !== "linux");

describe("serveMcpHttp", () => {
  test.each([
    [{ host: "evil.example" }, 403],
    [{ host: "evil.example:80" }, 403],
    [{ host: "localhost:1234" }, 200],
    [{ host: "[::1]:1234" }, 200],
    [{ origin: "http://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://localhost:5173" }, 200],
  ])("answers a request that says %o with %i", async (headers, status) => {
    expect((await post(common.url, INITIALIZE, headers)).status).toBe(status);
  });

  // Elsewhere 127.0.0.1 is the only address of the kind.
  onLinux("answers at the address that it says, where that is another one of loopback", async () => {
    const { url } = await listen({ host: "127.0.0.2" });
    expect(new URL(url).hostname).toBe("127.0.0.2");
    expect((await post(url, INITIALIZE)).status).toBe(200);
  });

  test("asks for the token where there is one, and takes any host then", async () => {
    const { url } = await listen({ token: TOKEN });
    expect((await post(url, INITIALIZE)).status).toBe(401);
    expect((await post(url, INITIALIZE, { authorization: `Bearer ${TOKEN.slice(1)}` })).status).toBe(401);
    expect((await post(url, INITIALIZE, { authorization: TOKEN })).status).toBe(401);
    const headers = { authorization: `Bearer ${TOKEN}`, host: "box.example" };
    expect((await post(url, INITIALIZE, headers)).status).toBe(200);
    expect((await post(url, INITIALIZE, { ...headers, origin: "http://evil.example" })).status).toBe(403);
  });

  test("serves /mcp alone", async () => {
    expect((await post(common.url.replace("/mcp", "/"), INITIALIZE)).status).toBe(404);
  });

  test.each([
    [
      { host: "0.0.0.0" },
      'HTTP on "0.0.0.0" is open to the network: set a token (spillway mcp: SPILLWAY_MCP_TOKEN), or listen on 127.0.0.1',
    ],
    [
      { token: "short" },
      "The token cannot be used: use at least 16 letters, digits and signs, for example 32 random hex digits",
    ],
    [{ token: "with a blank in the midst" }, "The token cannot be used: use at least 16 letters"],
  ])("refuses %o", async (options, message) => {
    await expect(listen(options)).rejects.toThrow(message);
  });

  test("refuses a port that is taken", async () => {
    const port = Number(new URL(common.url).port);
    await expect(listen({ port })).rejects.toThrow(`Cannot listen on 127.0.0.1:${port} (Error: listen EADDRINUSE`);
  });

  test("gives each session a toolbox of its own", async () => {
    const [one, other] = await Promise.all([client("v1", common), client("v1", common)]);
    expect((await one.call("Bash", BACKGROUND)).text).toContain("Background command bg-1");
    const asked = await other.call("Bash", { id: "bg-1", action: "status" });
    expect(asked).toMatchObject({ isError: true });
    expect((await one.call("Bash", { id: "bg-1", action: "status" })).text).toContain("running");
  });

  test("gives clients without sessions one toolbox for their token", async () => {
    const [one, other] = await Promise.all([client("v2 as 2026", common), client("v2 as 2026", common)]);
    await one.call("Bash", BACKGROUND);
    expect((await other.call("Bash", { id: "bg-1", action: "status" })).text).toContain("running");
    const alone = await post(common.url, {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "Bash", arguments: { id: "bg-1", action: "status" } },
    });
    expect(alone.body).toContain("running");
  });

  onLinux("ends a session with its commands when the client says so, and knows it no more", async () => {
    const { url } = common;
    const { session = "" } = await post(url, INITIALIZE);
    const headers = { "mcp-session-id": session };
    const seconds = `6${process.pid}.1`;
    const params = { name: "Bash", arguments: { command: `sleep ${seconds}`, background: true } };
    await post(url, { jsonrpc: "2.0", id: 2, method: "tools/call", params }, headers);
    await until(() => isRunning(seconds), "the command to run");
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(200);
    await until(() => !isRunning(seconds), "the command to end");
    expect(await post(url, { jsonrpc: "2.0", id: 3, method: "tools/list" }, headers)).toMatchObject({
      status: 404,
      body: expect.stringContaining("Session not found: begin a new one with initialize"),
    });
  });

  test("ends a session that nobody uses any more, and with too many the one that was idle longest", async () => {
    const short = await listen({ idleMs: 1 });
    const { session = "" } = await post(short.url, INITIALIZE);
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    await until(
      async () => (await post(short.url, list, { "mcp-session-id": session })).status === 404,
      "the session to end",
    );
    const few = await listen({ maxSessions: 1 });
    const first = await post(few.url, INITIALIZE);
    const second = await post(few.url, INITIALIZE);
    expect((await post(few.url, list, { "mcp-session-id": first.session ?? "" })).status).toBe(404);
    expect((await post(few.url, list, { "mcp-session-id": second.session ?? "" })).status).toBe(200);
  });

  onLinux.each([
    ["with a session", async (url: string) => ({ "mcp-session-id": (await post(url, INITIALIZE)).session ?? "" })],
    ["without one", async () => ({})],
  ])("ends a command whose client is gone, %s", async (_, begin) => {
    const { url } = common;
    const headers: Record<string, string> = await begin(url);
    const seconds = `6${process.pid}.2`;
    const controller = new AbortController();
    const params = { name: "Bash", arguments: { command: `trap '' TERM; sleep ${seconds} | cat` } };
    const gone = fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params }),
      signal: controller.signal,
    }).then((response) => response.text());
    const failed = expect(gone).rejects.toThrow();
    await until(() => isRunning(seconds), "the command to run");
    controller.abort();
    await failed;
    await until(() => !isRunning(seconds), "the command to end");
  });

  test.each(["v1", "v2 as 2026"] as const)(
    "with structured results a client of SDK %s gets data that is as the schema says, of every tool",
    async (kind) => {
      const server = await listen({ structured: true });
      const { call, tools } = await client(kind, server);
      // A client holds the data against the schema once it has listed the tools.
      await tools();
      const [read, glob, lines, paths, counts, bash, write] = [
        await call("Read", { path: "notes.txt" }),
        await call("Glob", { pattern: "*.txt" }),
        await call("Grep", { pattern: "one" }),
        await call("Grep", { pattern: "one", outputMode: "filesWithMatches" }),
        await call("Grep", { pattern: "one", outputMode: "count" }),
        await call("Bash", { command: "seq 1 30000; echo err >&2" }),
        await call("Write", { path: `${kind}.txt`, content: "x\n" }),
      ];
      const edit = await call("Edit", { path: `${kind}.txt`, tag: write.structured?.tag, ops: "PUT 1.=1:\n+y" });
      expect(read.structured).toMatchObject({ content: expect.stringContaining("1:one") });
      expect(bash.structured).toMatchObject({ exitCode: 0, stderr: "err\n", truncated: true });
      for (const result of [glob, lines, paths, counts, write, edit]) expect(result.structured).toBeDefined();
      expect((await call("Read", { path: "none" })).structured).toBeUndefined();
    },
  );

  test("refuses a body over 10 MB", async () => {
    const content = "x".repeat(11 * 1024 * 1024);
    const params = { name: "Write", arguments: { path: "big.txt", content } };
    expect((await post(common.url, { jsonrpc: "2.0", id: 1, method: "tools/call", params })).status).toBe(413);
  });
});
