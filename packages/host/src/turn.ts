// One turn: request, calls, results, and again, until the model asks for nothing more. It is a function of the journal:
// whatever was interrupted, the next round begins with what the journal says is still to be done.
import { buildContext, isCheckpointError } from "@spillway/checkpoint";
import { answer, outputTokens } from "./answer.ts";
import { runBatch } from "./calls.ts";
import { type Compactor, createCompactor } from "./compaction.ts";
import { roomForResults } from "./context-meter.ts";
import { HostError } from "./error.ts";
import type { CallOutcome, DoneReason } from "./event.ts";
import { differingTexts, fitResults, wholeTexts } from "./fit-results.ts";
import { createGuards, type Guards } from "./guards.ts";
import { interrupted, notRun, unfinished } from "./host-outcome.ts";
import { NEW_CONTEXT } from "./new-context.ts";
import type { RequestedCall, StepReply } from "./step.ts";
import { type Batch, unansweredCalls, unseenBatch } from "./transcript.ts";
import type { TurnContext, TurnProgress } from "./turn-context.ts";

/** Runs until the model is done. @throws HostError, CheckpointError, the abort reason; the journal stays valid. */
export async function runTurn(context: TurnContext, progress: TurnProgress): Promise<DoneReason> {
  const compactor = createCompactor(context);
  const guards = createGuards();
  for (;;) {
    await finishBatch(context, guards);
    context.signal.throwIfAborted();
    await makeRoom(context, compactor);
    const reply = await answer(context, compactor, progress);
    compactor.accepted();
    progress.steps += 1;
    if (reply.calls.length === 0) return doneReason(reply);
  }
}

/** Gives every call of an interrupted batch a result without running anything, so that a new prompt can follow. */
export async function closeBatch(context: Pick<TurnContext, "session" | "tools">): Promise<void> {
  const { transcript } = context.session;
  for (const call of unansweredCalls(transcript.batch)) {
    await context.session.append({ t: "result", toolCallId: call.toolCallId, outcome: outcomeOfLost(call, context) });
  }
}

function outcomeOfLost(call: RequestedCall, { session, tools }: Pick<TurnContext, "session" | "tools">): CallOutcome {
  const tool = tools.get(call.toolName);
  const harmless = tool === undefined || call.problem !== undefined || tool.riskOf(call.input) === "low";
  if (harmless) return unfinished(call.toolName);
  return session.transcript.batch?.started.has(call.toolCallId) ? interrupted(call.toolName) : notRun(call.toolName);
}

/** Runs what is still to be run of the newest batch and decides what the model is shown of it. */
async function finishBatch(context: TurnContext, guards: Guards): Promise<void> {
  const { session, signal } = context;
  const batch = unseenBatch(session.transcript);
  if (batch === undefined) return;
  const calls = unansweredCalls(batch);
  // Begun in an earlier life and never answered: it may have taken effect, so it is not run again.
  for (const call of calls.filter(({ toolCallId }) => batch.started.has(toolCallId))) {
    await session.append({ t: "result", toolCallId: call.toolCallId, outcome: interrupted(call.toolName) });
  }
  await runCalls(
    calls.filter(({ toolCallId }) => !batch.started.has(toolCallId)),
    context,
  );
  const { advice, stop } = guards.observe(batch);
  if (!batch.isFitted) {
    const texts = await shownTexts(batch, advice, context);
    if (Object.keys(texts).length > 0) await session.append({ t: "shown", texts });
  }
  if (stop !== undefined && !signal.aborted) throw new HostError(stop.code, stop.message, { next: "say how to go on" });
}

async function runCalls(calls: readonly RequestedCall[], context: TurnContext): Promise<void> {
  const { session, emit } = context;
  if (calls.length === 0) return;
  for (const { toolCallId, toolName, input } of calls) emit({ type: "tool_call", toolCallId, toolName, args: input });
  await runBatch(calls, {
    ...context,
    sessionId: session.id,
    maxOutputTokens: outputTokens(context),
    recordStart: async ({ toolCallId }) => {
      await session.append({ t: "start", toolCallId });
    },
    recordResult: async ({ toolCallId }, outcome) => {
      await session.append({ t: "result", toolCallId, outcome });
    },
  });
}

/** What the model is shown of a batch where that is not simply the whole: fitted to a share, or with advice below. */
async function shownTexts(
  batch: Batch,
  advice: ReadonlyMap<string, string>,
  { session, meter, cache }: TurnContext,
): Promise<Record<string, string>> {
  // Nothing but the results themselves: what the window had left before the first tool began.
  const { entries, checkpoint } = session.transcript;
  const before = buildContext(
    entries.filter(({ id }) => id !== batch.resultsId),
    checkpoint,
  );
  const whole = wholeTexts(batch, advice);
  if (meter.isFarFromLimit(before, whole.values())) return differingTexts(batch, whole);
  return fitResults(batch, { maxTokens: roomForResults(await meter.measure(before), meter), cache, advice });
}

async function makeRoom(context: TurnContext, compactor: Compactor): Promise<void> {
  const { session, meter } = context;
  if (asksForNewContext(unseenBatch(session.transcript))) await openNewContext(context, compactor);
  while ((await meter.estimate(session.messages())) >= meter.budget.hardLimit) await compactor.compact("active_turn");
}

async function openNewContext({ emit }: TurnContext, compactor: Compactor): Promise<void> {
  try {
    await compactor.compact("active_turn");
  } catch (error) {
    if (!isCheckpointError(error) || error.details.reason !== "no-progress") throw error;
    // Asked for too early: there is nothing to be gained yet, and nothing is lost by going on.
    emit({ type: "warning", code: "CHECKPOINT_REFUSED", message: error.message });
  }
}

function asksForNewContext(batch: Batch | undefined): boolean {
  return batch?.calls.some((call) => call.toolName === NEW_CONTEXT && batch.outcomes.get(call.toolCallId)?.ok) ?? false;
}

function doneReason({ finishReason }: StepReply): DoneReason {
  return finishReason === "length" || finishReason === "content-filter" ? finishReason : "stop";
}
