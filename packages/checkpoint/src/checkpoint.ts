import { estimateTokens, type TokenCounter } from "@spillway/limits";
import { assemble, type Carried, type Draft, type Frame, recentPositions } from "./assemble.ts";
import type { RenderShare } from "./batch.ts";
import { createBreather } from "./breathe.ts";
import type { ContextBudget } from "./budget.ts";
import { checkOptions } from "./check-options.ts";
import { checkpointMessages, contextMessages, leadingSystem } from "./context.ts";
import { CheckpointError, isCheckpointError } from "./error.ts";
import { countMessage, countMessages, countOnce, MESSAGE_TOKENS } from "./estimate.ts";
import { digest } from "./fallback.ts";
import { FRESH_WINDOW_SUMMARY, NOTHING_EARLIER, summaryMessage } from "./host-text.ts";
import type { Entry, MessageLike, ModelMessage } from "./message.ts";
import { repairPairing } from "./pairing.ts";
import {
  type Checkpoint,
  type CheckpointFamily,
  type CheckpointMode,
  type Fallback,
  parseCheckpoint,
} from "./record.ts";
import { readScope, type Scope } from "./scope.ts";
import { storableJson } from "./storable.ts";
import { type Summarize, summarizeItems } from "./summarize.ts";
import { type TranscriptItem, transcriptItems } from "./transcript-text.ts";

export interface CheckpointOptions<M extends MessageLike = ModelMessage> {
  /**
   * The transcript, oldest first: all of it, or from the entry on that the last model's summary goes up to
   * (`previous.throughId`, after a fallback `previous.fallback.base.throughId`, if there is a base).
   */
  readonly entries: readonly Entry<M>[];
  readonly budget: ContextBudget;
  readonly mode: CheckpointMode;
  readonly family?: CheckpointFamily;
  /** Not called for a fresh window, or where nothing is to be summarised. */
  readonly summarize: Summarize;
  readonly previous?: Checkpoint | undefined;
  readonly counter?: TokenCounter;
  /** Tokens of system text and tool schemas, which every request carries besides. */
  readonly fixedTokens?: number;
  readonly render?: RenderShare;
  readonly signal?: AbortSignal;
}

/**
 * Decides what the model is told instead of the transcript so far. Writes nothing: append it to the journal, then build
 * the next request with it.
 * @throws CheckpointError `CONTEXT_COMPACTION_FAILED`, before any request where that is certain, with `details.reason`
 * "no-progress" (the context would not shrink by 5 %) or "irreducible" (`details.part` and `details.partTokens` name what
 * cannot shrink); the signal's reason.
 */
export async function createCheckpoint<M extends MessageLike>(options: CheckpointOptions<M>): Promise<Checkpoint>;
export async function createCheckpoint(options: CheckpointOptions): Promise<Checkpoint> {
  const { entries, budget, previous, fixedTokens = 0, signal = new AbortController().signal } = options;
  checkOptions(options);
  const throughId = entries.at(-1)?.id;
  if (throughId === undefined) throw new RangeError("No entries to make a checkpoint of: append a message first");
  signal.throwIfAborted();
  const counter = countOnce(options.counter ?? estimateTokens);
  const scope = readScope(entries, options.mode, previous);
  const system = countMessages(leadingSystem(entries), counter);
  const before = fixedTokens + (await countPatiently(contextMessages(entries, previous), counter));
  const { hardLimit, retainedTokens } = budget;
  const frame: Frame = {
    hardLimit,
    retainedTokens,
    fixedTokens: fixedTokens + system,
    counter,
    render: options.render,
  };
  const search = { scope, frame, mode: options.mode, throughId, before };
  // No text is shorter: where this one is refused, no model has to be asked for another.
  const least = { generation: 1, family: "summary", summary: ".", recent: [] } as const;
  if (options.family !== "fresh_window") firstThatFits({ ...search, drafts: [least] });
  const written = await writeSummary(options, scope, frame, signal);
  return firstThatFits({ ...search, drafts: draftsOf(options, scope, frame, written, before) });
}

type Written = { readonly summary: string } | { readonly failure: string };

async function writeSummary(
  options: CheckpointOptions,
  scope: Scope,
  frame: Frame,
  signal: AbortSignal,
): Promise<Written> {
  const { family = "summary", budget, summarize } = options;
  if (family === "fresh_window") return { summary: FRESH_WINDOW_SUMMARY };
  const { counter } = frame;
  const { user, covered, live } = scope;
  const crosses = user !== undefined && countMessage(user.message, counter) <= frame.retainedTokens;
  const maxTokens = summaryTokens(frame);
  const earlier = scope.base?.summary ?? NOTHING_EARLIER;
  if (covered.every((at) => crosses && at === user.at) && counter(earlier) <= maxTokens) return { summary: earlier };
  const items: TranscriptItem[] = [];
  const breathe = createBreather();
  for (const at of covered) {
    const message = live[at]?.message;
    if (message !== undefined) items.push(...transcriptItems(message));
    await breathe();
  }
  return summarizeItems({ items, previous: scope.base?.summary, budget, maxTokens, counter, summarize, signal });
}

// First what was written. A text without a model comes when writing failed, or when the context must shrink and with
// the model's text it does not: never in place of a good summary that was merely not needed yet.
function* draftsOf(
  options: CheckpointOptions,
  scope: Scope,
  frame: Frame,
  written: Written,
  before: number,
): Generator<Draft> {
  const { family = "summary", previous } = options;
  const generation = (previous?.generation ?? 0) + 1;
  if ("summary" in written) yield { generation, family, summary: written.summary, recent: [] };
  if (family === "fresh_window" || ("summary" in written && before < frame.hardLimit)) return;
  const fallback: Fallback = {
    reason: "failure" in written ? written.failure : "the summary did not make room",
    ...(scope.base === undefined ? {} : { base: scope.base }),
  };
  const { counter, hardLimit } = frame;
  // Only what has to get smaller is cut further and further.
  for (const share of before < frame.hardLimit ? [4] : [4, 16, 64]) {
    const recent = share === 4 ? recentPositions(scope, Math.floor(hardLimit / share), counter) : [];
    const gone = scope.covered.filter((at) => at !== scope.user?.at && !recent.includes(at));
    const summary = digest({
      previous: scope.base?.summary,
      entries: gone.flatMap((at) => scope.live[at] ?? []),
      maxTokens: Math.floor(summaryTokens(frame) * (4 / share)),
      counter,
    });
    yield { generation, family, summary: summary === "" ? NOTHING_EARLIER : summary, fallback, recent };
  }
}

interface Search {
  readonly drafts: Iterable<Draft>;
  readonly scope: Scope;
  readonly frame: Frame;
  readonly mode: CheckpointMode;
  readonly throughId: string;
  readonly before: number;
}

function firstThatFits({ drafts, scope, frame, mode, throughId, before }: Search): Checkpoint {
  const mustShrink = before >= frame.hardLimit;
  const target = Math.min(frame.hardLimit - 1, Math.floor(before * MOST_OF_BEFORE));
  const room = mustShrink ? target : frame.hardLimit - 1;
  let failure: CheckpointError | undefined;
  for (const { recent, ...draft } of drafts) {
    for (const share of [ROOMY, 1]) {
      try {
        const carried = assemble(scope, { recent, ...draft }, frame, Math.floor(room * share));
        const after =
          frame.fixedTokens + countMessages(repairPairing(checkpointMessages({ ...draft, ...carried })), frame.counter);
        if (after <= target)
          return record({ ...draft, ...carried, throughId, mode, tokensBefore: before, tokensAfter: after });
        failure ??= refusal(draft, carried, frame, before, after);
      } catch (error) {
        if (!isCheckpointError(error)) throw error;
        failure ??= error;
      }
    }
  }
  throw failure ?? new Error("No draft of a checkpoint was made");
}

function refusal(
  draft: Omit<Draft, "recent">,
  carried: Carried,
  frame: Frame,
  before: number,
  after: number,
): CheckpointError {
  const { counter, fixedTokens, hardLimit } = frame;
  const parts: Readonly<Record<string, number>> = {
    "system text and tool schemas": fixedTokens,
    summary: countMessage(summaryMessage(draft), counter),
    "user message": carried.retained === undefined ? 0 : countMessage(carried.retained.message, counter),
    batch: countMessages(carried.tail ?? [], counter),
  };
  const [part, partTokens] = Object.entries(parts).reduce((most, one) => (one[1] > most[1] ? one : most));
  const details = { part, partTokens, tokensBefore: before, tokensAfter: after, hardLimit };
  if (after < hardLimit) {
    const message = `A checkpoint would leave ${after} of ${before} tokens, which is less than 5 % saved — go on without one`;
    return new CheckpointError("CONTEXT_COMPACTION_FAILED", message, {
      details: { reason: "no-progress", ...details },
    });
  }
  const message = `The context cannot get below ${after} tokens, the limit is ${hardLimit}, and its largest part (${part}) has ${partTokens} — use a model with a larger window, or make that part smaller`;
  return new CheckpointError("CONTEXT_COMPACTION_FAILED", message, { details: { reason: "irreducible", ...details } });
}

// As it will be read back, so that a context is the same before and after a restart.
function record(fields: Checkpoint): Checkpoint {
  const checkpoint = parseCheckpoint(JSON.parse(storableJson(fields)));
  if (checkpoint === undefined) throw new Error("A checkpoint cannot be read back from its own record");
  return checkpoint;
}

// Results that were stored one by one are sent as one message.
async function countPatiently(messages: readonly ModelMessage[], counter: TokenCounter): Promise<number> {
  const breathe = createBreather();
  let tokens = 0;
  let before: ModelMessage | undefined;
  for (const message of messages) {
    const joins = message.role === "tool" && before?.role === "tool";
    tokens += countMessage(message, counter) - (joins ? MESSAGE_TOKENS : 0);
    before = message;
    await breathe();
  }
  return tokens;
}

function summaryTokens({ hardLimit, fixedTokens }: Frame): number {
  return Math.max(0, Math.min(MAX_SUMMARY_TOKENS, Math.floor((hardLimit - fixedTokens) / 4)));
}

// A checkpoint that saves less than 5 % is not worth its request, and a loop of them would never end. It is a test of
// what was made, not an aim: while the context still fits, nothing is cut only to pass it.
const MOST_OF_BEFORE = 0.95;
/** First choice, so that the next few messages do not need a checkpoint at once. */
const ROOMY = 0.9;
const MAX_SUMMARY_TOKENS = 16_000;
