import type { RequestUsage, TextFact } from "../fact.ts";
import {
  argumentsOf,
  contentOf,
  type Json,
  numberAt,
  optional,
  recordAt,
  recordsAt,
  stringAt,
  sumAt,
} from "../json.ts";
import type { RecordSource } from "../records.ts";

/** kimi-code's wire file, and that of its forerunner kimi-cli, whose events lie in `message`. */
export async function* readKimiCode(records: RecordSource, context: string): AsyncGenerator<TextFact> {
  const step: Step = { number: 0, isOpen: false };
  for await (const line of records()) {
    if ("damage" in line) yield line.damage;
    else if ("event" in line.record) yield* eventFacts(recordAt(line.record, "event"), context, step);
    else if (typeof line.record.type === "string") yield* recordFacts(line.record, context, step);
    else yield* oldFacts(recordAt(line.record, "message"), context, step);
  }
}

/** One request to the model and the calls it asked for. */
interface Step {
  number: number;
  isOpen: boolean;
}

function* open(step: Step, context: string): Generator<TextFact> {
  if (step.isOpen) return;
  step.isOpen = true;
  step.number += 1;
  yield { kind: "request", context, id: `${step.number}` };
}

function* recordFacts(record: Json, context: string, step: Step): Generator<TextFact> {
  switch (record.type) {
    case "turn.prompt":
    case "turn.steer":
      yield { kind: "turn", context };
      break;
    case "context.append_message": {
      const message = recordAt(record, "message");
      if (message.role === "user" && recordAt(message, "origin").kind === "user") yield { kind: "turn", context };
      yield { kind: "words", context, text: contentOf(message.content).text };
      break;
    }
    case "context.apply_compaction":
      step.isOpen = false;
      yield {
        kind: "compaction",
        context,
        leaves: { all: true },
        cause: "compaction",
        ...optional("tokensBefore", numberAt(record, "tokensBefore")),
        ...optional("tokensAfter", numberAt(record, "tokensAfter")),
      };
      yield { kind: "words", context, text: stringAt(record, "summary") ?? "" };
      break;
    case "context.clear":
      yield { kind: "compaction", context, leaves: { all: true }, cause: "rewind" };
      break;
  }
}

function* eventFacts(event: Json, context: string, step: Step): Generator<TextFact> {
  switch (event.type) {
    case "step.begin":
      step.isOpen = false;
      yield* open(step, context);
      break;
    case "content.part":
      yield* open(step, context);
      yield { kind: "words", context, text: contentOf([event.part]).text };
      break;
    case "tool.call":
      yield* open(step, context);
      yield {
        kind: "call",
        context,
        id: stringAt(event, "toolCallId") ?? "",
        tool: stringAt(event, "name") ?? "?",
        args: argumentsOf(event.args),
      };
      break;
    case "tool.result": {
      const result = recordAt(event, "result");
      const { text, images } = contentOf(result.output);
      const note = stringAt(result, "note") ?? "";
      const isError = result.isError === true;
      const truncated = result.truncated === true;
      yield {
        kind: "result",
        context,
        id: stringAt(event, "toolCallId") ?? "",
        text: text + note,
        images,
        isError,
        truncated,
      };
      break;
    }
    case "step.end": {
      yield* open(step, context);
      const usage = usageOf(recordAt(event, "usage"), ["inputOther", "inputCacheRead", "inputCacheCreation"]);
      if (usage !== undefined) yield { kind: "request", context, id: `${step.number}`, usage };
      step.isOpen = false;
      break;
    }
  }
}

function* oldFacts(message: Json, context: string, step: Step): Generator<TextFact> {
  const payload = recordAt(message, "payload");
  switch (message.type) {
    case "TurnBegin":
      yield { kind: "turn", context };
      yield { kind: "words", context, text: contentOf(payload.user_input).text };
      break;
    case "StepBegin":
      yield* eventFacts({ type: "step.begin" }, context, step);
      break;
    case "ContentPart":
      yield* eventFacts({ type: "content.part", part: payload }, context, step);
      break;
    case "ToolCall": {
      const { name, arguments: args } = recordAt(payload, "function");
      yield* eventFacts({ type: "tool.call", toolCallId: payload.id, name, args }, context, step);
      break;
    }
    case "ToolResult": {
      const { is_error: isError, output, message: note } = recordAt(payload, "return_value");
      yield* eventFacts(
        { type: "tool.result", toolCallId: payload.tool_call_id, result: { output, note, isError } },
        context,
        step,
      );
      break;
    }
    case "StatusUpdate": {
      const usage = usageOf(recordAt(payload, "token_usage"), [
        "input_other",
        "input_cache_read",
        "input_cache_creation",
      ]);
      if (usage !== undefined && step.number > 0) yield { kind: "request", context, id: `${step.number}`, usage };
      break;
    }
    case "CompactionEnd":
      yield { kind: "compaction", context, leaves: { all: true }, cause: "compaction" };
      break;
  }
}

function usageOf(usage: Json, names: readonly [string, string, string]): RequestUsage | undefined {
  const input = sumAt(usage, ...names);
  if (input === undefined) return undefined;
  return {
    inputTokens: input,
    ...optional("outputTokens", numberAt(usage, "output")),
    ...optional("cachedInputTokens", numberAt(usage, names[1])),
  };
}

/** Used where a file is looked at to see whose it is. */
export function isOldKimiMessage(record: Json): boolean {
  const type = recordAt(record, "message").type;
  return (
    typeof type === "string" &&
    ["TurnBegin", "StepBegin", "ContentPart", "ToolCall", "ToolResult", "StatusUpdate"].includes(type) &&
    recordsAt(record, "payload").length === 0
  );
}
