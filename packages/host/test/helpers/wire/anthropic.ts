import { type Body, event, list, pieces, type WireFormat } from "./format.ts";

/** Anthropic Messages. */
export const anthropic: WireFormat = {
  path: "/messages",
  answers: (body) => list(body, "messages").filter(({ role }) => role === "assistant").length,
  hasTools: (body) => list(body, "tools").length > 0,
  problem: (body) => {
    if (typeof body.max_tokens !== "number") return "max_tokens: Field required";
    const messages = list(body, "messages");
    if (messages[0]?.role !== "user") return "messages: first message must use the user role";
    if (messages.at(-1)?.role === "assistant") return "the conversation must end with a user message";
    const seen = new Set<string>();
    let open: string[] = [];
    for (const [index, message] of messages.entries()) {
      const blocks = blocksOf(message);
      if (blocks.length === 0) return `messages.${index}: content must not be empty`;
      if (blocks.some((block) => block.type === "text" && String(block.text).trim() === "")) {
        return `messages.${index}: text content blocks must be non-empty`;
      }
      if (message.role === "assistant") {
        if (open.length > 0) return missing(index - 1);
        open = ids(blocks, "tool_use", "id");
        if (open.some((id) => seen.has(id))) return "`tool_use` ids must be unique";
        for (const id of open) seen.add(id);
        continue;
      }
      const results = ids(blocks, "tool_result", "tool_use_id");
      const lead = blocks.slice(0, results.length).every(({ type }) => type === "tool_result");
      if (open.some((id) => !results.includes(id)) || (open.length > 0 && !lead)) return missing(index - 1);
      const stray = results.findIndex((id) => !open.includes(id));
      if (stray !== -1)
        return `messages.${index}.content.${stray}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`;
      if (new Set(results).size < results.length) return `messages.${index}: each tool_use must have a single result`;
      open = [];
    }
    return open.length > 0 ? missing(messages.length - 1) : undefined;
  },
  events: ({ text, calls = [], stop }, inputTokens) => {
    const blocks: { start: Body; deltas: Body[] }[] = [];
    if (text !== undefined) {
      const deltas = pieces(text).map((piece) => ({ type: "text_delta", text: piece }));
      blocks.push({ start: { type: "text", text: "" }, deltas });
    }
    for (const { id, tool, args, json = JSON.stringify(args) } of calls) {
      blocks.push({
        start: { type: "tool_use", id, name: tool, input: {} },
        deltas: [json.slice(0, 5), json.slice(5)].map((piece) => ({ type: "input_json_delta", partial_json: piece })),
      });
    }
    const message = { id: "msg", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
    const send = (data: Body): string => event(data, String(data.type));
    return [
      send({ type: "message_start", message: { ...message, usage: { input_tokens: inputTokens, output_tokens: 1 } } }),
      ...blocks.flatMap(({ start, deltas }, index) => [
        send({ type: "content_block_start", index, content_block: start }),
        ...deltas.map((delta) => send({ type: "content_block_delta", index, delta })),
        send({ type: "content_block_stop", index }),
      ]),
      send({
        type: "message_delta",
        delta: { stop_reason: stop ?? (calls.length > 0 ? "tool_use" : "end_turn") },
        usage: { output_tokens: 20 },
      }),
      send({ type: "message_stop" }),
    ];
  },
  error: (status, message) => ({
    type: "error",
    error: { type: ERROR_TYPES[status] ?? "invalid_request_error", message },
  }),
  errorEvent: (code, message) => event({ type: "error", error: { type: code, message } }, "error"),
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  503: "api_error",
  529: "overloaded_error",
};

function missing(index: number): string {
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`;
}

function blocksOf(message: Body): Body[] {
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : list(message, "content");
}

function ids(blocks: readonly Body[], type: string, field: string): string[] {
  return blocks.flatMap((block) => (block.type === type ? [String(block[field])] : []));
}
