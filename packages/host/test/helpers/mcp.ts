import { readlinkSync } from "node:fs";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";
import { pidsOf } from "./processes.ts";

const TOOL_RESULT = z.object({
  content: z.array(z.looseObject({ type: z.literal("text"), text: z.string() })),
  isError: z.boolean().default(false),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** What tests do with a client of either SDK. */
export interface TestClient {
  call(
    name: string,
    args: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<{ text: string; isError: boolean; structured?: Record<string, unknown> | undefined }>;
  tools(): Promise<{ name: string }[]>;
  resources(): Promise<{ uri: string; size?: number | undefined }[]>;
  resource(uri: string): Promise<string>;
  protocolVersion(): string | undefined;
  close(): Promise<void>;
}

/** How a client reaches a server. */
export type Target =
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string>; readonly cwd: string }
  | { readonly url: string; readonly token?: string };

export type ClientKind = "v1" | "v2 as 2025" | "v2 as 2026";
export const CLIENT_KINDS: readonly ClientKind[] = ["v1", "v2 as 2025", "v2 as 2026"];

const INFO = { name: "test", version: "1.0.0" };

export function connect(kind: ClientKind, target: Target): Promise<TestClient> {
  return kind === "v1" ? connectV1(target) : connectV2(target, kind === "v2 as 2026" ? "auto" : "legacy");
}

async function connectV1(target: Target): Promise<TestClient> {
  const client = new ClientV1(INFO);
  const transport =
    "url" in target
      ? new HttpV1(new URL(target.url), { requestInit: { headers: headers(target.token) } })
      : new StdioV1({ ...target, stderr: "ignore" });
  // Its own types do not pass `exactOptionalPropertyTypes`.
  await client.connect(transport as Transport);
  return {
    call: async (name, args, options) => result(await client.callTool({ name, arguments: args }, undefined, options)),
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    resource: async (uri) => textOf(await client.readResource({ uri })),
    protocolVersion: () => ("protocolVersion" in transport ? transport.protocolVersion : undefined),
    close: () => client.close(),
  };
}

async function connectV2(target: Target, mode: "auto" | "legacy"): Promise<TestClient> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode } });
  const transport =
    "url" in target
      ? new HttpV2(new URL(target.url), { requestInit: { headers: headers(target.token) } })
      : new StdioV2({ ...target, stderr: "ignore" });
  await client.connect(transport);
  return {
    call: async (name, args, options) => result(await client.callTool({ name, arguments: args }, options)),
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    resource: async (uri) => textOf(await client.readResource({ uri })),
    protocolVersion: () => client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  };
}

function headers(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

function result(value: unknown): Awaited<ReturnType<TestClient["call"]>> {
  const { content, isError, structuredContent } = TOOL_RESULT.parse(value);
  return { text: content.map(({ text }) => text).join("\n"), isError, structured: structuredContent };
}

function textOf({ contents }: { contents: object[] }): string {
  return contents.map((content) => ("text" in content ? String(content.text) : "")).join("\n");
}

/** The server that a client has started: `cli` at work in `folder`; 0 when there is none. Linux only. */
export function servingPid(cli: string | undefined, folder: string): number {
  return pidsOf(`${cli}\0mcp`).find((pid) => folderOf(pid) === folder) ?? 0;
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
