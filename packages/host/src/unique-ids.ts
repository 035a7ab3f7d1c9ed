import type { AssistantPart } from "./host-fact.ts";
import type { RequestedCall } from "./step.ts";

/**
 * Gives every call an id that no other call of the session has: some servers hand out `call_0` each turn, and a result
 * is found by its call's id. Parts and calls come in the same order.
 */
export function withUniqueIds(
  content: readonly AssistantPart[],
  calls: readonly RequestedCall[],
  used: ReadonlySet<string>,
): { content: AssistantPart[]; calls: RequestedCall[] } {
  const taken = new Set(used);
  const renamed: string[] = [];
  const unique = content.map((part) => {
    if (part.type !== "tool-call") return part;
    const toolCallId = freeId(part.toolCallId, taken);
    taken.add(toolCallId);
    renamed.push(toolCallId);
    return toolCallId === part.toolCallId ? part : { ...part, toolCallId };
  });
  return {
    content: unique,
    calls: calls.map((call, index) => ({ ...call, toolCallId: renamed[index] ?? call.toolCallId })),
  };
}

/** The shortest limit known of a provider (OpenAI Chat Completions). */
const MAX_ID_CHARS = 40;

function freeId(id: string, taken: ReadonlySet<string>): string {
  const base = id === "" ? "call" : id;
  if (!taken.has(base)) return base;
  for (let n = 2; ; n += 1) {
    const suffix = `_${n}`;
    const candidate = base.slice(0, MAX_ID_CHARS - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
