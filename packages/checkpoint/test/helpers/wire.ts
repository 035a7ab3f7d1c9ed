import type { AnthropicBlock, AnthropicMessage } from "../../src/anthropic.ts";
import type { ChatMessage } from "../../src/openai-chat.ts";
import type { ResponseItem } from "../../src/openai-responses.ts";
import type { WireFormat } from "./strict-server.ts";

/** One step of a conversation, free of any format. */
export type Said =
  | readonly ["user", string]
  | readonly ["says", string]
  | readonly ["calls", ...string[]]
  | readonly ["results", ...string[]];

export const resultText = (id: string): string => `result of ${id}`;

export function toAnthropic(steps: readonly Said[]): AnthropicMessage[] {
  return steps.map(([kind, ...rest]): AnthropicMessage => {
    if (kind === "user") return { role: "user", content: rest.join() };
    if (kind === "says") return { role: "assistant", content: rest.join() };
    if (kind === "calls") return { role: "assistant", content: rest.map((id) => toolUse(id)) };
    return { role: "user", content: rest.map((id) => toolResult(id)) };
  });
}

export function toolUse(id: string): AnthropicBlock {
  return { type: "tool_use", id, ...{ name: "Read", input: { path: id } } };
}

export function toolResult(id: string, content: string = resultText(id)): AnthropicBlock {
  return { type: "tool_result", tool_use_id: id, content };
}

export function toChat(steps: readonly Said[]): ChatMessage[] {
  return steps.flatMap(([kind, ...rest]): ChatMessage[] => {
    if (kind === "user") return [{ role: "user", content: rest.join() }];
    if (kind === "says") return [{ role: "assistant", content: rest.join() }];
    if (kind === "calls") return [{ role: "assistant", content: null, tool_calls: rest.map((id) => chatCall(id)) }];
    return rest.map((id) => ({ role: "tool", tool_call_id: id, content: resultText(id) }));
  });
}

export function chatCall(id: string): { id: string; type: string; function: object } {
  return { id, type: "function", function: { name: "Read", arguments: JSON.stringify({ path: id }) } };
}

export function toResponses(steps: readonly Said[]): ResponseItem[] {
  return steps.flatMap(([kind, ...rest]): ResponseItem[] => {
    if (kind === "user") return [{ role: "user", content: rest.join() }];
    if (kind === "says") return [{ type: "message", role: "assistant", content: rest.join() }];
    if (kind === "calls") return rest.map((id) => functionCall(id));
    return rest.map((id) => ({ type: "function_call_output", call_id: id, output: resultText(id) }));
  });
}

export function functionCall(id: string): ResponseItem {
  return { type: "function_call", call_id: id, ...{ name: "Read", arguments: JSON.stringify({ path: id }) } };
}

/** The body of a request with these steps. */
export function bodyOf(format: WireFormat, steps: readonly Said[]): Record<string, unknown> {
  if (format === "openai-responses") return { model: "m", input: toResponses(steps) };
  return { model: "m", messages: format === "anthropic" ? toAnthropic(steps) : toChat(steps) };
}
