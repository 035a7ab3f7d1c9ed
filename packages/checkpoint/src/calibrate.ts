import { estimateTokens, type TokenCounter } from "@spillway/limits";
import { countMessages } from "./estimate.ts";
import type { MessageLike, ModelMessage } from "./message.ts";
import { fingerprint, type Usage } from "./usage.ts";

export interface CalibrateOptions {
  readonly counter?: TokenCounter;
  /** Tokens of system text and tool schemas, as given to `estimateContext`. */
  readonly fixedTokens?: number;
  /** The usage before this one; its factor stays where the new figure cannot be believed. */
  readonly previous?: Usage;
}

/**
 * Ties a provider's reported input tokens (`usage.inputTokens` of the AI SDK, or the number an overflow error names) to
 * the messages of that request. Undefined if the figure cannot be true: servers that silently drop old text report it.
 */
export function calibrate<M extends MessageLike>(
  messages: readonly M[],
  inputTokens: number | undefined,
  options?: CalibrateOptions,
): Usage | undefined;
export function calibrate(
  messages: readonly ModelMessage[],
  inputTokens: number | undefined,
  options: CalibrateOptions = {},
): Usage | undefined {
  const { counter = estimateTokens, fixedTokens = 0, previous } = options;
  if (inputTokens === undefined || !(inputTokens > 0 && Number.isFinite(inputTokens))) return previous;
  const factor = inputTokens / Math.max(1, fixedTokens + countMessages(messages, counter));
  if (factor < MIN_FACTOR) return previous;
  return {
    inputTokens,
    messageCount: messages.length,
    fingerprint: fingerprint(messages, messages.length),
    factor: Math.min(factor, MAX_FACTOR),
  };
}

/** A counter whose counts are scaled by what the provider reported. */
export function calibratedCounter(counter: TokenCounter, usage: Usage | undefined): TokenCounter {
  if (usage === undefined) return counter;
  return (text) => Math.ceil(counter(text) * usage.factor);
}

// Counted text is at most 1.6 times too high in any script measured, and at most 2.7 times too low (base64, digits).
const MIN_FACTOR = 0.4;
const MAX_FACTOR = 4;
