import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { estimateTokens } from "@spillway/limits";
import type { Body, WireFormat, WireReply } from "./format.ts";

/** What goes wrong with one request, by its number from 0. */
export type Fault =
  | { readonly status: number; readonly message: string; readonly headers?: Readonly<Record<string, string>> }
  /** A body that is not the provider's own. */
  | { readonly status: number; readonly body: string }
  /** The connection breaks before the answer. */
  | { readonly reset: true }
  /** The connection breaks after this many events. */
  | { readonly breakAfter: number }
  /** The answer ends in order after this many events, without its end. */
  | { readonly endAfter: number; readonly events?: readonly string[] }
  /** Nothing more comes after this many events. */
  | { readonly stallAfter: number };

export interface WireServer {
  /** The base URL for the client. */
  readonly url: string;
  readonly bodies: readonly Body[];
  /** Requests that the real server would have refused. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export interface WireServerOptions {
  /** The answer after this many answers of the assistant in the request. */
  readonly script: (answers: number, body: Body) => WireReply;
  /** The answer to a request without tools, which is for a summary. */
  readonly summary?: (body: Body) => string;
  /** Tokens. */
  readonly window?: number;
  readonly faults?: Readonly<Record<number, Fault>>;
  /** Input tokens: a server that drops old text reports only what it kept. */
  readonly reportsAtMost?: number;
}

/** A server on this machine that speaks one provider's format, follows a script, and refuses what the provider refuses. */
export async function startWireServer(format: WireFormat, options: WireServerOptions): Promise<WireServer> {
  const bodies: Body[] = [];
  const problems: string[] = [];
  const answer = (body: Body, response: ServerResponse): unknown => {
    const number = bodies.push(body) - 1;
    const fault = options.faults?.[number];
    if (fault !== undefined && "status" in fault) {
      if ("body" in fault) return response.writeHead(fault.status, { "content-type": "text/html" }).end(fault.body);
      return refuse(response, fault.status, format.error(fault.status, fault.message), fault.headers);
    }
    if (fault !== undefined && "reset" in fault) return response.destroy();
    const problem = format.problem(body);
    if (problem !== undefined) {
      problems.push(problem);
      return refuse(response, 400, format.error(400, problem));
    }
    const inputTokens = estimateTokens(JSON.stringify(body));
    if (options.window !== undefined && inputTokens > options.window) {
      return refuse(
        response,
        400,
        format.error(400, `prompt is too long: ${inputTokens} tokens > ${options.window} maximum`),
      );
    }
    const { script, summary = () => "Summary of the work." } = options;
    const reply = format.hasTools(body) ? script(format.answers(body), body) : { text: summary(body) };
    const events = format.events(reply, Math.min(inputTokens, options.reportsAtMost ?? inputTokens));
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (fault !== undefined && "breakAfter" in fault) {
      return response.write(events.slice(0, fault.breakAfter).join(""), () => response.destroy());
    }
    if (fault !== undefined && "stallAfter" in fault) {
      return response.write(events.slice(0, fault.stallAfter).join(""));
    }
    if (fault !== undefined) {
      return response.end([...events.slice(0, fault.endAfter), ...(fault.events ?? [])].join(""));
    }
    for (const event of events) response.write(event);
    response.end();
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    if (request.url !== `/v1${format.path}`) return refuse(response, 404, format.error(404, `no ${request.url}`));
    answer(JSON.parse(Buffer.concat(chunks).toString("utf8")), response);
  });
  // A client that was killed in the middle is no failure of the server.
  server.on("clientError", (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    problems,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function refuse(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
