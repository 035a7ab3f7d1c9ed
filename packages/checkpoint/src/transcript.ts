import type { Fact } from "./fact.ts";
import type { Entry, ToolResultPart } from "./message.ts";
import { isMessage, isRecord } from "./record.ts";

/**
 * The messages of a journal: facts "user", "assistant" and "note" with a `message`, and facts "result" with a `part`
 * (one tool result; `buildContext` puts the results of a batch into one message). Other facts are none.
 */
export function entriesOf(facts: readonly Fact[]): Entry[] {
  return facts.flatMap((fact): Entry[] => {
    const { id, t, message, part } = fact;
    if (t === "result" && isResultPart(part)) return [{ id, message: { role: "tool", content: [part] } }];
    if ((t === "user" || t === "assistant" || t === "tool") && isMessage(message) && message.role === t)
      return [{ id, message }];
    return t === "note" && isMessage(message) ? [{ id, message, note: true }] : [];
  });
}

function isResultPart(value: unknown): value is ToolResultPart {
  return (
    isRecord(value) && value.type === "tool-result" && typeof value.toolCallId === "string" && isRecord(value.output)
  );
}
