// Three providers' rules about calls and results, written from their public error texts and apart from the sources.
import { once } from "node:events";
import { createServer } from "node:http";
import { onTestFinished } from "vitest";

type Json = Record<string, unknown>;

export type WireFormat = "anthropic" | "openai-chat" | "openai-responses";

/** Why the provider refuses a request body; undefined if it takes it. */
export function refusalOf(format: WireFormat, body: Json): string | undefined {
  if (hasHalfCharacter(body)) return "invalid request body: lone surrogate";
  if (format === "anthropic") return anthropicRefusal(listOf(body.messages));
  return format === "openai-chat" ? chatRefusal(listOf(body.messages)) : responsesRefusal(listOf(body.input));
}

export function formatOf(path: string): WireFormat {
  if (path.endsWith("/messages")) return "anthropic";
  return path.endsWith("/chat/completions") ? "openai-chat" : "openai-responses";
}

/** A fetch that answers like the provider of the path, without a network. */
export const strictFetch: typeof fetch = async (url, init) => {
  const { status, body } = respond(formatOf(String(url)), String(init?.body));
  return new Response(body, { status, headers: { "content-type": "application/json" } });
};

/** A server on this machine that answers like the providers; ends with the test. */
export async function startStrictServer(): Promise<{ readonly url: string }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, body } = respond(formatOf(request.url ?? ""), Buffer.concat(chunks).toString("utf8"));
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port");
  return { url: `http://127.0.0.1:${address.port}/v1` };
}

function respond(format: WireFormat, body: string): { status: number; body: string } {
  const refusal = refusalOf(format, JSON.parse(body));
  if (refusal === undefined) return { status: 200, body: JSON.stringify(ANSWERS[format]) };
  const error = { type: "invalid_request_error", message: refusal, code: null, param: null };
  return { status: 400, body: JSON.stringify({ type: "error", error }) };
}

const ANSWERS: Readonly<Record<WireFormat, Json>> = {
  anthropic: {
    ...{ id: "m", type: "message", role: "assistant", model: "m", content: [{ type: "text", text: "taken" }] },
    ...{ stop_reason: "end_turn", stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
  },
  "openai-chat": {
    ...{ id: "c", object: "chat.completion", created: 1, model: "m" },
    choices: [{ index: 0, message: { role: "assistant", content: "taken" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  "openai-responses": {
    ...{ id: "r", object: "response", created_at: 1, model: "m", status: "completed" },
    output: [
      {
        ...{ type: "message", role: "assistant", id: "msg", status: "completed" },
        content: [{ type: "output_text", text: "taken", annotations: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

function anthropicRefusal(messages: readonly Json[]): string | undefined {
  const turns = mergeTurns(messages);
  const seen = new Set<unknown>();
  for (const [at, turn] of turns.entries()) {
    if (turn.blocks.length === 0) return `messages.${at}: all messages must have non-empty content`;
    for (const block of turn.blocks) {
      const refusal = blockRefusal(block);
      if (refusal !== undefined) return `messages.${at}: ${refusal}`;
    }
    if (turn.role === "assistant" && isThinking(turn.blocks.at(-1))) return "the final block cannot be thinking";
    const asked = turn.role === "assistant" ? turn.blocks.filter(isType("tool_use")).map(({ id }) => id) : [];
    for (const id of asked) {
      if (seen.has(id)) return `messages.${at}: \`tool_use\` ids must be unique`;
      seen.add(id);
    }
    const next = turns[at + 1]?.blocks ?? [];
    const firstOther = next.findIndex((block) => !isType("tool_result")(block));
    const leading = new Set(next.slice(0, firstOther < 0 ? next.length : firstOther).map((block) => block.tool_use_id));
    const missing = asked.filter((id) => !leading.has(id));
    if (missing.length > 0)
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`;
    const before = new Set((turns[at - 1]?.blocks ?? []).filter(isType("tool_use")).map(({ id }) => id));
    const answered = new Set<unknown>();
    for (const { tool_use_id: id } of turn.blocks.filter(isType("tool_result"))) {
      if (!before.has(id)) return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`;
      if (answered.has(id)) return `messages.${at}: each tool_use must have a single result: ${id}`;
      answered.add(id);
    }
  }
  return undefined;
}

function mergeTurns(messages: readonly Json[]): { role: unknown; blocks: Json[] }[] {
  const turns: { role: unknown; blocks: Json[] }[] = [];
  for (const { role, content } of messages) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
    const last = turns.at(-1);
    if (last?.role === role && blocks.length > 0) last?.blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks] });
  }
  return turns;
}

function blockRefusal(block: Json): string | undefined {
  if (isType("text")(block) && String(block.text).trim() === "") return "text content blocks must be non-empty";
  if (!isType("tool_result")(block)) return undefined;
  const { content = "", is_error: isError } = block;
  const isEmpty = content === "" || (Array.isArray(content) && content.length === 0);
  if (isError === true && isEmpty) return "content cannot be empty if `is_error` is true";
  const isHollow = listOf(content).some((part) => part.type === "text" && String(part.text).trim() === "");
  return isHollow ? "text content blocks must be non-empty" : undefined;
}

function isThinking(block: Json | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}

function chatRefusal(messages: readonly Json[]): string | undefined {
  let open: Set<unknown> | undefined;
  let left = new Set<unknown>();
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      if (open?.has(message.tool_call_id) !== true)
        return `messages.[${at}]: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'`;
      left.delete(message.tool_call_id);
      continue;
    }
    if (left.size > 0)
      return `messages.[${at - 1}]: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...left].join(", ")}`;
    open = undefined;
    if (message.role !== "assistant") continue;
    const calls = message.tool_calls === undefined ? undefined : listOf(message.tool_calls);
    if (calls?.length === 0) return `messages.[${at}].tool_calls: [] is too short`;
    if (calls === undefined && (message.content ?? null) === null)
      return `messages.[${at}]: expected content or tool_calls`;
    const ids = (calls ?? []).map(({ id }) => id);
    if (new Set(ids).size < ids.length) return `messages.[${at}]: duplicate tool call ids`;
    open = calls === undefined ? undefined : new Set(ids);
    left = new Set(ids);
  }
  return left.size === 0 ? undefined : `tool messages are missing for ${[...left].join(", ")}`;
}

function responsesRefusal(items: readonly Json[]): string | undefined {
  const isCall = ({ type }: Json) => type === "function_call" || type === "custom_tool_call";
  const isOutput = ({ type }: Json) => type === "function_call_output" || type === "custom_tool_call_output";
  for (const [at, item] of items.entries()) {
    const { call_id: id } = item;
    if (isOutput(item) && !items.slice(0, at).some((one) => isCall(one) && one.call_id === id))
      return `No tool call found for function call output with call_id ${id}.`;
    if (isCall(item) && !items.slice(at + 1).some((one) => isOutput(one) && one.call_id === id))
      return `No tool output found for function call ${id}.`;
    const next = items[at + 1];
    if (item.type === "reasoning" && (next === undefined || isOutput(next) || next.role === "user"))
      return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
  }
  return undefined;
}

function isType(type: string): (block: Json) => boolean {
  return (block) => block.type === type;
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value : [];
}

function hasHalfCharacter(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  return typeof value === "object" && value !== null && Object.values(value).some(hasHalfCharacter);
}
