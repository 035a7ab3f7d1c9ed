// One answer of the model: the request with its retries, and its place in the journal.
import { type ModelMessage, parseOverflow, repairPairing } from "@spillway/checkpoint";
import type { Compactor } from "./compaction.ts";
import { HostError } from "./error.ts";
import type { AgentEvent, StepUsage } from "./event.ts";
import { OverflowFailure, withRetries } from "./request.ts";
import { requestStep, type StepReply } from "./step.ts";
import type { TurnContext, TurnProgress } from "./turn-context.ts";
import { withUniqueIds } from "./unique-ids.ts";

/** An answer in the journal. An overflow is met with one checkpoint and one more request. */
export async function answer(context: TurnContext, compactor: Compactor, progress: TurnProgress): Promise<StepReply> {
  for (let retried = false; ; retried = true) {
    try {
      const reply = await request(context, progress);
      if (reply.rawFinishReason === WINDOW_FULL) throw new OverflowFailure("The answer met the end of the window");
      return await keepReply(reply, context, progress);
    } catch (error) {
      if (!(error instanceof OverflowFailure)) throw error;
      const overflow = parseOverflow(error.cause);
      if (overflow !== undefined) await context.meter.observeOverflow(context.session.messages(), overflow);
      if (retried) throw noRoom(error.message);
      context.emit(refusedForSize(error.message));
      await compactor.compact("active_turn");
    }
  }
}

function refusedForSize(message: string): AgentEvent {
  const text = `The request was too long for the model (${message}): a checkpoint is taken and it is sent again`;
  return { type: "warning", code: "CONTEXT_OVERFLOW", message: text };
}

function noRoom(message: string): HostError {
  const what = `The model refused the context after a checkpoint as well (${message})`;
  const next = "start a new session, or use a model with a larger window";
  return new HostError("CONTEXT_COMPACTION_FAILED", what, { next });
}

/** Anthropic's stop reason for an answer that ran into the end of the window. */
const WINDOW_FULL = "model_context_window_exceeded";

async function request(context: TurnContext, progress: TurnProgress): Promise<StepReply> {
  const { session, meter, reminders, emit, ready } = context;
  const messages = repairPairing(session.messages(), { uniqueIds: true });
  const contextTokens = await meter.estimate(messages);
  const reminder = reminders.due(contextTokens, meter.budget.hardLimit);
  const send = async (attempt: number): Promise<StepReply> => {
    progress.streaming = "";
    const { hardLimit } = meter.budget;
    emit({ type: "step_start", step: progress.steps + 1, attempt, contextTokens, hardLimit });
    return requestStep({
      ...context.request,
      system: context.system,
      messages: [...messages, ...goOn(messages), ...(reminder === undefined ? [] : [reminder])],
      tools: context.toolSet,
      maxOutputTokens: outputTokens(context),
      signal: context.signal,
      onDelta: async (kind, text) => {
        if (kind === "text") progress.streaming += text;
        emit({ type: kind === "text" ? "text_delta" : "reasoning_delta", text });
        await ready();
      },
    });
  };
  const reply = await withRetries(send, context);
  void meter.observe(messages, reply.usage.inputTokens).then((believable) => {
    if (!believable) emit(droppedContext(reply.usage.inputTokens, contextTokens));
  });
  return reply;
}

/** Not stored: an answer that was cut off has nobody's words after it, and some providers refuse a request that ends so. */
function goOn(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.at(-1)?.role === "assistant" ? [{ role: "user", content: "Go on where you stopped." }] : [];
}

function droppedContext(inputTokens: number | undefined, contextTokens: number): AgentEvent {
  const next = "it drops old text, raise its context length (for Ollama: OLLAMA_CONTEXT_LENGTH)";
  const message = `The server counted ${inputTokens} of about ${contextTokens} tokens: ${next}`;
  return { type: "warning", code: "CONTEXT_DROPPED", message };
}

async function keepReply(reply: StepReply, context: TurnContext, progress: TurnProgress): Promise<StepReply> {
  const { session, emit } = context;
  const { content, calls } = withUniqueIds(reply.content, reply.calls, session.transcript.usedIds);
  const problems = Object.fromEntries(
    calls.flatMap(({ toolCallId, problem }) => (problem ? [[toolCallId, problem]] : [])),
  );
  if (content.some((part) => part.type !== "reasoning")) {
    await session.append({
      t: "assistant",
      message: { role: "assistant", content },
      finish: reply.finishReason,
      usage: reply.usage,
      ...(Object.keys(problems).length > 0 ? { problems } : {}),
    });
  }
  progress.streaming = "";
  progress.text = reply.text;
  progress.usage = addUsage(progress.usage, reply.usage);
  emit({ type: "usage", step: progress.steps + 1, ...reply.usage });
  return { ...reply, content, calls };
}

/** The most tokens that the next answer may have. */
export function outputTokens({ maxOutputTokens, meter }: TurnContext): number {
  return Math.min(maxOutputTokens, meter.budget.headroom);
}

function addUsage(sum: StepUsage, more: StepUsage): StepUsage {
  const total: Partial<Record<keyof StepUsage, number>> = { ...sum };
  for (const name of ["inputTokens", "outputTokens", "cachedInputTokens"] as const) {
    const tokens = more[name];
    if (tokens !== undefined) total[name] = (total[name] ?? 0) + tokens;
  }
  return total;
}
