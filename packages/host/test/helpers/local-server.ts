import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a server answers on each path: a value, or a function of the body. */
export type Routes = Readonly<Record<string, unknown>>;

export interface LocalServer {
  readonly origin: string;
  /** Paths that were asked, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A server that knows these paths, and answers 404 to any other. */
export async function startLocalServer(routes: Routes): Promise<LocalServer> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { url = "" } = request;
    asked.push(url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString("utf8");
    const route = routes[url];
    const value = typeof route === "function" ? route(text === "" ? undefined : JSON.parse(text)) : route;
    response.writeHead(value === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(value ?? { error: "not found" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Ollama with two models, of which none is loaded until it is asked for. */
export function ollamaRoutes(contextLength: number): Routes {
  const loaded = new Set<string>();
  return {
    "/api/tags": { models: [{ name: "qwen3:latest" }, { name: "embed:latest" }] },
    "/api/show": ({ model }: { model: string }) => ({
      capabilities: model.startsWith("qwen3") ? ["completion", "tools"] : ["embedding"],
      model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
    }),
    "/api/ps": () => ({ models: [...loaded].map((name) => ({ name, context_length: contextLength })) }),
    "/api/generate": ({ model }: { model: string }) => {
      loaded.add(model);
      return { model, done: true };
    },
  };
}
