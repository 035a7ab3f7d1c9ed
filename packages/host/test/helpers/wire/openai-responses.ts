import { type Body, event, list, pieces, type WireFormat } from "./format.ts";
import { openaiError } from "./openai-chat.ts";

/** OpenAI Responses. */
export const openaiResponses: WireFormat = {
  path: "/responses",
  answers: (body) => {
    // An answer is a run of the assistant's items.
    const owners = list(body, "input").map((item) =>
      item.role === "assistant" || item.type === "function_call" ? "assistant" : "other",
    );
    return owners.filter((owner, index) => owner === "assistant" && owners[index - 1] !== "assistant").length;
  },
  hasTools: (body) => list(body, "tools").length > 0,
  problem: (body) => {
    if (body.store !== false) return "the history must not depend on stored responses";
    const input = list(body, "input");
    if (input.some(({ type }) => type === "item_reference")) return "Item with id not found";
    const calls = input.filter(({ type }) => type === "function_call").map(({ call_id }) => String(call_id));
    const outputs = input.filter(({ type }) => type === "function_call_output").map(({ call_id }) => String(call_id));
    const open = calls.find((id) => !outputs.includes(id));
    if (open !== undefined) return `No tool output found for function call ${open}.`;
    const stray = outputs.find((id) => !calls.includes(id));
    return stray === undefined ? undefined : `No tool call found for function call output with call_id ${stray}.`;
  },
  events: ({ text, calls = [], stop }, inputTokens) => {
    const response = { id: "resp", object: "response", created_at: 1, model: "m" };
    const events: Body[] = [{ type: "response.created", response: { ...response, status: "in_progress" } }];
    if (text !== undefined) {
      const item = { type: "message", id: "item_text", role: "assistant", status: "in_progress", content: [] };
      events.push({ type: "response.output_item.added", output_index: 0, item });
      for (const delta of pieces(text)) {
        events.push({ type: "response.output_text.delta", item_id: item.id, output_index: 0, content_index: 0, delta });
      }
      const content = [{ type: "output_text", text, annotations: [] }];
      events.push({
        type: "response.output_item.done",
        output_index: 0,
        item: { ...item, status: "completed", content },
      });
    }
    calls.forEach(({ id, tool, args, json = JSON.stringify(args) }, index) => {
      const output_index = index + 1;
      const item = {
        type: "function_call",
        id: `item_${id}`,
        call_id: id,
        name: tool,
        arguments: "",
        status: "in_progress",
      };
      events.push({ type: "response.output_item.added", output_index, item });
      for (const delta of [json.slice(0, 5), json.slice(5)]) {
        events.push({ type: "response.function_call_arguments.delta", item_id: item.id, output_index, delta });
      }
      events.push({ type: "response.function_call_arguments.done", item_id: item.id, output_index, arguments: json });
      events.push({
        type: "response.output_item.done",
        output_index,
        item: { ...item, arguments: json, status: "completed" },
      });
    });
    const usage = {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + 20,
    };
    const end =
      stop === undefined
        ? { type: "response.completed", response: { ...response, status: "completed", output: [], usage } }
        : {
            type: "response.incomplete",
            response: { ...response, status: "incomplete", incomplete_details: { reason: stop }, output: [], usage },
          };
    events.push(end);
    return events.map((data, sequence_number) => event({ ...data, sequence_number }, String(data.type)));
  },
  error: (status, message) => openaiError(status, message),
  errorEvent: (code, message) =>
    event({ type: "error", sequence_number: 9, error: { type: code, code, message, param: null } }, "error"),
};
