// Where a server over HTTP is reached, and who may reach it. Pure.
import { HostError } from "../error.ts";

export const PATH = "/mcp";
const MIN_TOKEN_CHARS = 16;

export function mcpUrl(host: string, port: number): string {
  return `http://${nameInUrl(host)}:${port}${PATH}`;
}

/** A host as it stands in an address and in `Host`. */
export function nameInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** @throws HostError CONFIG_INVALID for an open address without a token and for a short token. */
export function checkHttpAccess(host: string, token: string | undefined): void {
  if (token === undefined && !isLoopback(host)) {
    throw new HostError("CONFIG_INVALID", `HTTP on "${host}" is open to the network`, {
      next: "set a token (spillway mcp: SPILLWAY_MCP_TOKEN), or listen on 127.0.0.1",
      details: { host },
    });
  }
  if (token !== undefined && !(token.length >= MIN_TOKEN_CHARS && /^[\x21-\x7e]+$/.test(token))) {
    throw new HostError("CONFIG_INVALID", "The token cannot be used", {
      next: `use at least ${MIN_TOKEN_CHARS} letters, digits and signs, for example 32 random hex digits`,
    });
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
