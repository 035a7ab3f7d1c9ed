import type { RequestUsage, TextFact } from "../fact.ts";
import { argumentsOf, contentOf, isRecord, type Json, numberAt, optional, recordAt, stringAt } from "../json.ts";
import type { RecordSource } from "../records.ts";

/**
 * codex: response items without a mark where one request ends. The first item of the model after a token count, or where
 * none are written after something that was given to it, begins the next.
 */
export async function* readCodex(records: RecordSource, context: string): AsyncGenerator<TextFact> {
  const state = { awaitsRequest: true, countsTokens: false, requests: 0 };
  for await (const line of records()) {
    if ("damage" in line) {
      yield line.damage;
      continue;
    }
    const payload = recordAt(line.record, "payload");
    switch (line.record.type) {
      case "session_meta":
        yield {
          kind: "session",
          ...optional("id", stringAt(payload, "id")),
          ...optional("cwd", stringAt(payload, "cwd")),
        };
        break;
      case "compacted":
        yield { kind: "compaction", context, leaves: { all: true }, cause: "compaction" };
        yield { kind: "words", context, text: stringAt(payload, "message") ?? "" };
        break;
      case "event_msg":
        yield* eventFacts(payload, context, state);
        break;
      case "response_item":
        yield* itemFacts(payload, context, state);
        break;
    }
  }
}

interface RequestState {
  awaitsRequest: boolean;
  countsTokens: boolean;
  requests: number;
}

function* eventFacts(payload: Json, context: string, state: RequestState): Generator<TextFact> {
  if (payload.type === "user_message") yield { kind: "turn", context };
  if (payload.type !== "token_count") return;
  const usage = usageOf(recordAt(payload, "info", "last_token_usage"));
  // Some of these tell only about rate limits.
  if (usage === undefined) return;
  state.countsTokens = true;
  state.awaitsRequest = true;
  if (state.requests > 0) yield { kind: "request", context, id: `${state.requests}`, usage };
}

function usageOf(usage: Json): RequestUsage | undefined {
  const input = numberAt(usage, "input_tokens");
  if (input === undefined) return undefined;
  return {
    inputTokens: input,
    ...optional("outputTokens", numberAt(usage, "output_tokens")),
    ...optional("cachedInputTokens", numberAt(usage, "cached_input_tokens")),
  };
}

function* itemFacts(item: Json, context: string, state: RequestState): Generator<TextFact> {
  const type = stringAt(item, "type") ?? "";
  if (type.endsWith("_output")) {
    yield resultFact(item, context);
    if (!state.countsTokens) state.awaitsRequest = true;
    return;
  }
  if (type === "message" && item.role !== "assistant") {
    const { text } = contentOf(item.content);
    if (
      item.role === "user" &&
      !/^\s*<(environment_context|user_instructions|permissions|turn_aborted)|^# AGENTS\.md/.test(text)
    ) {
      yield { kind: "turn", context };
    }
    yield { kind: "words", context, text };
    if (!state.countsTokens) state.awaitsRequest = true;
    return;
  }
  if (state.awaitsRequest) {
    state.awaitsRequest = false;
    state.requests += 1;
    yield { kind: "request", context, id: `${state.requests}` };
  }
  const id = stringAt(item, "call_id") ?? stringAt(item, "id") ?? "";
  if (type === "function_call" || type === "custom_tool_call") {
    const args = type === "function_call" ? argumentsOf(item.arguments) : { input: item.input };
    yield { kind: "call", context, id, tool: stringAt(item, "name") ?? "?", args };
  } else if (type === "local_shell_call") {
    yield { kind: "call", context, id, tool: "local_shell", args: { action: item.action } };
  } else if (type === "message") yield { kind: "words", context, text: contentOf(item.content).text };
}

function resultFact(item: Json, context: string): TextFact {
  // An old form has the text one level down and says whether it went well.
  const given = isRecord(item.output) && "content" in item.output ? item.output : undefined;
  const { text, images } = contentOf(given === undefined ? item.output : given.content);
  const isError =
    given?.success === false ||
    /^(Exit code: |Process exited with code )[1-9-]/m.test(text.slice(0, 400)) ||
    exitCode(text) > 0;
  return { kind: "result", context, id: stringAt(item, "call_id") ?? "", text, images, isError, truncated: false };
}

/** Of an output that is JSON with metadata. */
function exitCode(text: string): number {
  const match = /"exit_code":\s*(\d+)/.exec(text.slice(-200));
  return text.startsWith('{"output"') && match !== null ? Number(match[1]) : 0;
}
