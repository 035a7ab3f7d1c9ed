import { expect, test } from "vitest";
import * as aiSdk from "../src/ai-sdk.ts";
import * as host from "../src/index.ts";
import * as mcp from "../src/mcp.ts";

test("the package exports these names", () => {
  expect(Object.keys(host).sort()).toEqual([
    "HOST_ERROR_CODES",
    "HostError",
    "createAgent",
    "createMcpServer",
    "demoModel",
    "isHostError",
  ]);
});

test("the subpath for loops of the AI SDK exports these names", () => {
  expect(Object.keys(aiSdk).sort()).toEqual(["createPrepareStep", "createTools"]);
});

test("the subpath for MCP exports these names", () => {
  expect(Object.keys(mcp).sort()).toEqual([
    "MCP_LIMITS",
    "createMcpHttpHandler",
    "createMcpServer",
    "serveMcpHttp",
    "serveMcpStdio",
  ]);
});
