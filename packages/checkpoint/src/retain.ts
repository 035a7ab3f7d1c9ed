import type { TokenCounter } from "@spillway/limits";
import { countMessage } from "./estimate.ts";
import { isHostText } from "./host-text.ts";
import type { Entry, ModelMessage, UserMessage } from "./message.ts";
import { repairPairing } from "./pairing.ts";
import { shortenText } from "./shorten.ts";
import { userText } from "./transcript-text.ts";

/** Position of the newest message a person wrote; notes, reminders and summaries are none. -1 without one. */
export function newestUserIndex(entries: readonly Entry[]): number {
  return entries.findLastIndex(({ message, note }) => message.role === "user" && note !== true && !isHostText(message));
}

/** The message within the tokens: untouched if it fits, else its text 75/25 around the marker and its files named. */
export function retainUserMessage(message: UserMessage, maxTokens: number, counter: TokenCounter): UserMessage {
  if (countMessage(message, counter) <= maxTokens) return message;
  const text = userText(message);
  const envelope = countMessage({ role: "user", content: "" }, counter);
  return { ...message, content: shortenText(text, Math.max(0, maxTokens - envelope), counter) };
}

export interface OpenBatch {
  /** Position of its assistant message. */
  readonly index: number;
  /** That message and its results, paired. */
  readonly messages: readonly ModelMessage[];
}

/** The newest assistant message with calls, if no model call has seen its results yet. */
export function openBatch(entries: readonly Entry[]): OpenBatch | undefined {
  const index = entries.findLastIndex(({ message }) => message.role === "assistant");
  const after = entries.slice(index).map(({ message }) => message);
  const messages = index < 0 ? [] : repairPairing(after.filter(({ role }) => role === "assistant" || role === "tool"));
  return messages.length < 2 ? undefined : { index, messages };
}
