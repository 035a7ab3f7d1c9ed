// What the journal's facts add up to. The same facts give the same transcript, in the running process and after a restart.
import type { Checkpoint, Entry, Fact, ToolResultPart } from "@spillway/checkpoint";
import type { CallOutcome, DoneReason } from "./event.ts";
import { parseHostFact, type ToolCallPart } from "./host-fact.ts";
import { interrupted, outcomeText } from "./host-outcome.ts";
import type { CallProblem, RequestedCall } from "./step.ts";

/** The newest assistant message with calls, and what became of them. */
export interface Batch {
  readonly assistantId: string;
  readonly calls: readonly ToolCallPart[];
  readonly problems: Readonly<Record<string, CallProblem>>;
  /** Calls that may change something and were begun. */
  readonly started: ReadonlySet<string>;
  readonly outcomes: ReadonlyMap<string, CallOutcome>;
  /** Once all are there: the entry that holds them, named by the fact that completed it. */
  readonly resultsId?: string;
  /** It was decided already what the model is shown of them. */
  readonly isFitted: boolean;
}

export interface Transcript {
  /** Facts of any kind; those that say nothing about messages change nothing. */
  add(fact: Fact): void;
  /** Takes effect unless the entry it stands for is gone. */
  setCheckpoint(checkpoint: Checkpoint): void;
  /** Messages from the newest checkpoint's range on; a batch whose results are not all there yet is without them. */
  readonly entries: readonly Entry[];
  readonly checkpoint: Checkpoint | undefined;
  /** Stands until the next assistant message: its outcomes can still be rendered to another size. */
  readonly batch: Batch | undefined;
  /** Call ids of the whole session. */
  readonly usedIds: ReadonlySet<string>;
  /** How the last turn ended; `undefined` while one is open, or before the first. */
  readonly lastEnd: DoneReason | undefined;
  /** The newest message, if it is a finished answer that asks for nothing more. */
  readonly answer: Entry["message"] | undefined;
}

interface OpenBatch extends Batch {
  readonly started: Set<string>;
  readonly outcomes: Map<string, CallOutcome>;
  resultsId?: string;
  isFitted: boolean;
}

export function createTranscript(): Transcript {
  let entries: Entry[] = [];
  let checkpoint: Checkpoint | undefined;
  let batch: OpenBatch | undefined;
  let lastEnd: DoneReason | undefined;
  let answerId: string | undefined;
  const usedIds = new Set<string>();

  const showResults = (texts: Readonly<Record<string, string>>): void => {
    if (batch?.resultsId === undefined) return;
    const entry = { id: batch.resultsId, message: toolMessage(batch, texts) };
    const at = entries.findIndex(({ id }) => id === entry.id);
    if (at === -1) entries.push(entry);
    else entries[at] = entry;
  };

  const add = (raw: Fact): void => {
    const fact = parseHostFact(raw);
    switch (fact?.t) {
      case "user":
        entries.push({ id: raw.id, message: fact.message });
        lastEnd = undefined;
        batch = undefined;
        break;
      case "assistant":
        entries.push({ id: raw.id, message: fact.message });
        batch = openBatch(raw.id, fact.message.content, fact.problems ?? {});
        if (batch === undefined && !CUT_SHORT.has(fact.finish)) answerId = raw.id;
        for (const call of batch?.calls ?? []) usedIds.add(call.toolCallId);
        break;
      case "start":
        batch?.started.add(fact.toolCallId);
        break;
      case "result":
        // The first answer counts: a call has one result.
        if (batch?.calls.some((call) => call.toolCallId === fact.toolCallId) && !batch.outcomes.has(fact.toolCallId)) {
          batch.outcomes.set(fact.toolCallId, fact.outcome);
          if (batch.outcomes.size < batch.calls.length) break;
          batch.resultsId = raw.id;
          showResults({});
        }
        break;
      case "shown":
        if (batch !== undefined) batch.isFitted = true;
        showResults(fact.texts);
        break;
      case "turn":
        lastEnd = fact.reason;
        break;
    }
  };

  return {
    add,
    setCheckpoint: (next) => {
      if (!entries.some(({ id }) => id === next.throughId)) return;
      checkpoint = next;
      entries = stillNeeded(entries, next);
    },
    get entries() {
      return entries;
    },
    get checkpoint() {
      return checkpoint;
    },
    get batch() {
      return batch;
    },
    get lastEnd() {
      return lastEnd;
    },
    get answer() {
      const newest = entries.at(-1);
      return newest?.id === answerId ? newest?.message : undefined;
    },
    usedIds,
  };
}

/** Finishes of an answer that does not end where the model meant to end it. */
const CUT_SHORT: ReadonlySet<string> = new Set(["aborted", "length"]);

/** Calls of the batch that have no result, in call order. */
export function unansweredCalls(batch: Batch | undefined): RequestedCall[] {
  if (batch === undefined) return [];
  return batch.calls
    .filter(({ toolCallId }) => !batch.outcomes.has(toolCallId))
    .map(({ toolCallId, toolName, input }) => {
      const problem = batch.problems[toolCallId];
      return { toolCallId, toolName, input, ...(problem === undefined ? {} : { problem }) };
    });
}

/** The batch whose results no request has carried yet. */
export function unseenBatch({ batch, entries, checkpoint }: Transcript): Batch | undefined {
  const last = entries.at(-1)?.id;
  if (batch === undefined || last === checkpoint?.throughId) return undefined;
  return last === batch.assistantId || last === batch.resultsId ? batch : undefined;
}

function openBatch(
  assistantId: string,
  content: string | readonly { readonly type: string }[],
  problems: Readonly<Record<string, CallProblem>>,
): OpenBatch | undefined {
  if (typeof content === "string") return undefined;
  const calls = content.filter((part): part is ToolCallPart => part.type === "tool-call");
  return calls.length === 0
    ? undefined
    : { assistantId, calls, problems, started: new Set(), outcomes: new Map(), isFitted: false };
}

function toolMessage(batch: Batch, texts: Readonly<Record<string, string>>): Entry["message"] {
  const content = batch.calls.map((call): ToolResultPart => {
    const outcome = batch.outcomes.get(call.toolCallId) ?? interrupted(call.toolName);
    const value = texts[call.toolCallId] ?? outcomeText(outcome);
    return {
      type: "tool-result",
      toolCallId: call.toolCallId,
      toolName: call.toolName,
      output: outcome.ok ? { type: "text", value } : { type: "error-text", value },
    };
  });
  return { role: "tool", content };
}

// A checkpoint with a fallback is started over from where the last model's summary stands. What lies before that is told
// for good, but for the newest user message, which the next checkpoint takes up whole again.
function stillNeeded(entries: readonly Entry[], checkpoint: Checkpoint): Entry[] {
  const base = checkpoint.fallback === undefined ? checkpoint : checkpoint.fallback.base;
  if (base === undefined) return [...entries];
  const at = Math.max(
    0,
    entries.findIndex(({ id }) => id === base.throughId),
  );
  const retained = entries.slice(0, at).filter(({ id }) => id === base.retained?.id);
  return [...retained, ...entries.slice(at)];
}
