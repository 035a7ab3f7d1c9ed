// What the model is shown of a batch: every result whole, or fitted to its fair share of what the window has left.
import { boundBatch, type ModelMessage, type RenderShare } from "@spillway/checkpoint";
import { estimateTokens, type TokenCounter } from "@spillway/limits";
import { renderForModel } from "@spillway/tools";
import { isToolOutcome, outcomeText } from "./host-outcome.ts";
import type { TokenCache } from "./token-cache.ts";
import type { Batch } from "./transcript.ts";

export interface FitOptions {
  /** Uncalibrated tokens that the results may take together. */
  readonly maxTokens: number;
  readonly cache: TokenCache;
  /** Lines added below a result, by call id; they are never cut. */
  readonly advice: ReadonlyMap<string, string>;
}

/** Texts that differ from the whole result, by call id. Empty when everything is shown whole. */
export async function fitResults(batch: Batch, options: FitOptions): Promise<Record<string, string>> {
  const whole = wholeTexts(batch, options.advice);
  const message = resultsMessage(batch, whole);
  let maxTokens = Math.max(0, Math.floor(options.maxTokens));
  for (let attempt = 0; ; attempt += 1) {
    const [fitted, tokens] = await fitOnce(batch, message, whole, maxTokens, options);
    if (tokens <= options.maxTokens || attempt === MAX_ATTEMPTS) return differingTexts(batch, fitted);
    maxTokens = Math.floor((maxTokens * options.maxTokens * SAFETY) / tokens);
  }
}

const MAX_ATTEMPTS = 2;
/** A shorter text can be denser than the whole it was taken from. */
const SAFETY = 0.97;

type Texts = ReadonlyMap<string, string>;

async function fitOnce(
  batch: Batch,
  message: ModelMessage,
  whole: Texts,
  maxTokens: number,
  { cache, advice }: FitOptions,
): Promise<[fitted: Texts, tokens: number]> {
  // Exact counts of the whole texts first: they tell how dense each one is.
  await cache.counted((counter) => [...whole.values()].map(counter));
  const { counter, render } = createShareRenderer(batch, whole, cache.counter, advice);
  const [bounded] = boundBatch([message], { maxTokens, counter, render });
  const fitted = textsOf(bounded ?? message);
  const tokens = await cache.counted((count) => [...fitted.values()].reduce((sum, text) => sum + count(text), 0));
  return [fitted, tokens];
}

/** Renders a tool's result anew to a share, by whole lines; anything else is left to be cut by whoever asks. */
export interface ShareRenderer {
  readonly render: RenderShare;
  /** The given counter, which also knows the texts that `render` made. */
  readonly counter: TokenCounter;
}

export function createShareRenderer(
  batch: Pick<Batch, "outcomes">,
  whole: ReadonlyMap<string, string>,
  counter: TokenCounter,
  advice: ReadonlyMap<string, string> = new Map(),
): ShareRenderer {
  const rendered = new Map<string, number>();
  return {
    counter: (text) => rendered.get(text) ?? counter(text),
    render: (toolCallId, maxTokens) => {
      const outcome = batch.outcomes.get(toolCallId);
      const text = whole.get(toolCallId);
      if (outcome === undefined || text === undefined || !isToolOutcome(outcome)) return undefined;
      const density = counter(text) / Math.max(1, estimateTokens(text));
      const count: TokenCounter = (candidate) => Math.ceil(estimateTokens(candidate) * density);
      const line = advice.get(toolCallId);
      const below = line === undefined ? "" : `\n${line}`;
      const share = Math.max(0, maxTokens - count(below));
      const shown = renderForModel(outcome, { maxTokens: share, counter: count }) + below;
      rendered.set(shown, count(shown));
      return shown;
    },
  };
}

/** The whole text of each result, advice included. */
export function wholeTexts(
  batch: Pick<Batch, "outcomes">,
  advice: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  return new Map(
    [...batch.outcomes].map(([id, outcome]) => {
      const below = advice.get(id);
      return [id, below === undefined ? outcomeText(outcome) : `${outcomeText(outcome)}\n${below}`];
    }),
  );
}

function resultsMessage(batch: Batch, texts: Texts): ModelMessage {
  return {
    role: "tool",
    content: batch.calls.map(({ toolCallId, toolName }) => ({
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: "text", value: texts.get(toolCallId) ?? "" },
    })),
  };
}

function textsOf(message: ModelMessage): Map<string, string> {
  const texts = new Map<string, string>();
  for (const part of typeof message.content === "string" ? [] : message.content) {
    if (part.type === "tool-result" && part.output.type === "text") texts.set(part.toolCallId, part.output.value);
  }
  return texts;
}

/** Those of the texts that are not the whole result. */
export function differingTexts(batch: Pick<Batch, "outcomes">, fitted: Texts): Record<string, string> {
  return Object.fromEntries(
    [...fitted].filter(([id, text]) => {
      const outcome = batch.outcomes.get(id);
      return outcome !== undefined && outcomeText(outcome) !== text;
    }),
  );
}
