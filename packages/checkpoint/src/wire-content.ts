import { isBlank } from "./content.ts";
import { isRecord } from "./record.ts";

/** A content field of a wire format without empty texts: unchanged if there are none, undefined if nothing is left. */
export function filledContent(content: unknown): unknown {
  if (typeof content === "string") return isBlank(content) ? undefined : content;
  if (!Array.isArray(content)) return content ?? undefined;
  const parts = content.filter((part) => !isBlankPart(part));
  if (parts.length === 0) return undefined;
  return parts.length === content.length ? content : parts;
}

export function isBlankPart(part: unknown): boolean {
  return isRecord(part) && TEXT_TYPES.has(part.type) && typeof part.text === "string" && isBlank(part.text);
}

const TEXT_TYPES = new Set<unknown>(["text", "input_text", "output_text"]);
