import type { RequestUsage, TextFact } from "../fact.ts";
import { contentOf, isRecord, type Json, numberAt, optional, recordAt, recordsAt, stringAt } from "../json.ts";
import type { RecordSource } from "../records.ts";

/** gemini-cli: a message is written again whenever it changes; an older form is one object with all of them. */
export async function* readGeminiCli(records: RecordSource, context: string): AsyncGenerator<TextFact> {
  const state: Seen = { messages: new Map(), calls: new Set(), results: new Map() };
  for await (const line of records()) {
    if ("damage" in line) {
      yield line.damage;
      continue;
    }
    const { record } = line;
    const rewindTo = record.$rewindTo;
    const patch = isRecord(record.$set) ? record.$set : record;
    if (typeof rewindTo === "string") yield rewind(rewindTo, context, state);
    else if (stringAt(record, "id") !== undefined) yield* messageFacts(record, context, state);
    else {
      const id = stringAt(patch, "sessionId");
      if (id !== undefined) yield { kind: "session", id, ...optional("cwd", cwdOf(patch)) };
      yield* replaceMessages(patch, context, state);
    }
  }
}

interface Seen {
  /** Message id -> ids of its calls, in order. */
  readonly messages: Map<string, Set<string>>;
  readonly calls: Set<string>;
  /** Call id -> length of its result's text. */
  readonly results: Map<string, number>;
}

function cwdOf(patch: Json): string | undefined {
  const { directories } = patch;
  return Array.isArray(directories) && typeof directories[0] === "string" ? directories[0] : undefined;
}

/** The list takes the place of the whole context: what it does not name has left it. */
function* replaceMessages(patch: Json, context: string, state: Seen): Generator<TextFact> {
  if (!Array.isArray(patch.messages)) return;
  const messages = recordsAt(patch, "messages");
  const ids = new Set(messages.map((message) => stringAt(message, "id")));
  const gone = [...state.messages.keys()].filter((id) => !ids.has(id));
  if (gone.length > 0) {
    for (const id of gone) state.messages.delete(id);
    const keep = [...state.messages.values()].flatMap((calls) => [...calls]);
    yield { kind: "compaction", context, leaves: { all: true, keep }, cause: "compaction" };
  }
  for (const message of messages) yield* messageFacts(message, context, state);
}

/** The message it names goes as well; one that is not there takes everything. */
function rewind(target: string, context: string, state: Seen): TextFact {
  const ids = [...state.messages.keys()];
  for (const id of ids.slice(Math.max(0, ids.indexOf(target)))) state.messages.delete(id);
  const keep = [...state.messages.values()].flatMap((calls) => [...calls]);
  return { kind: "compaction", context, leaves: { all: true, keep }, cause: "rewind" };
}

function* messageFacts(message: Json, context: string, state: Seen): Generator<TextFact> {
  const id = stringAt(message, "id") ?? "";
  const isNew = !state.messages.has(id);
  const calls = state.messages.get(id) ?? new Set<string>();
  if (message.type === "user") {
    state.messages.set(id, calls);
    if (!isNew) return;
    yield { kind: "turn", context };
    yield { kind: "words", context, text: contentOf(message.content).text };
  }
  if (message.type !== "gemini") return;
  state.messages.set(id, calls);
  const usage = usageOf(recordAt(message, "tokens"));
  if (isNew || usage !== undefined) yield { kind: "request", context, id, ...optional("usage", usage) };
  if (isNew) yield { kind: "words", context, text: contentOf(message.content).text };
  for (const call of recordsAt(message, "toolCalls")) {
    const callId = stringAt(call, "id") ?? "";
    calls.add(callId);
    yield* callFacts(call, callId, context, state);
  }
}

function* callFacts(call: Json, id: string, context: string, state: Seen): Generator<TextFact> {
  const tool = stringAt(call, "name") ?? "?";
  if (!state.calls.has(id)) {
    state.calls.add(id);
    yield { kind: "call", context, id, tool, args: call.args };
  }
  if (call.result === undefined || call.result === null) return;
  const { text, images } = contentOf(isRecord(call.result) ? [call.result] : call.result);
  const before = state.results.get(id);
  if (before === text.length) return;
  state.results.set(id, text.length);
  const isError = call.status === "error" || call.status === "cancelled";
  const replaces = before === undefined ? {} : { replaces: true };
  yield { kind: "result", context, id, tool, text, images, isError, truncated: false, ...replaces };
}

function usageOf(tokens: Json): RequestUsage | undefined {
  const input = numberAt(tokens, "input");
  if (input === undefined) return undefined;
  return {
    inputTokens: input,
    ...optional("outputTokens", numberAt(tokens, "output")),
    ...optional("cachedInputTokens", numberAt(tokens, "cached")),
  };
}
