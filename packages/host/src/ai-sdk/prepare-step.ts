import {
  buildContext,
  type Checkpoint,
  calibratedCounter,
  createCheckpoint,
  createProgressGuard,
  type Summarize,
} from "@spillway/checkpoint";
import type { ToolDefinition, ToolOutcome } from "@spillway/tools";
import { generateText, type LanguageModel, type ModelMessage } from "ai";
import { createContextMeter } from "../context-meter.ts";
import { createShareRenderer, wholeTexts } from "../fit-results.ts";
import { createTokenCache } from "../token-cache.ts";
import { fitNewestResults, newestBatch } from "./newest-results.ts";
import { addStep, beginRun, createRunTranscript, type RunTranscript } from "./run-transcript.ts";

export interface PrepareStepOptions {
  /** Tokens that the model takes, input and output together. */
  readonly contextWindow: number;
  /** The same number as the loop's own `maxOutputTokens`. Default 16 384. */
  readonly maxOutputTokens?: number;
  /** The loop's system text: it is sent with every request, so it is counted. */
  readonly system?: string;
  /** Writes a summary. Default: the model of the step itself. */
  readonly summarize?: Summarize;
  readonly onCheckpoint?: (checkpoint: Checkpoint) => void;
  /** What the tools are and what they gave; `createTools` fills this in. */
  readonly tools?: {
    readonly definitions: readonly Pick<ToolDefinition, "name" | "description" | "inputJsonSchema">[];
    readonly countTokens: (texts: string[]) => Promise<number[]>;
    readonly outcomeOf: (toolCallId: string) => ToolOutcome | undefined;
  };
}

/** What the SDK tells before a step, as far as it is needed here; the same in ai 6 and 7. */
export interface StepInfo {
  readonly steps: readonly { readonly usage: { readonly inputTokens?: number | undefined } }[];
  readonly stepNumber: number;
  readonly model: LanguageModel;
  readonly messages: ModelMessage[];
}

export type PrepareStep = (step: StepInfo) => Promise<{ messages: ModelMessage[] }>;

const DEFAULT_OUTPUT_TOKENS = 16_384;

/**
 * A `prepareStep` for one agent: parallel results that together are more than the window has left are shown in fair
 * shares, a context that reaches the limit becomes a checkpoint, and every request is validly paired. It knows a
 * conversation again by its messages, so a later call of the same agent goes on from the checkpoint.
 * The function throws CheckpointError `CONTEXT_COMPACTION_FAILED` when nothing can be made to fit.
 */
export function createPrepareStep(options: PrepareStepOptions): PrepareStep {
  const { contextWindow, maxOutputTokens = DEFAULT_OUTPUT_TOKENS, system = "", tools } = options;
  const definitions = (tools?.definitions ?? []).map(({ name, description, inputJsonSchema }) => ({
    ...{ name, description, inputJsonSchema },
  }));
  const cache = createTokenCache(tools?.countTokens ?? (() => Promise.reject(new Error("No counter was given"))));
  const fixedText = `${system}${definitions.length > 0 ? JSON.stringify(definitions) : ""}`;
  const meter = createContextMeter({ contextWindow, maxOutputTokens, fixedText, cache });
  const guard = createProgressGuard();
  // Runs of one agent may overlap: the SDK gives each a list of steps of its own.
  const runs = new WeakMap<object, RunTranscript>();
  let latest: RunTranscript | undefined;

  const messagesOf = ({ entries, checkpoint }: RunTranscript): ModelMessage[] => buildContext(entries, checkpoint);

  const takeCheckpoint = async (transcript: RunTranscript, model: LanguageModel): Promise<void> => {
    guard.beforeCheckpoint();
    const batch = newestBatch(transcript.entries, tools?.outcomeOf);
    const counter = calibratedCounter(cache.counter, meter.usage);
    const shares = batch === undefined ? undefined : createShareRenderer(batch, wholeTexts(batch), counter);
    const { checkpoint: previous } = transcript;
    const checkpoint = await createCheckpoint({
      entries: transcript.entries,
      budget: meter.budget,
      mode: "active_turn",
      summarize: options.summarize ?? summarizeWith(model),
      counter: shares?.counter ?? counter,
      fixedTokens: Math.ceil((await meter.fixedTokens()) * (meter.usage?.factor ?? 1)),
      ...(shares !== undefined && { render: shares.render }),
      ...(previous !== undefined && { previous }),
    });
    transcript.checkpoint = checkpoint;
    cache.rotate();
    options.onCheckpoint?.(checkpoint);
  };

  return async ({ steps, stepNumber, model, messages }) => {
    const transcript =
      stepNumber === 0 ? beginRun(latest, messages) : (runs.get(steps) ?? latest ?? createRunTranscript());
    runs.set(steps, transcript);
    latest = transcript;
    if (stepNumber > 0) {
      addStep(transcript, messages);
      guard.requestAccepted();
      await meter.observe(transcript.sent, steps.at(-1)?.usage.inputTokens);
      await fitNewestResults(transcript, { meter, cache, outcomeOf: tools?.outcomeOf });
    }
    const context = messagesOf(transcript);
    if (!meter.isFarFromLimit(context) && (await meter.measure(context)) >= meter.budget.hardLimit) {
      await takeCheckpoint(transcript, model);
    }
    transcript.sent = messagesOf(transcript);
    return { messages: [...transcript.sent] };
  };
}

function summarizeWith(model: LanguageModel): Summarize {
  return async ({ system, prompt, maxOutputTokens, signal }) => {
    const { text, finishReason } = await generateText({ model, system, prompt, maxOutputTokens, abortSignal: signal });
    return { text, finishReason };
  };
}
