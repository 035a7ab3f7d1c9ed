import type { RequestUsage, TextFact } from "../fact.ts";
import { contentOf, type Json, numberAt, optional, recordAt, recordsAt, stringAt, sumAt } from "../json.ts";
import type { RecordSource } from "../records.ts";

/** pi: a tree of entries, of which the branch that ends with the last one is the session. */
export async function* readPi(records: RecordSource, context: string): AsyncGenerator<TextFact> {
  const branch = await lastBranch(records);
  /** How many results came before an entry. */
  const resultsBefore = new Map<string, number>();
  let results = 0;
  for await (const line of records()) {
    if ("damage" in line) {
      yield line.damage;
      continue;
    }
    const { record } = line;
    if (record.type === "session") {
      yield { kind: "session", ...optional("id", stringAt(record, "id")), ...optional("cwd", stringAt(record, "cwd")) };
      continue;
    }
    const id = stringAt(record, "id");
    if (id !== undefined && !branch.has(id)) continue;
    if (id !== undefined) resultsBefore.set(id, results);
    for (const fact of entryFacts(record, context, resultsBefore, results)) {
      if (fact.kind === "result") results += 1;
      yield fact;
    }
  }
}

async function lastBranch(records: RecordSource): Promise<Set<string>> {
  const parents = new Map<string, string | undefined>();
  let last: string | undefined;
  for await (const line of records()) {
    if ("damage" in line || line.record.type === "session") continue;
    const id = stringAt(line.record, "id");
    if (id === undefined) continue;
    parents.set(id, stringAt(line.record, "parentId"));
    last = id;
  }
  const branch = new Set<string>();
  // A damaged file may hold a ring.
  for (let at = last; at !== undefined && !branch.has(at); at = parents.get(at)) branch.add(at);
  return branch;
}

function* entryFacts(
  entry: Json,
  context: string,
  resultsBefore: ReadonlyMap<string, number>,
  results: number,
): Generator<TextFact> {
  if (entry.type === "compaction") {
    const kept = resultsBefore.get(stringAt(entry, "firstKeptEntryId") ?? "");
    const before = numberAt(entry, "tokensBefore");
    const leaves = { all: true, keepNewest: kept === undefined ? 0 : results - kept } as const;
    yield { kind: "compaction", context, leaves, cause: "compaction", ...optional("tokensBefore", before) };
  }
  if (typeof entry.summary === "string") yield { kind: "words", context, text: entry.summary };
  if (entry.type === "custom_message") yield { kind: "words", context, text: contentOf(entry.content).text };
  if (entry.type === "message") yield* messageFacts(recordAt(entry, "message"), context, stringAt(entry, "id"));
}

function* messageFacts(message: Json, context: string, entryId: string | undefined): Generator<TextFact> {
  switch (message.role) {
    case "user":
      yield { kind: "turn", context };
      yield { kind: "words", context, text: contentOf(message.content).text };
      break;
    case "assistant":
      yield { kind: "request", context, ...optional("usage", usageOf(recordAt(message, "usage"))) };
      for (const part of recordsAt(message, "content")) {
        if (part.type !== "toolCall") yield { kind: "words", context, text: contentOf([part]).text };
        else
          yield {
            kind: "call",
            context,
            id: stringAt(part, "id") ?? "",
            tool: stringAt(part, "name") ?? "?",
            args: part.arguments,
          };
      }
      break;
    case "toolResult": {
      const truncated = recordAt(message, "details", "truncation").truncated === true;
      const { text, images } = contentOf(message.content);
      const id = stringAt(message, "toolCallId") ?? "";
      const tool = optional("tool", stringAt(message, "toolName"));
      yield { kind: "result", context, id, ...tool, text, images, isError: message.isError === true, truncated };
      break;
    }
    case "bashExecution": {
      // A person ran it; the model sees its output all the same, unless told not to.
      if (message.excludeFromContext === true) break;
      const id = `bash-${entryId ?? ""}`;
      yield { kind: "call", context, id, tool: "bash", args: { command: message.command } };
      const isError = typeof message.exitCode === "number" && message.exitCode !== 0;
      const text = stringAt(message, "output") ?? "";
      yield { kind: "result", context, id, text, images: 0, isError, truncated: message.truncated === true };
      break;
    }
  }
}

function usageOf(usage: Json): RequestUsage | undefined {
  const input = sumAt(usage, "input", "cacheRead", "cacheWrite");
  if (input === undefined) return undefined;
  return {
    inputTokens: input,
    ...optional("outputTokens", numberAt(usage, "output")),
    ...optional("cachedInputTokens", numberAt(usage, "cacheRead")),
  };
}
