import type { Entry, ModelMessage } from "../../src/index.ts";

export const U = (content: string): ModelMessage => ({ role: "user", content });
export const A = (content: string): ModelMessage => ({ role: "assistant", content });

/** One assistant message with calls, as `id: arguments`. */
export const calls = (inputs: Readonly<Record<string, unknown>>, toolName = "Read"): ModelMessage => ({
  role: "assistant",
  content: Object.entries(inputs).map(([toolCallId, input]) => ({ type: "tool-call", toolCallId, toolName, input })),
});

/** Their results, as `id: text`. */
export const results = (texts: Readonly<Record<string, string>>, toolName = "Read"): ModelMessage => ({
  role: "tool",
  content: Object.entries(texts).map(([toolCallId, value]) => ({
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type: "text", value },
  })),
});

export const entriesFrom = (messages: readonly ModelMessage[], prefix = "e"): Entry[] =>
  messages.map((message, at) => ({ id: `${prefix}${at}`, message }));

/** The texts of a message, in order. */
export function textsOf(message: ModelMessage | undefined): string[] {
  if (message === undefined) return [];
  if (typeof message.content === "string") return [message.content];
  return message.content.flatMap((part) => {
    if (part.type === "text") return [part.text];
    if (part.type !== "tool-result") return [];
    const { output } = part;
    return output.type === "text" || output.type === "error-text" ? [output.value] : [JSON.stringify(output)];
  });
}
