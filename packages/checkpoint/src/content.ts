import type { PairingProblem } from "./match.ts";

interface ContentPart {
  readonly type: string;
}

/** What is left of a content array, and what had to go. */
export interface CleanParts<P> {
  readonly parts: readonly P[];
  readonly problems: readonly PairingProblem[];
}

/** Takes out what providers refuse inside one message: empty texts, and reasoning that nothing follows. */
export function cleanParts<P extends ContentPart>(
  content: readonly P[],
  index: number,
  isEmpty: (part: P) => boolean,
): CleanParts<P> {
  const last = content.at(-1);
  if (last !== undefined && isSolid(last) && !content.some(isEmpty)) return { parts: content, problems: [] };
  const filled = content.filter((part) => !isEmpty(part));
  const lastSolid = filled.findLastIndex(isSolid);
  const parts = filled.filter((part, at) => at <= lastSolid || !REASONING_TYPES.has(part.type));
  const problems: PairingProblem[] = [];
  if (filled.length < content.length)
    problems.push({ kind: "empty-part", index, message: "The message has an empty part" });
  if (parts.length < filled.length)
    problems.push({ kind: "dangling-reasoning", index, message: "Nothing follows the reasoning in the message" });
  if (parts.every((part) => part.type === "custom"))
    problems.push({ kind: "empty-message", index, message: "The message has no content" });
  return { parts: parts.length === content.length ? content : parts, problems };
}

function isSolid({ type }: ContentPart): boolean {
  return type !== "custom" && !REASONING_TYPES.has(type);
}

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

// "custom" parts are notes of a provider's adapter that never reach the wire.
export function hasContent(parts: readonly ContentPart[]): boolean {
  return parts.some((part) => part.type !== "custom");
}

const REASONING_TYPES = new Set(["reasoning", "reasoning-file", "thinking", "redacted_thinking"]);
