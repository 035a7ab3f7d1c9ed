import type { ModelMessage } from "@spillway/checkpoint";
import { type LanguageModel, streamText, type ToolSet } from "ai";
import type { StepUsage } from "./event.ts";
import type { AssistantPart } from "./host-fact.ts";
import { BrokenStreamError } from "./model-error.ts";

/** A stream that is silent for this long is taken for broken. */
export const STALL_MS = 180_000;

export interface StepRequest {
  readonly model: LanguageModel;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: ToolSet;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  readonly stallMs?: number;
  /** Awaited: a slow consumer slows the stream. */
  readonly onDelta: (kind: "text" | "reasoning", text: string) => Promise<void> | void;
}

/** Why a call must not be run. */
export type CallProblem = "unknown-tool" | "bad-json" | "cut-off";

/** A call as the model wrote it. */
export interface RequestedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly problem?: CallProblem;
}

export interface StepReply {
  /** Parts in the model's order, ready to be kept. */
  readonly content: readonly AssistantPart[];
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  readonly finishReason: string;
  readonly rawFinishReason?: string;
  readonly usage: StepUsage;
}

/**
 * One model request. Resolves only when the provider said that the answer was finished.
 * @throws what the provider or the SDK threw, BrokenStreamError for a stream that ended or stalled half-way, the abort reason.
 */
export async function requestStep(request: StepRequest): Promise<StepReply> {
  const stall = watchForStall(request.signal, request.stallMs ?? STALL_MS);
  try {
    return await readStream(request, stall);
  } catch (error) {
    // Which error an aborted stream ends in depends on the SDK's version; the reason we know ourselves.
    request.signal.throwIfAborted();
    throw stall.stalled()
      ? new BrokenStreamError(`The stream was silent for ${request.stallMs ?? STALL_MS} ms`)
      : error;
  } finally {
    stall.close();
  }
}

async function readStream(request: StepRequest, stall: StallWatch): Promise<StepReply> {
  const { model, system, tools, maxOutputTokens } = request;
  const result = streamText({
    model,
    system,
    messages: [...request.messages],
    ...(Object.keys(tools).length > 0 ? { tools } : {}),
    maxOutputTokens,
    maxRetries: 0,
    abortSignal: stall.signal,
    providerOptions: requestOptions(model),
    onError: () => undefined,
  });
  const calls: RequestedCall[] = [];
  let sawText = false;
  let finish: { reason: string; raw: string | undefined; usage: StepUsage } | undefined;
  for await (const part of result.fullStream) {
    stall.pause();
    switch (part.type) {
      case "text-delta":
        sawText = true;
        await request.onDelta("text", part.text);
        break;
      case "reasoning-delta":
        await request.onDelta("reasoning", part.text);
        break;
      case "tool-call":
        calls.push(requestedCall(part, tools));
        break;
      case "finish-step":
        finish = { reason: part.finishReason, raw: part.rawFinishReason, usage: stepUsage(part.usage) };
        break;
      case "error":
        throw part.error;
    }
    stall.resume();
  }
  stall.signal.throwIfAborted();
  if (finish === undefined || endedEarly(finish)) throw new BrokenStreamError("The stream ended before the answer did");
  // Providers drop a call whose arguments cannot be read, some without a word.
  if (finish.reason === "tool-calls" && calls.length === 0 && !sawText) {
    throw new BrokenStreamError("The answer ended for calls that did not come");
  }
  const content = assistantContent((await result.response).messages);
  return {
    content,
    text: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""),
    calls: finish.reason === "length" ? markCutOff(calls, content) : calls,
    finishReason: finish.reason,
    ...(finish.raw === undefined ? {} : { rawFinishReason: finish.raw }),
    usage: finish.usage,
  };
}

interface StallWatch {
  readonly signal: AbortSignal;
  /** The provider is not to blame for the time until `resume`. */
  pause(): void;
  resume(): void;
  stalled(): boolean;
  close(): void;
}

/** A signal that aborts with the given one, or when nothing was heard for `stallMs`. Nothing stays behind after `close`. */
function watchForStall(outer: AbortSignal, stallMs: number): StallWatch {
  const controller = new AbortController();
  let stalled = false;
  const onAbort = (): void => controller.abort(outer.reason);
  outer.addEventListener("abort", onAbort, { once: true });
  if (outer.aborted) onAbort();
  let timer: NodeJS.Timeout | undefined;
  const resume = (): void => {
    timer = setTimeout(() => {
      stalled = true;
      controller.abort(new BrokenStreamError("The stream stalled"));
    }, stallMs);
  };
  resume();
  return {
    signal: controller.signal,
    pause: () => clearTimeout(timer),
    resume,
    stalled: () => stalled,
    close: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", onAbort);
      // Lets go of a stream that was left in the middle.
      controller.abort(new BrokenStreamError("The request is over"));
    },
  };
}

type RequestOptions = NonNullable<Parameters<typeof streamText>[0]["providerOptions"]>;

function requestOptions(model: LanguageModel): RequestOptions {
  const provider = typeof model === "string" ? model : model.provider;
  // With stored responses a history is sent as ids of server state, which a checkpoint would break.
  if (provider.startsWith("openai")) return { openai: { store: false } };
  // Each request begins with the one before it; Anthropic reuses it at a tenth of the price, but only when asked.
  if (provider.includes("anthropic")) return { anthropic: { cacheControl: { type: "ephemeral" } } };
  return {};
}

interface CallPart {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly invalid?: boolean | undefined;
}

function requestedCall(part: CallPart, tools: ToolSet): RequestedCall {
  const { toolCallId, toolName, input } = part;
  if (!Object.hasOwn(tools, toolName)) return { toolCallId, toolName, input, problem: "unknown-tool" };
  if (part.invalid === true) return { toolCallId, toolName, input, problem: "bad-json" };
  return { toolCallId, toolName, input };
}

/** At the output limit the call that was being written is the last part; its arguments may parse and still be half of them. */
function markCutOff(calls: readonly RequestedCall[], content: readonly AssistantPart[]): RequestedCall[] {
  const last = content.at(-1);
  return calls.map((call) =>
    (last?.type === "tool-call" && last.toolCallId === call.toolCallId) || call.problem === "bad-json"
      ? { ...call, problem: "cut-off" }
      : call,
  );
}

function endedEarly(finish: { reason: string; raw: string | undefined; usage: StepUsage }): boolean {
  const vague = finish.reason === "other" || finish.reason === "unknown" || finish.reason === "interrupted";
  return finish.reason === "error" || (vague && finish.raw === undefined && finish.usage.outputTokens === undefined);
}

function stepUsage(usage: {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly inputTokenDetails?: { readonly cacheReadTokens: number | undefined };
}): StepUsage {
  const { inputTokens, outputTokens } = usage;
  const cachedInputTokens = usage.inputTokenDetails?.cacheReadTokens;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
  };
}

/** The SDK's assistant message without what only one major version's schema knows. */
function assistantContent(messages: readonly { readonly role: string; readonly content: unknown }[]): AssistantPart[] {
  const parts = messages.flatMap((message) => (message.role === "assistant" ? contentParts(message.content) : []));
  // The SDK's own shapes; the parts kept are those both majors accept.
  return parts.filter((part) => KEPT_PARTS.has(part.type)) as AssistantPart[];
}

const KEPT_PARTS: ReadonlySet<string> = new Set(["text", "reasoning", "tool-call", "file"]);

function contentParts(content: unknown): { type: string }[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content } as { type: string }];
  return Array.isArray(content) ? content : [];
}
