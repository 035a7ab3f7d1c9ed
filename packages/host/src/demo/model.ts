import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Content,
  type LanguageModelV3FinishReason,
  type LanguageModelV3Prompt,
  type LanguageModelV3StreamPart,
  type LanguageModelV3Usage,
} from "@ai-sdk/provider";
import { estimateTokens } from "@spillway/limits";
import { type DemoAction, type DemoPrompt, nextAction, summarize } from "./script.ts";

/** Tokens: small, so that one command's output fills it. */
export const DEMO_CONTEXT_WINDOW = 24_576;

export type DemoModel = LanguageModelV3 & { readonly contextWindow: number };

/**
 * A scripted model: no network, no AI, and it says so. It keeps no state, counts what it is sent, and refuses a prompt
 * above its window (tokens) or with an unanswered call as a real provider does.
 */
export function demoModel(options: { contextWindow?: number } = {}): DemoModel {
  const contextWindow = options.contextWindow ?? DEMO_CONTEXT_WINDOW;
  return {
    specificationVersion: "v3",
    provider: "spillway",
    modelId: "demo-scripted",
    supportedUrls: {},
    contextWindow,
    doGenerate: async (call) => {
      const answer = answerTo(call, contextWindow);
      return { content: contentOf(answer), finishReason: answer.finishReason, usage: answer.usage, warnings: [] };
    },
    doStream: async (call) => ({ stream: streamOf(answerTo(call, contextWindow)) }),
  };
}

interface Answer extends DemoAction {
  readonly idPrefix: string;
  readonly finishReason: LanguageModelV3FinishReason;
  readonly usage: LanguageModelV3Usage;
}

function answerTo(call: LanguageModelV3CallOptions, contextWindow: number): Answer {
  call.abortSignal?.throwIfAborted();
  const inputTokens = estimateTokens(JSON.stringify([call.prompt, call.tools ?? []]));
  if (inputTokens > contextWindow) {
    throw refusal(`prompt is too long: ${inputTokens} tokens > ${contextWindow} maximum`);
  }
  const unpaired = unpairedCall(call.prompt);
  if (unpaired !== undefined) throw refusal(`call "${unpaired}" has no result directly after it, or a result no call`);
  const prompt = readPrompt(call.prompt);
  const action =
    call.tools === undefined || call.tools.length === 0 ? { text: summarize(prompt), calls: [] } : nextAction(prompt);
  const raw = action.calls.length > 0 ? "tool_use" : "end_turn";
  const outputTokens = estimateTokens(action.text + JSON.stringify(action.calls));
  return {
    ...action,
    idPrefix: `demo_${call.prompt.filter((message) => message.role === "assistant").length}_${inputTokens}`,
    finishReason: { unified: action.calls.length > 0 ? "tool-calls" : "stop", raw },
    usage: {
      inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
    },
  };
}

function refusal(message: string): APICallError {
  const data = { type: "error", error: { type: "invalid_request_error", message } };
  return new APICallError({
    message,
    url: "demo:scripted",
    requestBodyValues: {},
    statusCode: 400,
    responseHeaders: {},
    responseBody: JSON.stringify(data),
    isRetryable: false,
    data,
  });
}

/** The id that a strict provider would complain about, if any. */
function unpairedCall(prompt: LanguageModelV3Prompt): string | undefined {
  let open: string[] = [];
  for (const message of prompt) {
    const results = message.role === "tool" ? idsOf(message.content, "tool-result") : [];
    const wrong = open.find((id) => !results.includes(id)) ?? results.find((id, at) => id !== open[at]);
    if (wrong !== undefined) return wrong;
    open = message.role === "assistant" ? idsOf(message.content, "tool-call") : [];
  }
  return open[0];
}

function idsOf(parts: readonly { type: string; toolCallId?: string }[], type: string): string[] {
  return parts.flatMap((part) => (part.type === type && part.toolCallId !== undefined ? [part.toolCallId] : []));
}

function readPrompt(prompt: LanguageModelV3Prompt): DemoPrompt {
  const texts: string[] = [];
  const results = new Map<string, string>();
  for (const message of prompt) {
    if (message.role === "system") continue;
    for (const part of message.content) {
      if (part.type === "text") texts.push(part.text);
      if (part.type !== "tool-result") continue;
      const { output } = part;
      if (output.type !== "text" && output.type !== "error-text") continue;
      texts.push(output.value);
      results.set(part.toolName, output.value);
    }
  }
  return { texts, results, endsWithUser: prompt.at(-1)?.role === "user" };
}

function contentOf(answer: Answer): LanguageModelV3Content[] {
  const calls = answer.calls.map((call, index) => ({
    type: "tool-call" as const,
    toolCallId: `${answer.idPrefix}_${index}`,
    toolName: call.tool,
    input: JSON.stringify(call.args),
  }));
  return [{ type: "text", text: answer.text }, ...calls];
}

function streamOf(answer: Answer): ReadableStream<LanguageModelV3StreamPart> {
  const words = answer.text.match(/\S+\s*/g) ?? [];
  const [, ...calls] = contentOf(answer);
  const parts: LanguageModelV3StreamPart[] = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "text" },
    ...words.map((delta) => ({ type: "text-delta" as const, id: "text", delta })),
    { type: "text-end", id: "text" },
    ...calls.filter((call) => call.type === "tool-call"),
    { type: "finish", finishReason: answer.finishReason, usage: answer.usage },
  ];
  return new ReadableStream({
    pull: (controller) => {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
}
