import { type Body, event, list, pieces, type WireFormat } from "./format.ts";

/** OpenAI Chat Completions, as compatible servers speak it. */
export const openaiChat: WireFormat = {
  path: "/chat/completions",
  answers: (body) => list(body, "messages").filter(({ role }) => role === "assistant").length,
  hasTools: (body) => list(body, "tools").length > 0,
  problem: (body) => {
    if (!Reflect.get(Object(body.stream_options), "include_usage")) return "usage was not asked for";
    let open: string[] = [];
    for (const message of list(body, "messages")) {
      if (message.role === "tool") {
        const id = String(message.tool_call_id);
        if (!open.includes(id)) {
          return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'";
        }
        open = open.filter((other) => other !== id);
        continue;
      }
      if (open.length > 0) return unanswered(open);
      if (message.role === "assistant") open = list(message, "tool_calls").map(({ id }) => String(id));
      if (open.some((id) => id.length > 40)) return "string too long: tool_calls[].id, maximum length 40";
    }
    return open.length > 0 ? unanswered(open) : undefined;
  },
  events: ({ text, calls = [], stop }, inputTokens) => {
    const chunk = (delta: Body, more: Body = {}): string =>
      event({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, ...more }] });
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(text ?? "").map((content) => chunk({ content })),
      ...calls.flatMap(({ id, tool, args, json = JSON.stringify(args) }, index) => {
        const part = (fields: Body): string => chunk({ tool_calls: [{ index, ...fields }] });
        return [
          part({ id, type: "function", function: { name: tool, arguments: "" } }),
          part({ function: { arguments: json.slice(0, 5) } }),
          part({ function: { arguments: json.slice(5) } }),
        ];
      }),
      chunk({}, { finish_reason: stop ?? (calls.length > 0 ? "tool_calls" : "stop") }),
      event({
        id: "c",
        model: "m",
        choices: [],
        usage: { prompt_tokens: inputTokens, completion_tokens: 20, total_tokens: inputTokens + 20 },
      }),
      "data: [DONE]\n\n",
    ];
  },
  error: (status, message) => openaiError(status, message),
  errorEvent: (code, message) => event({ error: { message, type: code, code, param: null } }),
};

/** An error as OpenAI words it; a refusal for its size has a code of its own. */
export function openaiError(status: number, message: string): unknown {
  const code = /maximum context length/.test(message) ? "context_length_exceeded" : (ERROR_CODES[status] ?? null);
  return { error: { message, type: ERROR_TYPES[status] ?? "invalid_request_error", code, param: null } };
}

const ERROR_TYPES: Readonly<Record<number, string>> = { 429: "requests", 503: "server_error" };
const ERROR_CODES: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
};

function unanswered(ids: readonly string[]): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${ids.join(", ")}`;
}
