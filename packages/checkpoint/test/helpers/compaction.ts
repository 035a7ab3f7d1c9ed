import {
  type Checkpoint,
  type CheckpointOptions,
  contextBudget,
  createCheckpoint,
  type Entry,
  isCheckpointError,
  type ModelMessage,
  type SummaryRequest,
} from "../../src/index.ts";
import { A, U } from "./messages.ts";

export const SUMMARY = "The task is under way; nothing is broken.";
export const budget48k = contextBudget({ contextWindow: 48_000 });

/** A model that answers every summary request, and remembers what it was sent. */
export function summarizer(answer: string | ((request: SummaryRequest) => string) = SUMMARY) {
  const requests: SummaryRequest[] = [];
  const summarize = async (request: SummaryRequest) => {
    requests.push(request);
    return typeof answer === "string" ? answer : answer(request);
  };
  return { requests, summarize };
}

export function compact(entries: readonly Entry[], options: Partial<CheckpointOptions> = {}): Promise<Checkpoint> {
  const { summarize } = summarizer();
  return createCheckpoint({ entries, budget: budget48k, mode: "active_turn", summarize, ...options });
}

/** What a promise is rejected with: message, code and details of a `CheckpointError`. */
export async function failureOf(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    return { code: error.code, message: error.message, ...error.details };
  }
  throw new Error("It did not fail");
}

/** Small exchanges of about `tokens` in all. */
export function chatter(tokens: number): ModelMessage[] {
  return Array.from({ length: Math.ceil(tokens / 500) }, (_, at) => [
    U(`question ${at}`),
    A(`answer ${at} ${"word ".repeat(390)}`),
  ]).flat();
}
