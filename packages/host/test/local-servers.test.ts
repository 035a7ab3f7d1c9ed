import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { findLocalModels, serverWindow } from "../src/local-servers.ts";
import { type LocalServer, ollamaRoutes, type Routes, startLocalServer } from "./helpers/local-server.ts";

let server: LocalServer | undefined;
afterEach(() => server?.close());

async function serve(routes: Routes): Promise<string> {
  server = await startLocalServer(routes);
  return server.origin;
}

const lmStudio: Routes = {
  "/api/v1/models": {
    models: [
      {
        ...{ type: "llm", key: "qwen/qwen3-8b", max_context_length: 40_960 },
        ...{ loaded_instances: [{ id: "a", config: { context_length: 8192 } }] },
        capabilities: { vision: false, trained_for_tool_use: true },
      },
      { type: "llm", key: "idle", max_context_length: 4096, loaded_instances: [] },
      { type: "embedding", key: "nomic", loaded_instances: [] },
    ],
  },
};
const llamaCpp: Routes = {
  "/props": { default_generation_settings: { n_ctx: 16_384 }, total_slots: 1 },
  "/v1/models": { object: "list", data: [{ id: "gemma.gguf" }] },
};
const vllm: Routes = { "/v1/models": { object: "list", data: [{ id: "meta/llama", max_model_len: 131_072 }] } };
const other: Routes = { "/v1/models": { object: "list", data: [{ id: "some" }] } };

describe("findLocalModels", () => {
  test.each<[string, Routes, object[]]>([
    [
      "Ollama",
      ollamaRoutes(4096),
      [
        { model: "qwen3:latest", maxContextWindow: 40_960, callsTools: true },
        { model: "embed:latest", maxContextWindow: 40_960, callsTools: false },
      ],
    ],
    [
      "LM Studio",
      lmStudio,
      [
        { model: "qwen/qwen3-8b", contextWindow: 8192, maxContextWindow: 40_960, callsTools: true },
        { model: "idle", maxContextWindow: 4096 },
      ],
    ],
    ["llama.cpp", llamaCpp, [{ model: "gemma.gguf", contextWindow: 16_384 }]],
    ["vLLM", vllm, [{ model: "meta/llama", contextWindow: 131_072 }]],
    ["OpenAI-compatible", other, [{ model: "some" }]],
  ])("knows %s by its answers", async (name, routes, models) => {
    const origin = await serve(routes);
    expect(await findLocalModels([origin])).toEqual(
      models.map((facts) => ({ server: name, baseUrl: `${origin}/v1`, ...facts })),
    );
  });

  test("finds nothing where nobody listens or where something else does", async () => {
    expect(await findLocalModels([await serve({ "/api/tags": "hello" }), "http://127.0.0.1:1"])).toEqual([]);
  });

  test("loads nothing only to list it", async () => {
    await findLocalModels([await serve(ollamaRoutes(4096))]);
    expect(server?.asked).not.toContain("/api/generate");
  });
});

describe("serverWindow", () => {
  test.each<[string, Routes, string, number | undefined]>([
    ["LM Studio", lmStudio, "qwen/qwen3-8b", 8192],
    ["LM Studio, which has it not loaded", lmStudio, "idle", undefined],
    ["llama.cpp", llamaCpp, "gemma.gguf", 16_384],
    ["vLLM", vllm, "meta/llama", 131_072],
    ["a server that does not say", other, "some", undefined],
    ["a server that has no such model", vllm, "meta/other", undefined],
  ])("is what %s says", async (_, routes, model, tokens) => {
    expect(await serverWindow(`${await serve(routes)}/v1`, model)).toBe(tokens);
  });

  test("is what Ollama gives a model once it is loaded, not what the model was made for", async () => {
    const origin = await serve(ollamaRoutes(4096));
    expect(await serverWindow(`${origin}/v1`, "qwen3")).toBe(4096);
    expect(server?.asked.filter((path) => path === "/api/generate")).toHaveLength(1);
    expect(await serverWindow(`${origin}/v1`, "qwen3:latest")).toBe(4096);
    expect(server?.asked.filter((path) => path === "/api/generate")).toHaveLength(1);
  });

  test("is unknown in the end where a server takes the question and never answers", async () => {
    const silent = createServer(() => undefined);
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    expect(await serverWindow(`http://127.0.0.1:${port}/v1`, "m", {}, 200)).toBeUndefined();
  }, 30_000);
});
