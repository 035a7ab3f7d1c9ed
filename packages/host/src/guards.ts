import { namedPaths } from "./call-effect.ts";
import { outcomeText } from "./host-outcome.ts";
import { createMutationGuard, createRepeatGuard, type FinishedCall, type GuardAdvice } from "./repeats.ts";
import type { Batch } from "./transcript.ts";

/** Watches over one turn for calls that fail again and again. */
export interface Guards {
  /** Advice to add below results, by call id, and the reason to end the turn if there is one. */
  observe(batch: Batch): {
    readonly advice: ReadonlyMap<string, string>;
    readonly stop?: NonNullable<GuardAdvice["stop"]>;
  };
}

export function createGuards(): Guards {
  const repeats = createRepeatGuard();
  const mutations = createMutationGuard();
  return {
    observe: (batch) => {
      const calls = batch.calls.map((call) => finishedCall(call, batch));
      const advice = new Map<string, string>();
      const found = [repeats.observe(calls), mutations.observe(calls)];
      for (const list of found) {
        for (const [index, one] of list.entries()) {
          const id = batch.calls[index]?.toolCallId;
          if (id !== undefined && one?.text !== undefined) advice.set(id, one.text);
        }
      }
      const stop = found.flat().find((one) => one?.stop !== undefined)?.stop;
      return stop === undefined ? { advice } : { advice, stop };
    },
  };
}

function finishedCall(call: Batch["calls"][number], batch: Batch): FinishedCall & { readonly path?: string } {
  const outcome = batch.outcomes.get(call.toolCallId);
  const path = namedPaths(call)[0];
  const facts = { tool: call.toolName, args: call.input, ...(path === undefined ? {} : { path }) };
  // A call that was stopped or refused by a person did not fail by itself.
  if (outcome === undefined || outcome.ok || UNCOUNTED.has(outcome.error.code))
    return { ...facts, ok: outcome?.ok ?? false };
  return { ...facts, ok: false, failure: { code: outcome.error.code, text: failureText(outcome) } };
}

const UNCOUNTED: ReadonlySet<string> = new Set(["ABORTED", "INTERRUPTED", "NOT_RUN"]);

// How long a command took and where its output was saved differ each time and say nothing about how it failed.
function failureText(outcome: NonNullable<ReturnType<Batch["outcomes"]["get"]>>): string {
  if (!outcome.ok && "result" in outcome && outcome.result !== undefined) {
    const { stdout, stderr, exitCode, signal } = outcome.result;
    return JSON.stringify([exitCode, signal, stdout, stderr]);
  }
  return outcomeText(outcome);
}
