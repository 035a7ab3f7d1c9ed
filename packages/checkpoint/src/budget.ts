import { RETAINED_USER_MESSAGE_TOKENS } from "@spillway/limits";

export interface ContextBudget {
  /** A request whose estimate reaches this many tokens is not sent: a checkpoint comes first. */
  readonly hardLimit: number;
  /** Tokens kept free for the answer; the most that `maxOutputTokens` of a request may be. */
  readonly headroom: number;
  /** The most of the newest user message that crosses a checkpoint. */
  readonly retainedTokens: number;
}

/** Splits a model's window into input and headroom. Tokens throughout. @throws RangeError for a number that cannot be. */
export function contextBudget(model: { contextWindow: number; maxOutputTokens?: number }): ContextBudget {
  const { contextWindow, maxOutputTokens = 0 } = model;
  checkTokens("contextWindow", contextWindow, 2);
  checkTokens("maxOutputTokens", maxOutputTokens, 0);
  const headroom = Math.max(
    Math.min(RESERVE_TOKENS, Math.floor(contextWindow / 2)),
    Math.min(maxOutputTokens, Math.floor(contextWindow * 0.25)),
    Math.ceil(contextWindow * 0.05),
  );
  const hardLimit = contextWindow - headroom;
  return { hardLimit, headroom, retainedTokens: Math.min(RETAINED_USER_MESSAGE_TOKENS, Math.floor(hardLimit / 2)) };
}

function checkTokens(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new RangeError(`Invalid ${name} "${value}": give a whole number of tokens, at least ${least}`);
}

const RESERVE_TOKENS = 16_384;
