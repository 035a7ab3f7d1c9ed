// The one place that knows providers. Their packages are optional and loaded when a model of theirs is asked for.
import type { LanguageModel } from "ai";
import type { Environment } from "./config.ts";
import { demoModel } from "./demo/model.ts";
import { HostError } from "./error.ts";

export interface ModelChoice {
  /** `demo`, `anthropic/<id>`, `openai/<id>`, or with a base URL any name the server knows. */
  readonly model?: string;
  readonly baseUrl?: string;
  /** Tokens; nobody is asked for them then. */
  readonly contextWindow?: number;
}

export interface ResolvedModel {
  readonly model: LanguageModel;
  /** Tokens; what is set, what the server says, what is known of the model, or a careful guess. */
  readonly contextWindow: number;
  /** What the user should know about the window before the first request. */
  readonly notice?: string;
}

interface Provider {
  readonly packageName: string;
  readonly keyVariable: string;
  load(id: string): Promise<LanguageModel>;
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic: {
    packageName: "@ai-sdk/anthropic",
    keyVariable: "ANTHROPIC_API_KEY",
    load: async (id) => (await import("@ai-sdk/anthropic")).createAnthropic()(id),
  },
  openai: {
    packageName: "@ai-sdk/openai",
    keyVariable: "OPENAI_API_KEY",
    load: async (id) => (await import("@ai-sdk/openai")).createOpenAI()(id),
  },
};

const EXAMPLE =
  '--model anthropic/claude-sonnet-4-5, or --base-url http://127.0.0.1:11434/v1 --model NAME, see "spillway models", or try "spillway demo"';

/** @throws HostError CONFIG_INVALID or MODEL_UNAVAILABLE with what to set or install. */
export async function resolveModel(choice: ModelChoice, environment: Environment): Promise<ResolvedModel> {
  if (choice.model === undefined)
    throw new HostError("CONFIG_INVALID", "No model is chosen", { next: `use ${EXAMPLE}` });
  if (choice.baseUrl !== undefined) return compatibleModel(choice.model, choice.baseUrl, choice, environment);
  if (choice.model === "demo") {
    const model = demoModel();
    return { model, contextWindow: choice.contextWindow ?? model.contextWindow };
  }
  const [, name = "", id = ""] = /^([^/]*)\/(.*)$/s.exec(choice.model) ?? [];
  const provider = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (provider === undefined || id === "") {
    throw new HostError("CONFIG_INVALID", `Unknown model "${choice.model}"`, { next: `use ${EXAMPLE}` });
  }
  if (!environment[provider.keyVariable]) {
    throw new HostError("MODEL_UNAVAILABLE", `${choice.model} needs a key`, {
      next: `set ${provider.keyVariable}, or try "spillway demo", which needs none`,
    });
  }
  const model = await loaded(provider.packageName, () => provider.load(id));
  return { model, contextWindow: choice.contextWindow ?? knownWindow(id) };
}

/** Of a server we know nothing about: many local ones are started with less, and an overflow error corrects us upwards never, downwards always. */
const UNKNOWN_SERVER_WINDOW = 32_768;

/** System text, tool schemas and one result need about this much. */
const SMALL_WINDOW = 16_384;

async function compatibleModel(
  id: string,
  baseURL: string,
  { contextWindow }: ModelChoice,
  environment: Environment,
): Promise<ResolvedModel> {
  const apiKey = environment.SPILLWAY_API_KEY;
  const model = await loaded("@ai-sdk/openai-compatible", async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const settings = { name: "compatible", baseURL, includeUsage: true };
    return createOpenAICompatible(apiKey ? { ...settings, apiKey } : settings)(id);
  });
  const { nobodyListens, serverWindow } = await import("./local-servers.ts");
  if (await nobodyListens(baseURL)) {
    throw new HostError("MODEL_UNAVAILABLE", `Nothing listens at "${baseURL}"`, {
      next: 'start the server, or see "spillway models" for those that run',
    });
  }
  if (contextWindow !== undefined) return { model, contextWindow };
  const told = await serverWindow(baseURL, id, apiKey ? { authorization: `Bearer ${apiKey}` } : {});
  if (told === undefined) {
    const notice = `"${baseURL}" does not say how many tokens "${id}" takes, ${UNKNOWN_SERVER_WINDOW} are assumed: set --context-window`;
    return { model, contextWindow: UNKNOWN_SERVER_WINDOW, notice };
  }
  if (told >= SMALL_WINDOW) return { model, contextWindow: told };
  const notice = `"${id}" takes ${told} tokens as its server runs now, too few for the tools: start it with at least ${SMALL_WINDOW} (for Ollama: OLLAMA_CONTEXT_LENGTH)`;
  return { model, contextWindow: told, notice };
}

async function loaded(packageName: string, load: () => Promise<LanguageModel>): Promise<LanguageModel> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    throw new HostError("MODEL_UNAVAILABLE", `The package "${packageName}" is not installed`, {
      next: `run "npm install ${packageName}"`,
      cause: error,
    });
  }
}

// Published windows; a model that is not listed gets what every current hosted model has at least.
const WINDOWS: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/^claude/, 200_000],
  [/^gpt-5/, 272_000],
  [/^(?:o1|o3|o4)/, 200_000],
];
const DEFAULT_WINDOW = 128_000;

function knownWindow(id: string): number {
  return WINDOWS.find(([pattern]) => pattern.test(id))?.[1] ?? DEFAULT_WINDOW;
}
