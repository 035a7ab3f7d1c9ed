import type { Toolbox } from "@spillway/tools";
import type { AgentEvent } from "./event.ts";
import { type AgentRun, type RunParts, startRun, type Turn } from "./run.ts";
import { compactBetweenTurns, promptTurn, resumedTurn } from "./turn-start.ts";

export interface RunOptions {
  readonly signal?: AbortSignal;
}

export interface Agent {
  readonly sessionId: string;
  /** A turn with a new prompt. Calls that an earlier process left open get an "interrupted" result first. @throws Error while another run is going on. */
  run(prompt: string, options?: RunOptions): AgentRun;
  /** Goes on with a turn that did not end by itself: calls not begun and read-only ones are run, begun ones never again. */
  resume(options?: RunOptions): AgentRun;
  /** Takes a checkpoint now. @throws CheckpointError CONTEXT_COMPACTION_FAILED when nothing can be gained. */
  compact(options?: RunOptions): Promise<void>;
  /** Aborts a run, ends every command, gives the session back. */
  close(): Promise<void>;
}

/** What is going on right now, if anything. */
export interface Running {
  current?: {
    readonly emit: (event: AgentEvent) => void;
    readonly stop: (reason: Error) => void;
    /** Never rejects. */
    readonly ended: Promise<unknown>;
  };
}

/** An agent over parts that are there already: one run at a time, and an end. */
export function openAgent(parts: RunParts, toolbox: Toolbox, running: Running): Agent {
  const { session } = parts;
  let closing: Promise<void> | undefined;
  let untold = [...session.warnings];

  const claim = (): void => {
    if (closing !== undefined) throw new Error("The agent is closed: create another one");
    if (running.current !== undefined) throw new Error("A run is going on: wait for its result or abort it");
  };

  const start = (signal: AbortSignal | undefined, turn: Turn): AgentRun => {
    claim();
    const warnings = untold;
    untold = [];
    const turnWithWarnings: Turn = async (context, progress) => {
      for (const warning of warnings) context.emit(warning);
      return turn(context, progress);
    };
    const started = startRun(parts, signal, turnWithWarnings, () => {
      delete running.current;
    });
    running.current = { emit: started.emit, stop: started.stop, ended: started.run.result };
    return started.run;
  };

  const compact = async (signal: AbortSignal | undefined): Promise<void> => {
    claim();
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    const emit = (): void => undefined;
    const work = compactBetweenTurns({ ...parts, signal: stop.signal, emit, ready: async () => undefined });
    running.current = { emit, stop: (reason) => stop.abort(reason), ended: work.catch(() => undefined) };
    await work.finally(() => {
      delete running.current;
      signal?.removeEventListener("abort", onAbort);
    });
  };

  return {
    sessionId: session.id,
    run: (prompt, { signal } = {}) => {
      if (typeof prompt !== "string") throw new TypeError("The prompt is no text: say what is to be done");
      if (prompt.trim() === "") throw new TypeError("The prompt is empty: say what is to be done");
      return start(signal, promptTurn(prompt));
    },
    resume: ({ signal } = {}) => start(signal, resumedTurn),
    compact: async ({ signal } = {}) => {
      if (session.transcript.entries.length > 0) await compact(signal);
    },
    close: () => {
      closing ??= (async () => {
        running.current?.stop(new Error("The agent was closed"));
        await running.current?.ended;
        await toolbox.close();
        await session.close();
      })();
      return closing;
    },
  };
}
