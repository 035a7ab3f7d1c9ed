import type { ModelMessage } from "./message.ts";

/**
 * The JSON line of a value: binary data becomes base64 (which the AI SDK reads as the same file), an URL its address,
 * and "custom" parts of assistant messages, which one major version of the SDK refuses, are left out.
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, encodeField) ?? "null";
}

/** A message as it comes back from the journal, so that a context is the same bytes before and after a restart. */
export function storableMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  return JSON.parse(storableJson(messages));
}

// The raw field is read through `this`: JSON.stringify has already called Buffer's own toJSON on the value.
function encodeField(this: unknown, key: string, value: unknown): unknown {
  const raw = isRecord(this) || Array.isArray(this) ? Reflect.get(this, key) : value;
  if (raw instanceof Uint8Array) return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("base64");
  if (raw instanceof ArrayBuffer) return Buffer.from(raw).toString("base64");
  if (typeof raw === "bigint") return raw.toString();
  const isContent = key === "content" && Array.isArray(value) && isRecord(this) && this.role === "assistant";
  return isContent ? value.filter((part) => !isRecord(part) || part.type !== "custom") : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
