import {
  type CheckpointMode,
  calibratedCounter,
  createCheckpoint,
  createProgressGuard,
  type Summarize,
} from "@spillway/checkpoint";
import { createShareRenderer, wholeTexts } from "./fit-results.ts";
import { OverflowFailure, withRetries } from "./request.ts";
import { requestStep } from "./step.ts";
import type { TurnContext } from "./turn-context.ts";

/** Takes checkpoints and sees to it that it does not go on for ever. */
export interface Compactor {
  /** @throws CheckpointError CONTEXT_COMPACTION_FAILED, the abort reason. */
  compact(mode: CheckpointMode): Promise<void>;
  /** A request was accepted: whatever was compacted before was worth it. */
  accepted(): void;
}

export function createCompactor(context: TurnContext): Compactor {
  const guard = createProgressGuard();
  return {
    compact: async (mode) => {
      guard.beforeCheckpoint();
      await takeCheckpoint(context, mode);
    },
    accepted: guard.requestAccepted,
  };
}

async function takeCheckpoint(context: TurnContext, mode: CheckpointMode): Promise<void> {
  const { session, meter, cache, reminders, signal, emit } = context;
  // From here on the texts of the context are counted, and what the provider reported is taken in.
  await meter.measure(session.messages());
  const { entries, checkpoint: previous, batch } = session.transcript;
  const calibrated = calibratedCounter(cache.counter, meter.usage);
  const shares = batch === undefined ? undefined : createShareRenderer(batch, wholeTexts(batch), calibrated);
  const checkpoint = await createCheckpoint({
    entries,
    budget: meter.budget,
    mode,
    summarize: summarizeWith(context),
    counter: shares?.counter ?? calibrated,
    fixedTokens: Math.ceil((await meter.fixedTokens()) * (meter.usage?.factor ?? 1)),
    signal,
    ...(shares === undefined ? {} : { render: shares.render }),
    ...(previous === undefined ? {} : { previous }),
  });
  const id = await session.appendCheckpoint(checkpoint);
  cache.rotate();
  reminders.reset();
  const { generation, tokensBefore, tokensAfter, fallback } = checkpoint;
  emit({
    type: "checkpoint",
    id,
    generation,
    tokensBefore,
    tokensAfter,
    ...(fallback === undefined ? {} : { fallback: fallback.reason }),
  });
}

function summarizeWith(context: TurnContext): Summarize {
  return async ({ system, prompt, maxOutputTokens, signal }) => {
    const send = (): ReturnType<typeof requestStep> =>
      requestStep({
        ...context.request,
        system,
        messages: [{ role: "user", content: prompt }],
        tools: {},
        maxOutputTokens,
        signal,
        onDelta: () => undefined,
      });
    try {
      const { text, finishReason } = await withRetries(send, { ...context, signal });
      return { text, finishReason };
    } catch (error) {
      // The checkpoint reads the provider's own error: it can send less and try again.
      throw error instanceof OverflowFailure ? error.cause : error;
    }
  };
}
