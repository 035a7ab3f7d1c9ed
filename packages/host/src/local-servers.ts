// Model servers on this machine: which models they have, and how much of a prompt they really take.
import { connect } from "node:net";
import { z } from "zod";

/** A model that a local server offers. */
export interface LocalModel {
  readonly server: string;
  /** For `--base-url`. */
  readonly baseUrl: string;
  /** For `--model`. */
  readonly model: string;
  /** Tokens the server takes as it runs now; absent where it does not say, or has the model not loaded. */
  readonly contextWindow?: number;
  /** Tokens the model was made for. */
  readonly maxContextWindow?: number;
  /** Whether the model was made to call tools; absent where the server does not say. */
  readonly callsTools?: boolean;
}

/** Gives what a server at an origin offers, or undefined when it is another one. */
type Probe = (ask: Ask, origin: string) => Promise<readonly LocalModel[] | undefined>;

/** The body of an answer with status 200, undefined for anything else. */
type Ask = (path: string, body?: unknown) => Promise<unknown>;

/** Where nobody said that there is a server, one that does not answer at once is not there. */
const PROBE_TIMEOUT_MS = 300;
/** For a server that was named, all questions together. */
const ANSWER_TIMEOUT_MS = 5000;
/** It may have to load the model first. */
const LOAD_TIMEOUT_MS = 120_000;

/** Where the servers listen unless they are told otherwise. */
const LOCAL_ORIGINS: readonly string[] = [11434, 1234, 8080, 8000].map((port) => `http://127.0.0.1:${port}`);

/** Everything that servers offer at these origins, by default where they usually listen on this machine. */
export async function findLocalModels(origins?: readonly string[]): Promise<LocalModel[]> {
  const found = await Promise.all(
    origins === undefined
      ? LOCAL_ORIGINS.map((origin) =>
          modelsAt(
            askAt(origin, () => AbortSignal.timeout(PROBE_TIMEOUT_MS)),
            origin,
          ),
        )
      : origins.map((origin) => modelsAt(askWithin(origin, ANSWER_TIMEOUT_MS), origin)),
  );
  return found.flat();
}

async function modelsAt(ask: Ask, origin: string): Promise<readonly LocalModel[]> {
  for (const probe of PROBES) {
    const models = await probe(ask, origin);
    if (models !== undefined) return models;
  }
  return [];
}

/** What the server behind a base URL takes of a prompt, in tokens; undefined where it does not say. */
export async function serverWindow(
  baseUrl: string,
  model: string,
  headers: Readonly<Record<string, string>> = {},
  timeoutMs: number = ANSWER_TIMEOUT_MS,
): Promise<number | undefined> {
  const { origin, hostname } = new URL(baseUrl);
  if (!LOOPBACK.test(hostname)) return listedWindow(askWithin(baseUrl, timeoutMs, headers), model);
  const named = (models: readonly LocalModel[]): LocalModel | undefined =>
    models.find((one) => one.model === model || one.model === `${model}:latest`);
  const found = named(await modelsAt(askWithin(origin, timeoutMs), origin));
  if (found?.server !== "Ollama" || found.contextWindow !== undefined) return found?.contextWindow;
  // Only a loaded model has a window; the first request would load it anyway.
  await askWithin(origin, LOAD_TIMEOUT_MS)("/api/generate", { model: found.model });
  return named(await modelsAt(askWithin(origin, timeoutMs), origin))?.contextWindow;
}

/** Whether nobody listens on the port of a URL of this machine; of other machines nothing is said. */
export async function nobodyListens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  if (!LOOPBACK.test(hostname)) return false;
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
      timeout: ANSWER_TIMEOUT_MS,
    });
    const settle = (nobody: boolean): void => {
      socket.destroy();
      resolve(nobody);
    };
    socket.once("connect", () => settle(false));
    socket.once("timeout", () => settle(false));
    socket.once("error", () => settle(true));
  });
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

async function listedWindow(ask: Ask, model: string): Promise<number | undefined> {
  const list = openaiList.safeParse(await ask("/models"));
  const entry = list.data?.data.find(({ id }) => id === model);
  return entry?.max_model_len ?? entry?.context_length ?? entry?.context_window ?? undefined;
}

/** All questions together have this long. */
function askWithin(base: string, timeoutMs: number, headers?: Readonly<Record<string, string>>): Ask {
  const deadline = AbortSignal.timeout(timeoutMs);
  return askAt(base, () => deadline, headers);
}

function askAt(base: string, deadline: () => AbortSignal, headers: Readonly<Record<string, string>> = {}): Ask {
  return async (path, body) => {
    try {
      const response = await fetch(`${base.replace(/\/$/, "")}${path}`, {
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        signal: deadline(),
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      return response.ok ? await response.json() : undefined;
    } catch {
      // Nobody listens, or it is no such server: whoever asked for a model there learns it from its first request.
      return undefined;
    }
  };
}

const tokens = z.number().int().positive();
const openaiList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      /** vLLM; OpenRouter; Groq. */
      max_model_len: tokens.nullish(),
      context_length: tokens.nullish(),
      context_window: tokens.nullish(),
    }),
  ),
});
const ollamaTags = z.object({ models: z.array(z.object({ name: z.string() })) });
const ollamaShow = z.object({
  capabilities: z.array(z.string()).optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
});
const ollamaLoaded = z.object({ models: z.array(z.object({ name: z.string(), context_length: tokens.optional() })) });
const lmStudio = z.object({
  models: z.array(
    z.object({
      key: z.string(),
      type: z.string().optional(),
      max_context_length: tokens.optional(),
      loaded_instances: z.array(z.object({ config: z.object({ context_length: tokens.optional() }) })).optional(),
      capabilities: z.object({ trained_for_tool_use: z.boolean().optional() }).optional(),
    }),
  ),
});
const llamaCpp = z.object({ default_generation_settings: z.object({ n_ctx: tokens }) });

/** In this order: the more particular answers first, since several of them also list models as OpenAI does. */
const PROBES: readonly Probe[] = [
  async function ollama(ask, origin) {
    const tags = ollamaTags.safeParse(await ask("/api/tags"));
    if (!tags.success) return undefined;
    const loaded = ollamaLoaded.safeParse(await ask("/api/ps")).data?.models ?? [];
    return Promise.all(
      tags.data.models.map(async ({ name }) => {
        const { capabilities, model_info: info = {} } =
          ollamaShow.safeParse(await ask("/api/show", { model: name })).data ?? {};
        const [, most] = Object.entries(info).find(([key]) => key.endsWith(".context_length")) ?? [];
        return modelOf("Ollama", origin, name, {
          contextWindow: loaded.find((one) => one.name === name)?.context_length,
          maxContextWindow: tokens.safeParse(most).data,
          callsTools: capabilities?.includes("tools"),
        });
      }),
    );
  },
  async function lmStudioServer(ask, origin) {
    const list = lmStudio.safeParse(await ask("/api/v1/models"));
    if (!list.success) return undefined;
    return list.data.models
      .filter(({ type = "llm" }) => type === "llm")
      .map((one) =>
        modelOf("LM Studio", origin, one.key, {
          contextWindow: one.loaded_instances?.[0]?.config.context_length,
          maxContextWindow: one.max_context_length,
          callsTools: one.capabilities?.trained_for_tool_use,
        }),
      );
  },
  async function llamaServer(ask, origin) {
    const props = llamaCpp.safeParse(await ask("/props"));
    if (!props.success) return undefined;
    const list = openaiList.safeParse(await ask("/v1/models")).data?.data ?? [];
    const contextWindow = props.data.default_generation_settings.n_ctx;
    return list.map(({ id }) => modelOf("llama.cpp", origin, id, { contextWindow }));
  },
  async function openaiLike(ask, origin) {
    const list = openaiList.safeParse(await ask("/v1/models"));
    if (!list.success) return undefined;
    return list.data.data.map(({ id, max_model_len: length }) =>
      modelOf(length ? "vLLM" : "OpenAI-compatible", origin, id, { contextWindow: length ?? undefined }),
    );
  },
];

type Facts = { [Name in "contextWindow" | "maxContextWindow" | "callsTools"]?: LocalModel[Name] | undefined };

function modelOf(server: string, origin: string, model: string, facts: Facts): LocalModel {
  const { contextWindow, maxContextWindow, callsTools } = facts;
  return {
    ...{ server, baseUrl: `${origin}/v1`, model },
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxContextWindow === undefined ? {} : { maxContextWindow }),
    ...(callsTools === undefined ? {} : { callsTools }),
  };
}
