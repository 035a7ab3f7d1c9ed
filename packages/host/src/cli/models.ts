import { findLocalModels, type LocalModel } from "../local-servers.ts";
import type { ParsedArguments } from "./arguments.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit-code.ts";
import { formatTokens, oneLine } from "./style.ts";

/** Looks for model servers on this machine, only when asked to. */
export async function modelsCommand(parsed: ParsedArguments, { stdout }: CommandContext): Promise<number> {
  const { words } = parsed;
  const models = await findLocalModels(words.length > 0 ? words.map(originOf) : undefined);
  if (parsed.flags.json === true) {
    for (const model of models) await stdout.line(JSON.stringify(model));
    return EXIT.done;
  }
  for (const model of models) await stdout.line(describeModel(model));
  if (models.length === 0) {
    const places = "looked for Ollama (port 11434), LM Studio (1234), llama.cpp (8080), vLLM (8000)";
    await stdout.line(
      words.length > 0
        ? `No model server answers at ${words.map(originOf).join(", ")}`
        : `No model server answers on this machine: ${places}`,
    );
  }
  await stdout.line("\nHosted: --model anthropic/… with ANTHROPIC_API_KEY, --model openai/… with OPENAI_API_KEY");
  return EXIT.done;
}

function originOf(url: string): string {
  if (!URL.canParse(url)) throw new RangeError(`Invalid URL "${url}": write it like http://127.0.0.1:11434`);
  return new URL(url).origin;
}

function describeModel({ server, baseUrl, model, ...facts }: LocalModel): string {
  const { contextWindow, maxContextWindow, callsTools } = facts;
  const now = contextWindow === undefined ? "not loaded" : `takes ${formatTokens(contextWindow)} tokens`;
  const most = maxContextWindow === undefined ? "" : `, made for ${formatTokens(maxContextWindow)} tokens`;
  const tools = callsTools === false ? ", cannot call tools" : "";
  return `${server}: ${now}${most}${tools}\n  --base-url ${baseUrl} --model ${oneLine(model, 200)}`;
}
