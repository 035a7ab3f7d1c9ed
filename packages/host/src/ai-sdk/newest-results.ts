// The results of the newest step: which outcomes they are, and how much of them the model is shown.
import { buildContext, type Entry } from "@spillway/checkpoint";
import type { ToolOutcome } from "@spillway/tools";
import type { ModelMessage, ToolResultPart } from "ai";
import { type ContextMeter, roomForResults } from "../context-meter.ts";
import type { CallOutcome } from "../event.ts";
import { fitResults } from "../fit-results.ts";
import type { TokenCache } from "../token-cache.ts";
import type { Batch } from "../transcript.ts";
import type { RunTranscript } from "./run-transcript.ts";

type OutcomeOf = ((toolCallId: string) => ToolOutcome | undefined) | undefined;

/** The tool message at the end, as far as its results are text; undefined when there is none. */
export function newestBatch(entries: readonly Entry<ModelMessage>[], outcomeOf: OutcomeOf): Batch | undefined {
  const last = entries.at(-1);
  if (last?.message.role !== "tool") return undefined;
  const results = resultsOf(last.message).filter((part) => textOf(part) !== undefined);
  if (results.length === 0) return undefined;
  return {
    assistantId: entries.at(-2)?.id ?? last.id,
    calls: results.map(({ toolCallId, toolName }) => ({ type: "tool-call", toolCallId, toolName, input: {} })),
    problems: {},
    started: new Set(),
    outcomes: new Map(results.map((part) => [part.toolCallId, outcomeOf?.(part.toolCallId) ?? foreign(part)])),
    resultsId: last.id,
    isFitted: false,
  };
}

interface FitOptions {
  readonly meter: ContextMeter;
  readonly cache: TokenCache;
  readonly outcomeOf: OutcomeOf;
}

/** Where the results of the step do not fit into what the window has left, each is shown its fair share, from now on. */
export async function fitNewestResults(
  { entries, checkpoint }: RunTranscript,
  { meter, cache, outcomeOf }: FitOptions,
): Promise<void> {
  const batch = newestBatch(entries, outcomeOf);
  const last = entries.at(-1);
  if (batch === undefined || last === undefined) return;
  const before = buildContext(entries.slice(0, -1), checkpoint);
  const texts = resultsOf(last.message).flatMap((part) => textOf(part) ?? []);
  if (meter.isFarFromLimit(before, texts)) return;
  const maxTokens = roomForResults(await meter.measure(before), meter);
  const fitted = await fitResults(batch, { maxTokens, cache, advice: new Map() });
  if (Object.keys(fitted).length > 0)
    entries[entries.length - 1] = { id: last.id, message: withTexts(last.message, fitted) };
}

function withTexts(message: ModelMessage, texts: Readonly<Record<string, string>>): ModelMessage {
  if (message.role !== "tool") return message;
  return {
    ...message,
    content: message.content.map((part) => {
      const text = part.type === "tool-result" ? texts[part.toolCallId] : undefined;
      if (part.type !== "tool-result" || text === undefined) return part;
      return {
        ...part,
        output: { ...part.output, type: part.output.type === "error-text" ? "error-text" : "text", value: text },
      };
    }),
  };
}

function resultsOf(message: ModelMessage): ToolResultPart[] {
  return message.role === "tool" ? message.content.filter((part) => part.type === "tool-result") : [];
}

function textOf({ output }: ToolResultPart): string | undefined {
  return output.type === "text" || output.type === "error-text" ? output.value : undefined;
}

/** A result of a tool that is not ours: a text that can only be cut. */
function foreign(part: ToolResultPart): CallOutcome {
  return { ok: true, tool: part.toolName, text: textOf(part) ?? "" };
}
