import type { MessageLike, ModelMessage } from "./message.ts";
import { storableJson } from "./storable.ts";

/** A provider's figure for one request, tied to the messages it measured. Plain data, may be stored. */
export interface Usage {
  /** Total input tokens of that request. */
  readonly inputTokens: number;
  /** How many messages the request carried. */
  readonly messageCount: number;
  /** Recognises those messages: after a checkpoint they are no longer the beginning, and the figure is not used. */
  readonly fingerprint: string;
  /** Reported / counted: outlives a checkpoint, since it is about the tokenizer and not about the messages. */
  readonly factor: number;
}

/** Whether the messages still begin with those that the usage measured. */
export function isUsageOf(messages: readonly ModelMessage[], usage: Usage): boolean {
  return usage.messageCount <= messages.length && fingerprint(messages, usage.messageCount) === usage.fingerprint;
}

/** Tells contexts of one session apart: their number, first and last message. A checkpoint always changes the first. */
export function fingerprint(messages: readonly MessageLike[], count: number): string {
  const ends = [messages[0], messages[count - 1]];
  return `${count}.${hash(storableJson(ends))}`;
}

// FNV-1a over UTF-16 units: a change detector, not a security boundary.
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(16);
}
