import type { Fact as JournalFact } from "@spillway/checkpoint";
import { type HostFact, parseHostFact } from "../../host-fact.ts";
import { outcomeText } from "../../host-outcome.ts";
import type { TextFact } from "../fact.ts";
import { contentOf, isRecord, type Json, numberAt, optional, recordAt, recordsAt, stringAt } from "../json.ts";
import type { RecordSource } from "../records.ts";

/** Our journal. It keeps results whole; what the model was shown of them stands beside them. */
export async function* readSpillway(records: RecordSource, context: string): AsyncGenerator<TextFact> {
  const state: State = { batch: new Map(), resultsThrough: new Map(), results: 0 };
  for await (const line of records()) {
    if ("damage" in line) {
      yield line.damage;
      continue;
    }
    const { record } = line;
    if (!isJournalFact(record)) continue;
    if (record.t === "checkpoint") yield* checkpointFacts(record, context, state);
    const fact = parseHostFact(record);
    if (fact === undefined) continue;
    for (const found of hostFacts(fact, context, state)) {
      if (found.kind === "result" && found.replaces !== true) state.results += 1;
      yield found;
    }
    state.resultsThrough.set(record.id, state.results);
  }
}

interface State {
  /** Results of the newest answer's calls, as long as it can still be decided what is shown of them. */
  readonly batch: Map<string, { readonly chars: number; readonly isError: boolean }>;
  /** Fact id -> results up to it. */
  readonly resultsThrough: Map<string, number>;
  results: number;
}

function isJournalFact(record: Json): record is Json & JournalFact {
  return record.v === 1 && [record.id, record.ts, record.t].every((field) => typeof field === "string");
}

function* checkpointFacts(record: Json, context: string, state: State): Generator<TextFact> {
  const through = state.resultsThrough.get(stringAt(record, "throughId") ?? "");
  if (through === undefined) return;
  const tail = recordsAt(record, "tail").flatMap((message) => recordsAt(message, "content"));
  const kept = tail.filter(({ type }) => type === "tool-result").length;
  yield {
    kind: "compaction",
    context,
    leaves: { all: true, keepNewest: state.results - through + kept },
    cause: "compaction",
    ...optional("tokensBefore", numberAt(record, "tokensBefore")),
    ...optional("tokensAfter", numberAt(record, "tokensAfter")),
  };
  yield { kind: "words", context, text: stringAt(record, "summary") ?? "" };
  const retained = recordAt(record, "retained", "message");
  yield { kind: "words", context, text: contentOf(retained.content).text };
}

function* hostFacts(fact: HostFact, context: string, state: State): Generator<TextFact> {
  switch (fact.t) {
    case "session":
      yield { kind: "session", cwd: fact.root };
      break;
    case "user":
      yield { kind: "turn", context };
      yield { kind: "words", context, text: contentOf(fact.message.content).text };
      break;
    case "assistant": {
      state.batch.clear();
      const hasUsage = fact.usage?.inputTokens !== undefined;
      yield { kind: "request", context, ...(hasUsage && fact.usage ? { usage: fact.usage } : {}) };
      const { content } = fact.message;
      for (const part of typeof content === "string" ? [{ type: "text", text: content } as const] : content) {
        if (part.type === "tool-call") {
          yield { kind: "call", context, id: part.toolCallId, tool: part.toolName, args: part.input };
        } else yield { kind: "words", context, text: contentOf([part]).text };
      }
      break;
    }
    case "result": {
      const text = textOf(fact.outcome);
      if (text === undefined) {
        yield { kind: "damage", reason: "unreadable", bytes: 0 };
        break;
      }
      const isError = !fact.outcome.ok;
      state.batch.set(fact.toolCallId, { chars: text.length, isError });
      const truncated =
        "result" in fact.outcome && isRecord(fact.outcome.result) && fact.outcome.result.truncated === true;
      yield {
        kind: "result",
        context,
        id: fact.toolCallId,
        tool: fact.outcome.tool,
        text,
        images: 0,
        isError,
        truncated,
      };
      break;
    }
    case "shown":
      for (const [id, text] of Object.entries(fact.texts)) {
        const whole = state.batch.get(id);
        if (whole === undefined) continue;
        const truncated = text.length < whole.chars;
        yield { kind: "result", context, id, text, images: 0, isError: whole.isError, truncated, replaces: true };
      }
      break;
  }
}

function textOf(outcome: Extract<HostFact, { t: "result" }>["outcome"]): string | undefined {
  try {
    return outcomeText(outcome);
  } catch {
    // The shape of a result was not checked again when it was read: a foreign hand may have written it.
    return undefined;
  }
}
