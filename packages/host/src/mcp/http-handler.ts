import { randomUUID } from "node:crypto";
import type { McpHandlerRequestOptions, McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import { createLeases, type Leased } from "./leases.ts";
import { createMcpServer, type McpServerOptions, type McpTools } from "./server.ts";
import { MAX_MESSAGE_BYTES } from "./stdio.ts";

export interface McpHandlerOptions extends Omit<McpServerOptions, "sessionId"> {
  /** Sessions kept at once; one more ends the one that was idle longest. Default 32. */
  readonly maxSessions?: number;
  /** Milliseconds without a request after which a session, its commands and its saved output are ended. Default one hour. */
  readonly idleMs?: number;
  readonly onError?: (error: Error) => void;
}

/** Answers requests in web-standard form; whoever mounts it checks host, origin and token first. */
export interface McpHandler {
  readonly fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  close(): Promise<void>;
}

interface Session extends Leased {
  readonly fetch: McpHandler["fetch"];
}

interface Shared extends Leased {
  readonly tools: McpTools;
}

const MAX_SESSIONS = 32;
const IDLE_MS = 3_600_000;

/**
 * The tools over streamable HTTP: a toolbox for each session where the client has one (protocol 2025), and one for each
 * token where it has none (protocol 2026 is without sessions).
 */
export async function createMcpHttpHandler(options: McpHandlerOptions): Promise<McpHandler> {
  const { maxSessions = MAX_SESSIONS, idleMs = IDLE_MS, onError, ...serverOptions } = options;
  const sdk = await import("@modelcontextprotocol/server");
  const bounds = { maxRequestBodySize: MAX_MESSAGE_BYTES };
  const leaseOptions = { max: maxSessions, idleMs, ...(onError !== undefined && { onError }) };
  const sessions = createLeases<Session>(leaseOptions);
  const shared = createLeases<Shared>(leaseOptions);

  const shareTools = async (token: string): Promise<Shared> =>
    shared.get(token) ??
    shared.add(token, async () => {
      const tools = await createMcpServer(serverOptions);
      return { tools, close: () => tools.close({ remove: true }) };
    });
  const sharedHandler = sdk.createMcpHandler(
    async ({ authInfo }: McpRequestContext): Promise<McpServer> =>
      (await shareTools(authInfo?.token ?? "")).tools.factory(),
    { ...bounds, ...(onError !== undefined && { onerror: onError }) },
  );

  const beginSession = (key: string, id: string): Promise<Session> =>
    sessions.add(key, async () => {
      const tools = await createMcpServer(serverOptions);
      const server = tools.factory();
      const transport = new sdk.WebStandardStreamableHTTPServerTransport({
        ...bounds,
        sessionIdGenerator: () => id,
        onsessionclosed: () => void sessions.end(key),
      });
      await server.connect(transport);
      return {
        fetch: (request, requestOptions) => transport.handleRequest(request, requestOptions),
        close: async () => {
          await server.close();
          await tools.close({ remove: true });
        },
      };
    });

  return {
    fetch: async (request, requestOptions = {}) => {
      const token = requestOptions.authInfo?.token ?? "";
      const isLegacy = await sdk.isLegacyRequest(request, requestOptions.parsedBody, bounds);
      const id = isLegacy ? request.headers.get("mcp-session-id") : null;
      if (id !== null) {
        // Under the token as well: a session belongs to whoever began it.
        const session = await sessions.get(keyOf(token, id));
        if (session === undefined) return refusal(404, -32_001, "Session not found: begin a new one with initialize");
        return whileHeld(sessions.hold(keyOf(token, id)), () => session.fetch(request, requestOptions));
      }
      if (isLegacy && (await begins(request, requestOptions.parsedBody, sdk.isInitializeRequest))) {
        const key = keyOf(token, randomUUID());
        const session = await beginSession(key, key.slice(-36)).catch((error: unknown) => String(error));
        if (typeof session === "string") return refusal(503, -32_000, session);
        const response = await whileHeld(sessions.hold(key), () => session.fetch(request, requestOptions));
        if (!response.ok) await sessions.end(key);
        return response;
      }
      await shareTools(token);
      return whileHeld(shared.hold(token), () => sharedHandler.fetch(request, requestOptions));
    },
    close: async () => {
      await sharedHandler.close();
      await Promise.all([sessions.close(), shared.close()]);
    },
  };
}

function keyOf(token: string, sessionId: string): string {
  return `${token} ${sessionId}`;
}

async function begins(
  request: Request,
  parsedBody: unknown,
  isInitialize: (body: unknown) => boolean,
): Promise<boolean> {
  if (request.method !== "POST") return false;
  if (parsedBody !== undefined) return isInitialize(parsedBody);
  // What is no JSON begins nothing; the handler answers it.
  const read = request.clone().json();
  return isInitialize(await read.catch(() => undefined));
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}

/** Calls `release` when the body of the response was sent or given up, or there is no response. */
async function whileHeld(release: () => void, answer: () => Promise<Response>): Promise<Response> {
  try {
    const response = await answer();
    const { body, status, headers } = response;
    if (body !== null) return new Response(ReadableStream.from(passOn(body, release)), { status, headers });
    release();
    return response;
  } catch (error) {
    release();
    throw error;
  }
}

async function* passOn(body: ReadableStream<Uint8Array>, release: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    release();
  }
}
