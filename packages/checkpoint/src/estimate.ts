import { estimateTokens, type TokenCounter } from "@spillway/limits";
import type {
  DataContent,
  MessageLike,
  ModelMessage,
  ProviderOptions,
  ToolResultContent,
  ToolResultOutput,
} from "./message.ts";
import { storableJson } from "./storable.ts";
import { isUsageOf, type Usage } from "./usage.ts";

export interface EstimateOptions {
  /** Tokens of a text; the plain estimate of `@spillway/limits` by default. */
  readonly counter?: TokenCounter;
  /** What the provider reported last, from `calibrate`. Used only while the messages it measured are still the beginning. */
  readonly usage?: Usage;
  /** Tokens of what every request carries besides the messages: system text and tool schemas. */
  readonly fixedTokens?: number;
}

/** Tokens of the next request: the last reported input, where it still applies, plus the count of what came after. */
export function estimateContext<M extends MessageLike>(messages: readonly M[], options?: EstimateOptions): number;
export function estimateContext(messages: readonly ModelMessage[], options: EstimateOptions = {}): number {
  const { counter = estimateTokens, usage, fixedTokens = 0 } = options;
  if (usage === undefined) return fixedTokens + countMessages(messages, counter);
  if (!isUsageOf(messages, usage)) return Math.ceil((fixedTokens + countMessages(messages, counter)) * usage.factor);
  return usage.inputTokens + Math.ceil(countMessages(messages.slice(usage.messageCount), counter) * usage.factor);
}

/** Tokens of messages, envelopes included. */
export function countMessages(messages: readonly ModelMessage[], counter: TokenCounter): number {
  return messages.reduce((sum, message) => sum + countMessage(message, counter), 0);
}

export function countMessage(message: ModelMessage, counter: TokenCounter): number {
  if (typeof message.content === "string") return MESSAGE_TOKENS + counter(message.content);
  let tokens = MESSAGE_TOKENS;
  for (const part of message.content) tokens += countPart(part, counter);
  return tokens;
}

/** The same counter, which looks at a long text only once. To be dropped with the operation it serves. */
export function countOnce(counter: TokenCounter): TokenCounter {
  const counts = new Map<string, number>();
  return (text) => {
    if (text.length < MIN_REMEMBERED_CHARS) return counter(text);
    const known = counts.get(text);
    if (known !== undefined) return known;
    const tokens = counter(text);
    counts.set(text, tokens);
    return tokens;
  };
}

export type MessagePart = Exclude<ModelMessage["content"], string>[number];

/** Tokens of one part with its envelope: a call counts its arguments, a file its kind and size. */
export function countPart(part: MessagePart, counter: TokenCounter): number {
  switch (part.type) {
    case "text":
      return counter(part.text);
    case "reasoning":
      return counter(part.text) + hiddenReasoning(part.providerOptions);
    case "tool-call":
      return CALL_TOKENS + counter(part.toolName) + counter(storableJson(part.input));
    case "tool-result":
      return CALL_TOKENS + countOutput(part.output, counter);
    case "image":
      return IMAGE_TOKENS;
    case "file":
      return fileTokens(part.mediaType, part.data);
    default:
      return 0;
  }
}

export function countOutput(output: ToolResultOutput, counter: TokenCounter): number {
  switch (output.type) {
    case "text":
    case "error-text":
      return counter(output.value);
    case "json":
    case "error-json":
      return counter(storableJson(output.value));
    case "execution-denied":
      return counter(output.reason ?? "");
    case "content":
      return output.value.reduce((sum, item) => sum + countContent(item, counter), 0);
    default:
      // A kind of a later version of the SDK.
      return counter(storableJson(output));
  }
}

function countContent(item: ToolResultContent, counter: TokenCounter): number {
  switch (item.type) {
    case "text":
      return counter(item.text);
    case "media":
    case "file-data":
      return fileTokens(item.mediaType, item.data);
    case "custom":
      return 0;
    default:
      return IMAGE_TOKENS;
  }
}

function fileTokens(mediaType: string, data: DataContent | URL): number {
  const isImage = mediaType.startsWith("image/");
  const bytes = typeof data === "string" ? data.length * 0.75 : data instanceof URL ? 0 : data.byteLength;
  if (isImage || !Number.isFinite(bytes)) return IMAGE_TOKENS;
  return Math.max(IMAGE_TOKENS, Math.ceil(bytes / (mediaType.startsWith("text/") ? 4 : BYTES_PER_FILE_TOKEN)));
}

// Encrypted reasoning is sent back and billed as the reasoning it hides; its text is not there to be counted.
function hiddenReasoning(options: ProviderOptions | undefined): number {
  const sealed = options?.openai?.reasoningEncryptedContent ?? options?.anthropic?.redactedData;
  return typeof sealed === "string" ? estimateTokens(sealed) : 0;
}

const MIN_REMEMBERED_CHARS = 1024;
/** Role and separators of one message: OpenAI documents 3, the other formats are alike. */
export const MESSAGE_TOKENS = 4;
/** Id, name field and brackets of a call or of a result: 9 to 14 in o200k for the ids providers hand out. */
const CALL_TOKENS = 12;
/** Anthropic scales an image to at most 1.2 megapixels and charges pixels / 750; others charge less at default detail. */
export const IMAGE_TOKENS = 1600;
/** A PDF page costs 1500 to 3000 tokens and is seldom smaller than 48 KB. */
const BYTES_PER_FILE_TOKEN = 32;
