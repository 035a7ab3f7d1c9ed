import { CHECKPOINT_MARKER, estimateTokens, type TokenCounter } from "@spillway/limits";
import { CheckpointError } from "./error.ts";
import { countMessages, countOnce, countOutput } from "./estimate.ts";
import type {
  AssistantPart,
  MessageLike,
  ModelMessage,
  ToolMessage,
  ToolResultOutput,
  ToolResultPart,
} from "./message.ts";
import { fairLevel } from "./share.ts";
import { shortenInput, shortenOutput, shortenText } from "./shorten.ts";
import { storableJson } from "./storable.ts";

/** Text of a call's structured outcome within a share of tokens; undefined where there is none. */
export type RenderShare = (toolCallId: string, maxTokens: number) => string | undefined;

export interface BoundBatchOptions {
  /** The most that all the given messages may cost together, by the counter. */
  readonly maxTokens: number;
  readonly counter?: TokenCounter;
  /** Renders a call's outcome anew to its share, by whole lines. Without it a text is cut 75/25 around the marker. */
  readonly render?: RenderShare;
}

/**
 * Messages with a batch of calls, brought under a limit: small results stay whole, large ones share the rest evenly.
 * Calls keep their arguments as long as these take less than half. Ids, names, order and error flags always stay; user
 * and system messages are not touched.
 * @throws CheckpointError `CONTEXT_COMPACTION_FAILED` if the parts that cannot shrink are over the limit by themselves.
 */
export function boundBatch<M extends MessageLike>(messages: readonly M[], options: BoundBatchOptions): M[];
export function boundBatch(messages: readonly ModelMessage[], options: BoundBatchOptions): ModelMessage[] {
  const { maxTokens, render } = options;
  if (!(maxTokens >= 0)) throw new RangeError(`Invalid maxTokens "${maxTokens}": give a number of tokens, 0 or more`);
  const counter = countOnce(options.counter ?? estimateTokens);
  const total = countMessages(messages, counter);
  if (total <= maxTokens) return [...messages];
  const sizes = measure(messages, counter);
  const fixed = total - sum(sizes.calls) - sum(sizes.results);
  const marker = counter(CHECKPOINT_MARKER);
  const least = fixed + sum([...sizes.calls, ...sizes.results].map((size) => Math.min(size, marker)));
  if (least > maxTokens) throw irreducible(sizes.results.length, least, maxTokens);
  for (let room = maxTokens - fixed; room > 0; ) {
    const levels = shareOut(sizes, room);
    const bounded = messages.map((message) => boundMessage(message, levels, counter, render));
    const after = countMessages(bounded, counter);
    if (after <= maxTokens) return bounded;
    room = Math.min(Math.floor(room * 0.9), room - (after - maxTokens));
  }
  throw irreducible(sizes.results.length, least, maxTokens);
}

interface Sizes {
  /** Texts and arguments of assistant messages. */
  readonly calls: readonly number[];
  readonly results: readonly number[];
}

interface Levels {
  readonly call: number;
  readonly result: number;
}

function measure(messages: readonly ModelMessage[], counter: TokenCounter): Sizes {
  const calls: number[] = [];
  const results: number[] = [];
  for (const message of messages) {
    if (message.role === "assistant" && typeof message.content === "string") calls.push(counter(message.content));
    if (message.role === "assistant" && typeof message.content !== "string") {
      for (const part of message.content) {
        if (part.type === "text") calls.push(counter(part.text));
        if (part.type === "tool-call") calls.push(counter(storableJson(part.input)));
      }
    }
    if (message.role !== "tool") continue;
    for (const part of message.content)
      if (part.type === "tool-result") results.push(countOutput(part.output, counter));
  }
  return { calls, results };
}

function shareOut(sizes: Sizes, room: number): Levels {
  const calls = sum(sizes.calls);
  const callRoom = Math.min(calls, Math.max(room / 2, room - sum(sizes.results)));
  return { call: fairLevel(sizes.calls, callRoom), result: fairLevel(sizes.results, room - callRoom) };
}

function boundMessage(
  message: ModelMessage,
  levels: Levels,
  counter: TokenCounter,
  render: RenderShare | undefined,
): ModelMessage {
  if (message.role === "tool") {
    return withContent(message, (part) =>
      part.type === "tool-result" ? boundResult(part, levels.result, counter, render) : part,
    );
  }
  if (message.role !== "assistant") return message;
  if (typeof message.content !== "string") {
    const content = message.content.map((part) => boundAssistantPart(part, levels.call, counter));
    return { ...message, content };
  }
  return { ...message, content: shortenText(message.content, levels.call, counter) };
}

function boundAssistantPart(part: AssistantPart, level: number, counter: TokenCounter): AssistantPart {
  if (part.type === "text") return { ...part, text: shortenText(part.text, level, counter) };
  if (part.type === "tool-call") return { ...part, input: shortenInput(part.input, level, counter) };
  return part;
}

function boundResult(
  part: ToolResultPart,
  level: number,
  counter: TokenCounter,
  render: RenderShare | undefined,
): ToolResultPart {
  if (countOutput(part.output, counter) <= level) return part;
  const rendered = render?.(part.toolCallId, level);
  if (rendered === undefined) return { ...part, output: shortenOutput(part.output, level, counter) };
  const value = shortenText(rendered, level, counter);
  return { ...part, output: textOutput(part.output, value) };
}

function textOutput(output: ToolResultOutput, value: string): ToolResultOutput {
  if (output.type === "execution-denied") return { ...output, reason: value };
  const failed = output.type === "error-text" || output.type === "error-json";
  const type = failed ? "error-text" : "text";
  const options = output.type === "content" ? undefined : output.providerOptions;
  return options === undefined ? { type, value } : { type, value, providerOptions: options };
}

function withContent(
  message: ToolMessage,
  change: (part: ToolMessage["content"][number]) => ToolMessage["content"][number],
): ToolMessage {
  return { ...message, content: message.content.map(change) };
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

function irreducible(count: number, least: number, maxTokens: number): CheckpointError {
  return new CheckpointError(
    "CONTEXT_COMPACTION_FAILED",
    `A batch of ${count} results needs at least ${least} tokens and only ${maxTokens} are left — use a model with a larger window, or start a new session`,
    { details: { reason: "irreducible", part: "batch", partTokens: least, maxTokens } },
  );
}
