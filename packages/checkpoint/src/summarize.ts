import { type TokenCounter, takeTokens } from "@spillway/limits";
import { createBreather } from "./breathe.ts";
import type { ContextBudget } from "./budget.ts";
import { type Overflow, parseOverflow } from "./overflow.ts";
import { fairLevel } from "./share.ts";
import { shortenText } from "./shorten.ts";
import { SUMMARY_SYSTEM, summaryPrompt } from "./summary-prompt.ts";
import type { TranscriptItem } from "./transcript-text.ts";

/** One request for a summary, already fitted to the window: send it as it stands. */
export interface SummaryRequest {
  readonly system: string;
  readonly prompt: string;
  readonly maxOutputTokens: number;
  /** 1-based; a long range is summarised in several requests, each with the summary so far. */
  readonly part: number;
  readonly parts: number;
  readonly signal: AbortSignal;
}

export type SummaryAnswer = string | { readonly text: string; readonly finishReason?: string };

/** The host's call of a model. Whatever it throws, or a text that is empty, refused or too long, leads to the fallback. */
export type Summarize = (request: SummaryRequest) => PromiseLike<SummaryAnswer>;

export interface SummaryOptions {
  /** What is to be summarised, oldest first. */
  readonly items: readonly TranscriptItem[];
  /** The summary so far. */
  readonly previous: string | undefined;
  readonly budget: ContextBudget;
  /** The most the summary may cost. */
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  readonly summarize: Summarize;
  readonly signal: AbortSignal;
}

export type SummaryOutcome = { readonly summary: string } | { readonly failure: string };

/** Has the items summarised, in as many requests as the window needs. @throws the signal's reason if it aborts. */
export async function summarizeItems(options: SummaryOptions): Promise<SummaryOutcome> {
  let capacity = requestCapacity(options);
  for (let retried = false; ; retried = true) {
    if (capacity < MIN_CAPACITY_TOKENS) return { failure: "the window leaves no room for a summary request" };
    const outcome = await summarizeParts(options, await planParts(options, capacity));
    if (!("overflow" in outcome)) return outcome;
    if (retried) return { failure: "the summary request does not fit the window" };
    const { inputTokens, limit } = outcome.overflow;
    const scale = inputTokens === undefined || limit === undefined ? 0.5 : Math.min(0.9, (0.9 * limit) / inputTokens);
    capacity = Math.floor(capacity * scale);
  }
}

async function summarizeParts(
  options: SummaryOptions,
  parts: readonly string[],
): Promise<SummaryOutcome | { readonly overflow: Overflow }> {
  const { budget, maxTokens, counter, summarize, signal } = options;
  let previous = isTooLong(options) ? undefined : options.previous;
  for (const [at, transcript] of parts.entries()) {
    const place = { part: at + 1, parts: parts.length };
    const prompt = summaryPrompt({ previous, transcript, ...place, maxTokens });
    const request = { system: SUMMARY_SYSTEM, prompt, maxOutputTokens: budget.headroom, ...place, signal };
    try {
      const answer = await raceAbort(() => summarize(request), signal);
      const failure = failureOf(answer, maxTokens, counter);
      if (failure !== undefined) return { failure };
      previous = textOf(answer);
    } catch (error) {
      signal.throwIfAborted();
      const overflow = parseOverflow(error);
      return overflow === undefined ? { failure: `the summary request failed: ${firstLine(error)}` } : { overflow };
    }
  }
  return { summary: previous ?? "" };
}

function failureOf(answer: SummaryAnswer, maxTokens: number, counter: TokenCounter): string | undefined {
  const text = textOf(answer);
  const reason = typeof answer === "string" ? undefined : answer.finishReason;
  if (reason === "content-filter" || REFUSAL.test(text)) return "the model refused";
  if (reason === "length") return "the summary was cut off at the output limit";
  if (text === "") return "the model answered with no text";
  const tokens = counter(text);
  return tokens > maxTokens ? `the summary took ${tokens} of ${maxTokens} tokens` : undefined;
}

function textOf(answer: SummaryAnswer): string {
  return (typeof answer === "string" ? answer : answer.text).trim();
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return shortenLine(text.split("\n", 1)[0] ?? "");
}

function shortenLine(line: string): string {
  return [...line].length <= MAX_REASON_CHARS ? line : `${[...line].slice(0, MAX_REASON_CHARS - 1).join("")}…`;
}

// A host's function may ignore the signal: the caller is let go all the same, and the late answer is dropped.
async function raceAbort<T>(start: () => PromiseLike<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([start(), aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

function requestCapacity({ budget, maxTokens, counter }: SummaryOptions): number {
  const frame =
    counter(SUMMARY_SYSTEM) + counter(summaryPrompt({ previous: "", transcript: "", part: 1, parts: 1, maxTokens }));
  return Math.floor(budget.hardLimit * INPUT_SHARE) - frame - maxTokens;
}

// A summary made under a larger window: it is summarised again, piece by piece, like the transcript.
function isTooLong({ previous, maxTokens, counter }: SummaryOptions): boolean {
  return previous !== undefined && counter(previous) > maxTokens;
}

function pieces(summary: string, capacity: number): TranscriptItem[] {
  const items: TranscriptItem[] = [];
  for (let rest = summary; rest !== ""; ) {
    const body = takeTokens(rest, Math.max(1, Math.floor(capacity / 4)), "head");
    items.push({ head: "[summary so far, continued]", body, isUser: false });
    rest = rest.slice(body.length);
  }
  return items;
}

// Every item is in exactly one part, in order. Where the range is longer than a few requests hold, the largest bodies
// are cut first; users' words keep twice the level of tool output.
async function planParts(options: SummaryOptions, capacity: number): Promise<string[]> {
  const { counter } = options;
  const items = isTooLong(options) ? [...pieces(options.previous ?? "", capacity), ...options.items] : options.items;
  const breathe = createBreather();
  const sizes: number[] = [];
  for (const { head, body } of items) {
    sizes.push(counter(`${head}\n${body}\n`));
    await breathe();
  }
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const wanted = Math.min(MAX_FULL_PARTS, Math.ceil(total / (capacity * SQUEEZE)));
  const level = Math.max(MIN_ITEM_TOKENS, Math.min(fairLevel(sizes, wanted * capacity * FILL), capacity / 2));
  const parts: string[] = [];
  let part: string[] = [];
  let used = 0;
  for (const [at, { head, body, isUser }] of items.entries()) {
    const share = Math.min(capacity, isUser ? level * 2 : level);
    const whole = `${head}\n${body}\n`;
    const text =
      (sizes[at] ?? 0) <= share ? whole : `${head}\n${shortenText(body, share - counter(head) - 2, counter)}\n`;
    const size = (sizes[at] ?? 0) <= share ? (sizes[at] ?? 0) : counter(text);
    if (used > 0 && used + size > capacity) {
      parts.push(part.join("\n"));
      part = [];
      used = 0;
    }
    part.push(text);
    used += size;
    await breathe();
  }
  if (part.length > 0) parts.push(part.join("\n"));
  return parts;
}

/** Of the hard limit; the rest is for what the counter gets wrong. */
const INPUT_SHARE = 0.9;
/** Below this a request would be more frame than transcript. */
const MIN_CAPACITY_TOKENS = 256;
/** A range up to this many times one request is cut to fit it: one request more costs more than its largest results. */
const SQUEEZE = 1.25;
/** The most requests that a range is spread over before its large bodies are cut. */
const MAX_FULL_PARTS = 8;
/** Parts are filled by whole items and never to the brim. */
const FILL = 0.9;
/** Enough for a few words around the marker, whatever the number of items. */
const MIN_ITEM_TOKENS = 64;
const MAX_REASON_CHARS = 160;

/** Short answers that decline: a summary is longer, and never opens like this. */
const REFUSAL =
  /^(?:i['’]?m (?:sorry|unable)|sorry|i apologi[sz]e|i (?:can['’]?t|cannot|can not|won['’]?t|am (?:unable|not able)))[\s\S]{0,300}$/i;
