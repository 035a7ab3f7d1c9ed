import type { RequestUsage, TextFact } from "../fact.ts";
import { contentOf, type Json, numberAt, optional, recordAt, recordsAt, stringAt, sumAt } from "../json.ts";
import type { RecordSource } from "../records.ts";

/** Claude Code: a line per content block, so one message stands on several lines with the same ids and usage. */
export async function* readClaudeCode(records: RecordSource, context: string): AsyncGenerator<TextFact> {
  const requests = new Set<string>();
  let isKnown = false;
  for await (const line of records()) {
    if ("damage" in line) {
      yield line.damage;
      continue;
    }
    const { record } = line;
    if (!isKnown && stringAt(record, "cwd") !== undefined) {
      isKnown = true;
      yield {
        kind: "session",
        ...optional("id", stringAt(record, "sessionId")),
        ...optional("cwd", stringAt(record, "cwd")),
      };
    }
    const own =
      record.isSidechain === true && context === MAIN ? (stringAt(record, "agentId") ?? "sidechain") : context;
    if (record.type === "assistant") yield* assistantFacts(record, own, requests);
    else if (record.type === "user") yield* userFacts(record, own);
    else if (record.type === "system") yield* systemFacts(record, own);
  }
}

const MAIN = "main";

function* assistantFacts(record: Json, context: string, requests: Set<string>): Generator<TextFact> {
  const message = recordAt(record, "message");
  // Not the model's words but the agent's, say about a failed request.
  if (message.model === "<synthetic>" || record.isApiErrorMessage === true) return;
  const id = `${stringAt(message, "id") ?? stringAt(record, "uuid") ?? ""}/${stringAt(record, "requestId") ?? ""}`;
  const isNew = !requests.has(id);
  requests.add(id);
  const usage = usageOf(recordAt(message, "usage"));
  if (isNew || usage !== undefined) yield { kind: "request", context, id, ...optional("usage", usage) };
  for (const part of recordsAt(message, "content")) {
    if (part.type === "tool_use" || part.type === "server_tool_use") {
      yield {
        kind: "call",
        context,
        id: stringAt(part, "id") ?? "",
        tool: stringAt(part, "name") ?? "?",
        args: part.input,
      };
    } else yield { kind: "words", context, text: contentOf([part]).text };
  }
  if (typeof message.content === "string") yield { kind: "words", context, text: message.content };
}

function usageOf(usage: Json): RequestUsage | undefined {
  const input = sumAt(usage, "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens");
  if (input === undefined) return undefined;
  return {
    inputTokens: input,
    ...optional("outputTokens", numberAt(usage, "output_tokens")),
    ...optional("cachedInputTokens", numberAt(usage, "cache_read_input_tokens")),
  };
}

function* userFacts(record: Json, context: string): Generator<TextFact> {
  const { content } = recordAt(record, "message");
  const parts = Array.isArray(content) ? content : [content];
  const words: unknown[] = [];
  const raw = recordAt(record, "toolUseResult");
  for (const part of parts) {
    const result = recordAt({ part }, "part");
    if (result.type !== "tool_result") {
      words.push(part);
      continue;
    }
    const { text, images } = contentOf(result.content);
    yield {
      kind: "result",
      context,
      id: stringAt(result, "tool_use_id") ?? "",
      text,
      images,
      isError: result.is_error === true,
      truncated: isCutByAgent(raw),
    };
  }
  if (words.length === 0) return;
  const isPrompt = record.isMeta !== true && record.isCompactSummary !== true;
  if (isPrompt) yield { kind: "turn", context };
  yield { kind: "words", context, text: contentOf(words).text };
}

/** The raw data beside a result says that the model saw less of it. */
function isCutByAgent(raw: Json): boolean {
  if (raw.truncated === true || stringAt(raw, "persistedOutputPath") !== undefined) return true;
  const file = recordAt(raw, "file");
  const shown = numberAt(file, "numLines");
  const total = numberAt(file, "totalLines");
  return shown !== undefined && total !== undefined && shown < total && (numberAt(file, "startLine") ?? 1) <= 1;
}

function* systemFacts(record: Json, context: string): Generator<TextFact> {
  if (record.subtype === "compact_boundary") {
    const facts = recordAt(record, "compactMetadata");
    yield {
      kind: "compaction",
      context,
      leaves: { all: true },
      cause: "compaction",
      ...optional("tokensBefore", numberAt(facts, "preTokens")),
      ...optional("tokensAfter", numberAt(facts, "postTokens")),
    };
  }
  if (record.subtype === "microcompact_boundary") {
    const facts = recordAt(record, "microcompactMetadata");
    const ids = facts.compactedToolIds;
    const cleared = Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
    const before = numberAt(facts, "preTokens");
    yield {
      kind: "compaction",
      context,
      leaves: { all: false, cleared },
      cause: "compaction",
      ...optional("tokensBefore", before),
    };
  }
}
