import type { TokenCounter } from "@spillway/limits";
import { countMessage } from "./estimate.ts";
import type { Entry } from "./message.ts";
import { fairLevel } from "./share.ts";
import { shortenText } from "./shorten.ts";
import { userText } from "./transcript-text.ts";

export interface DigestOptions {
  readonly previous: string | undefined;
  readonly entries: readonly Entry[];
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/**
 * The text that stands for a range no model summarised, within the tokens (or the marker alone): the summary before it,
 * what the user wrote, what is left out.
 */
export function digest({ previous, entries, maxTokens, counter }: DigestOptions): string {
  const half = Math.max(0, Math.floor((maxTokens - FRAME_TOKENS) / 2));
  const texts = entries.flatMap(({ message }) => (message.role === "user" ? [userText(message)] : []));
  const quoted = texts.slice(-Math.max(1, Math.floor(half / MIN_QUOTE_TOKENS)));
  const level = fairLevel(quoted.map(counter), half - quoted.length * QUOTE_HEAD_TOKENS);
  const older = texts.length - quoted.length;
  const others = entries.length - texts.length;
  const sections = [
    previous === undefined ? "" : shortenText(previous, half, counter),
    quoted.length === 0 ? "" : "What the user wrote since, oldest first:",
    older === 0 ? "" : `[${older} older messages of the user are left out]`,
    ...quoted.map((text) => `[user]\n${shortenText(text, level, counter)}`),
    others === 0
      ? ""
      : `[${others} messages of the agent and its tools are left out: look again at the files and commands you need]`,
  ];
  return shortenText(sections.filter((section) => section !== "").join("\n\n"), maxTokens, counter);
}

/** From which entry on the newest whole steps fit the tokens; the number of entries if not even the last one does. */
export function recentStart(entries: readonly Entry[], maxTokens: number, counter: TokenCounter): number {
  let start = entries.length;
  let used = 0;
  for (let at = entries.length - 1; at >= 0; at--) {
    const message = entries[at]?.message;
    if (message === undefined) break;
    used += countMessage(message, counter);
    if (used > maxTokens) break;
    if (message.role !== "tool") start = at;
  }
  return start;
}

/** The lines between the quotes. */
const FRAME_TOKENS = 70;
const QUOTE_HEAD_TOKENS = 3;
/** A quote shorter than this says too little for its marker. */
const MIN_QUOTE_TOKENS = 40;
