// One run of an agent: from the caller's signal to the last event. A failure is data from here on.
import { isCheckpointError } from "@spillway/checkpoint";
import { isHostError } from "./error.ts";
import type { AgentEvent, DoneReason, RunError, RunResult } from "./event.ts";
import { createEventStream } from "./event-stream.ts";

import type { TurnContext, TurnProgress } from "./turn-context.ts";

/**
 * A run's events, to be read once, and its result. Nobody has to read them; leaving the loop early aborts the run.
 * `result` never rejects: a failure is its `reason` and `error`.
 */
export type AgentRun = AsyncIterable<AgentEvent> & { readonly result: Promise<RunResult> };

/** A turn without what belongs to the run. */
export type RunParts = Omit<TurnContext, "signal" | "emit" | "ready">;

export type Turn = (context: TurnContext, progress: TurnProgress) => Promise<DoneReason>;

export interface StartedRun {
  readonly run: AgentRun;
  readonly emit: (event: AgentEvent) => void;
  stop(reason: Error): void;
}

/** `onEnd` is called before anybody can learn that the run is over. */
export function startRun(parts: RunParts, signal: AbortSignal | undefined, turn: Turn, onEnd: () => void): StartedRun {
  const stop = new AbortController();
  const stream = createEventStream<AgentEvent>(
    () => stop.abort(new Error("The reader of the events left")),
    stop.signal,
  );
  const context: TurnContext = { ...parts, signal: stop.signal, emit: stream.emit, ready: stream.ready };
  const finish = (result: RunResult): RunResult => {
    onEnd();
    if (result.error !== undefined) stream.emit({ type: "error", ...result.error });
    stream.emit({ type: "done", result });
    stream.end();
    return result;
  };
  const result = linked(signal, stop, () => runToEnd(context, turn)).then(finish);
  return {
    run: { [Symbol.asyncIterator]: () => stream.events[Symbol.asyncIterator](), result },
    emit: stream.emit,
    stop: (reason) => stop.abort(reason),
  };
}

/** Works with one listener on the caller's signal, which is gone afterwards. */
async function linked<Value>(
  signal: AbortSignal | undefined,
  stop: AbortController,
  work: () => Promise<Value>,
): Promise<Value> {
  const onAbort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  try {
    return await work();
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

async function runToEnd(context: TurnContext, turn: Turn): Promise<RunResult> {
  const progress: TurnProgress = { steps: 0, text: "", streaming: "", usage: {} };
  const ended = await turn(context, progress).then(
    (reason): Ending => ({ reason }),
    (thrown: unknown): Ending =>
      context.signal.aborted ? { reason: "aborted" } : { reason: "error", error: runError(thrown) },
  );
  const ending = await recordEnd(ended.reason, context, progress).then(
    () => ended,
    // The journal cannot be written: what is on the disk still resumes, and this run says that it failed.
    (thrown: unknown): Ending => ({ reason: "error", error: ended.error ?? runError(thrown) }),
  );
  const { steps, text, usage } = progress;
  return { ...ending, text, steps, usage };
}

interface Ending {
  readonly reason: DoneReason;
  readonly error?: RunError;
}

async function recordEnd(reason: DoneReason, { session }: TurnContext, progress: TurnProgress): Promise<void> {
  if (session.transcript.entries.length === 0) return;
  if (reason === "aborted" && progress.streaming.trim() !== "") {
    // What the user read before stopping belongs to the conversation.
    progress.text = progress.streaming;
    const content = [{ type: "text" as const, text: progress.streaming }];
    await session.append({ t: "assistant", message: { role: "assistant", content }, finish: "aborted" });
  }
  await session.append({ t: "turn", reason });
}

function runError(thrown: unknown): RunError {
  if (isHostError(thrown)) {
    const { code, message, next, details } = thrown;
    return { code, message, ...(next === undefined ? {} : { next }), ...(details === undefined ? {} : { details }) };
  }
  if (isCheckpointError(thrown)) return { code: thrown.code, message: thrown.message, details: thrown.details };
  return {
    code: "HOST_FAILED",
    message: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown),
  };
}
