import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { HostError } from "../error.ts";
import { checkHttpAccess, mcpUrl, nameInUrl, PATH } from "./address.ts";
import { createMcpHttpHandler, type McpHandlerOptions } from "./http-handler.ts";
import { MAX_MESSAGE_BYTES } from "./stdio.ts";
import { carriesToken } from "./token.ts";

export interface HttpOptions extends McpHandlerOptions {
  /** 0: any free one. */
  readonly port: number;
  /** Default 127.0.0.1. Any that is not a loopback address needs a token. */
  readonly host?: string;
  /** Asked for in each request, `Authorization: Bearer …`; at least 16 characters. */
  readonly token?: string;
  /** Further names in `Host` (without port), for a server behind a proxy; without a token only those of loopback are taken. */
  readonly allowedHosts?: readonly string[];
  /** Host names of pages that may call; none but loopback's by default. */
  readonly allowedOrigins?: readonly string[];
}

export interface McpHttpServer {
  readonly url: string;
  /** Ends all sessions and their commands. */
  close(): Promise<void>;
}

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Serves clients over streamable HTTP at `/mcp`.
 * @throws HostError CONFIG_INVALID for an open address without a token, a short token, an address that cannot be had.
 */
export async function serveMcpHttp(options: HttpOptions): Promise<McpHttpServer> {
  const { port, host = "127.0.0.1", token, allowedHosts = [], allowedOrigins = [], ...handlerOptions } = options;
  checkHttpAccess(host, token);
  const [handler, node] = await Promise.all([
    createMcpHttpHandler(handlerOptions),
    import("@modelcontextprotocol/node"),
  ]);
  // A page in a browser reaches any address of this machine under a name of its own, but knows no token.
  const checksHost = token === undefined || allowedHosts.length > 0;
  const hostNames = [...LOOPBACK_NAMES, nameInUrl(host), ...allowedHosts];
  const isHostAllowed = checksHost ? node.hostHeaderValidation(hostNames) : () => true;
  const isOriginAllowed = node.originValidation([...LOOPBACK_NAMES, ...allowedOrigins]);
  const serve = node.toNodeHandler(handler, {
    maxRequestBodySize: MAX_MESSAGE_BYTES,
    ...(handlerOptions.onError !== undefined && { onerror: handlerOptions.onError }),
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    if (request.url?.split("?")[0] !== PATH) return refuse(response, 404, `Nothing is here: use ${PATH}`);
    if (token !== undefined) {
      if (!carriesToken(request.headers.authorization, token)) {
        response.setHeader("WWW-Authenticate", "Bearer");
        return refuse(response, 401, 'The token is missing or wrong: send "Authorization: Bearer TOKEN"');
      }
      Object.assign(request, { auth: { token, clientId: "token", scopes: [] } satisfies AuthInfo });
    }
    // Its types do not pass `exactOptionalPropertyTypes`.
    await serve(request as NodeIncomingMessageLike, response);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      handlerOptions.onError?.(error instanceof Error ? error : new Error(String(error)));
      response.destroy();
    });
  });
  try {
    const address = await new Promise<AddressInfo>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => resolve(server.address() as AddressInfo));
    });
    return {
      url: mcpUrl(address.address, address.port),
      close: async () => {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        await Promise.all([closed, handler.close()]);
      },
    };
  } catch (error) {
    await handler.close();
    throw new HostError("CONFIG_INVALID", `Cannot listen on ${host}:${port} (${String(error)})`, {
      next: "choose another port, or 0 for any free one",
      details: { host, port },
      cause: error,
    });
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}
