import type { McpServer } from "@modelcontextprotocol/server";
import type { PartialLimits } from "@spillway/limits";
import type { Toolbox, ToolboxOptions } from "@spillway/tools";

export interface McpServerOptions extends ToolboxOptions {
  /** Over the profile for MCP, `MCP_LIMITS`. */
  readonly limits?: PartialLimits;
  /** Results as data beside the text, with an output schema. Default false: clients that get both drop the text. */
  readonly structured?: boolean;
  /** Adds tools or resources of your own to each server. */
  readonly register?: (server: McpServer) => void;
  /** Milliseconds between two signs of life of a call that prints nothing. Default 10 000. */
  readonly heartbeatMs?: number;
}

/** The tools over one folder as MCP servers. */
export interface McpTools {
  /** What the servers share: versions for Edit, named lines, background commands, saved output. */
  readonly toolbox: Toolbox;
  /** A new server over the toolbox, for one connection or one request; `serveStdio` and `createMcpHandler` take it as it is. */
  readonly factory: () => McpServer;
  /** Ends running calls and commands. `remove` also deletes what was saved. */
  close(options?: { remove?: boolean }): Promise<void>;
}

/**
 * One session's tools, ready to be served.
 * @throws what `createToolbox` throws.
 */
export async function createMcpServer(options: McpServerOptions): Promise<McpTools> {
  // Loaded with the first server: a program that only imports this package starts as fast as without it.
  const { buildMcpServer } = await import("./build-server.ts");
  return buildMcpServer(options);
}
