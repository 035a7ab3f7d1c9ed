import { randomUUID } from "node:crypto";
import type { McpHandlerRequestOptions, McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import { createLeases, type Lease, type Leased } from "./leases.ts";
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

  const shareTools = (token: string): Promise<Lease<Shared>> =>
    shared.holdOrMake(token, async () => {
      const tools = await createMcpServer(serverOptions);
      return { tools, close: () => tools.close({ remove: true }) };
    });
  const sharedHandler = sdk.createMcpHandler(
    async ({ authInfo }: McpRequestContext): Promise<McpServer> => {
      // The request that asks for a server holds them already.
      const { value, release } = await shareTools(authInfo?.token ?? "");
      release();
      return value.tools.factory();
    },
    { ...bounds, ...(onError !== undefined && { onerror: onError }) },
  );

  const beginSession = (key: string, id: string): Promise<Lease<Session>> =>
    sessions.holdOrMake(key, async () => {
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
        const session = await sessions.hold(keyOf(token, id));
        if (session === undefined) return refusal(404, -32_001, "Session not found: begin a new one with initialize");
        return whileHeld(session, ({ fetch }) => fetch(request, requestOptions));
      }
      if (isLegacy && (await begins(request, requestOptions.parsedBody, sdk.isInitializeRequest))) {
        const newId = randomUUID();
        const key = keyOf(token, newId);
        const session = await beginSession(key, newId).catch(unavailable);
        if (session instanceof Response) return session;
        const response = await whileHeld(session, ({ fetch }) => fetch(request, requestOptions));
        if (!response.ok) await sessions.end(key);
        return response;
      }
      const tools = await shareTools(token).catch(unavailable);
      if (tools instanceof Response) return tools;
      return whileHeld(tools, () => sharedHandler.fetch(request, requestOptions));
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

function unavailable(error: unknown): Response {
  return refusal(503, -32_000, error instanceof Error ? error.message : String(error));
}

/** In use until the body of the response was sent or given up, or there is no response. */
async function whileHeld<Value>(
  { value, release }: Lease<Value>,
  answer: (value: Value) => Promise<Response>,
): Promise<Response> {
  try {
    const response = await answer(value);
    const { body, status, headers } = response;
    if (body !== null) return new Response(passOn(body, release), { status, headers });
    release();
    return response;
  } catch (error) {
    release();
    throw error;
  }
}

/** The body as it is. A generator would not do: one that is given up before its first step never hears of it. */
function passOn(body: ReadableStream<Uint8Array>, release: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        release();
      },
      cancel: (reason) => {
        release();
        return reader.cancel(reason);
      },
    },
    // Nothing is read before it is asked for.
    { highWaterMark: 0 },
  );
}
