import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createMcpHttpHandler, type McpHandler } from "../../src/mcp/http-handler.ts";
import { type CliHome, createCliHome } from "../helpers/cli.ts";

let home: CliHome;
beforeAll(async () => {
  home = await createCliHome();
});
afterAll(() => home.remove());

async function handlerOfOne(): Promise<McpHandler> {
  const handler = await createMcpHttpHandler({ root: home.root, dataDir: home.dataDir, maxSessions: 1 });
  onTestFinished(() => handler.close());
  return handler;
}

function request(method: string, params: object = {}): Request {
  return new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

function initialize(): Request {
  const clientInfo = { name: "raw", version: "1" };
  return request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
}

describe("createMcpHttpHandler", () => {
  test("a session is in use until its answer was read or given up, even one that nobody began to read", async () => {
    const { fetch } = await handlerOfOne();
    const unread = await fetch(initialize());
    expect(unread.status).toBe(200);
    const refused = await fetch(initialize());
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { message: "All 1 sessions are in use: end one first" } });
    await unread.body?.cancel();
    const next = await fetch(initialize());
    expect(next.status).toBe(200);
    expect(await next.text()).toContain("serverInfo");
    expect((await fetch(initialize())).status).toBe(200);
  });

  test("tools shared without a session are in use as long", async () => {
    const { fetch } = await handlerOfOne();
    const options = (token: string) => ({ authInfo: { token, clientId: token, scopes: [] } });
    const unread = await fetch(request("tools/list"), options("one"));
    expect(unread.status).toBe(200);
    expect((await fetch(request("tools/list"), options("other"))).status).toBe(503);
    await unread.body?.cancel();
    expect((await fetch(request("tools/list"), options("other"))).status).toBe(200);
  });
});
