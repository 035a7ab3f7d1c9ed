import type { Readable, Writable } from "node:stream";
import { createMcpServer, type McpServerOptions } from "./server.ts";
import { claimStandardOutput } from "./standard-streams.ts";

export interface StdioOptions extends McpServerOptions {
  /** Ends the serving. */
  readonly signal?: AbortSignal;
  /** Default: the process's own; its standard output is then the protocol's alone. */
  readonly streams?: { readonly input: Readable; readonly output: Writable };
  /** Faults of the transport: a line that is no message, a pipe that broke. */
  readonly onError?: (error: Error) => void;
}

/** Bytes of one message. */
export const MAX_MESSAGE_BYTES: number = 10 * 1024 * 1024;

/**
 * Serves one client over standard input and output, and ends with it: when the client closes its end or dies, running calls
 * and commands are ended and what was saved is removed.
 * @throws what `createMcpServer` throws.
 */
export async function serveMcpStdio(options: StdioOptions): Promise<void> {
  const { signal, streams, onError, ...serverOptions } = options;
  const { input, output } = streams ?? { input: process.stdin, output: claimStandardOutput() };
  const [tools, { serveStdio, StdioServerTransport }] = await Promise.all([
    createMcpServer(serverOptions),
    import("@modelcontextprotocol/server/stdio"),
  ]);
  try {
    const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
    const connection = serveStdio(tools.factory, { transport, ...(onError !== undefined && { onerror: onError }) });
    const { onclose } = transport;
    await new Promise<void>((resolve) => {
      transport.onclose = () => {
        onclose?.();
        resolve();
      };
      const stop = (): void => void connection.close().then(resolve, resolve);
      if (signal?.aborted === true) stop();
      signal?.addEventListener("abort", stop, { once: true });
    });
  } finally {
    await tools.close({ remove: true });
    // Nothing more is read; an open pipe would keep the process.
    input.destroy();
  }
}
