// Pairing for the input items of OpenAI's Responses.
import { checkItems, type ItemFormat, type Placed, repairItems } from "./items.ts";
import { INTERRUPTED_RESULT, type PairingOptions, type PairingProblem } from "./match.ts";
import { filledContent } from "./wire-content.ts";

/** What this file reads of an item; `ResponseInputItem` of the `openai` package is one. */
export interface ResponseItem {
  readonly type?: string | null | undefined;
  readonly role?: string | undefined;
  readonly content?: unknown;
  readonly call_id?: string | null | undefined;
  readonly output?: unknown;
}

export type { PairingOptions, PairingProblem, PairingProblemKind } from "./match.ts";

/**
 * Lists every violation of the pairing rule, in the order of the items; empty means valid. Looks at function and custom
 * tool calls; others pass. Give the whole input: with `previous_response_id` the calls of some results are elsewhere.
 */
export function checkPairing<I extends ResponseItem>(items: readonly I[], options?: PairingOptions): PairingProblem[];
export function checkPairing(items: readonly ResponseItem[], options?: PairingOptions): PairingProblem[] {
  return checkItems(items, formatOf(items), options);
}

/** Returns items that the API accepts; see `repairPairing` of the package's main entry. */
export function repairPairing<I extends ResponseItem>(items: readonly I[], options?: PairingOptions): I[];
export function repairPairing(items: readonly ResponseItem[], options?: PairingOptions): ResponseItem[] {
  return repairItems(items, formatOf(items), options);
}

const OUTPUTS: ReadonlyMap<ResponseItem["type"], string> = new Map([
  ["function_call", "function_call_output"],
  ["custom_tool_call", "custom_tool_call_output"],
]);
const OUTPUT_TYPES = new Set<ResponseItem["type"]>(OUTPUTS.values());

// Behind a reference there may be the call of any output: such an output stays where it is. So does one that answers a call
// of another kind (Codex answers its shell calls with function outputs).
function formatOf(items: readonly ResponseItem[]): ItemFormat<ResponseItem> {
  const hasReferences = items.some(({ type, role }) => (type ?? role ?? "item_reference") === "item_reference");
  const known = new Set(items.flatMap((item) => callIds(item)));
  const others = new Set(items.flatMap(({ type, call_id: id }) => (isOtherCall(type) ? [id] : [])));
  return {
    callIds,
    resultId: ({ type, call_id: id }) => {
      if (!OUTPUT_TYPES.has(type)) return undefined;
      return (hasReferences || others.has(id)) && !known.has(id ?? "") ? undefined : (id ?? "");
    },
    isSameStep: (item, previous) => isModels(item) && isModels(previous),
    clean,
    withCallIds: (item, [id]) => ({ ...item, call_id: id }),
    withResultId: (item, id) => ({ ...item, call_id: id }),
    interrupted: ({ type }, id) => ({ type: OUTPUTS.get(type), call_id: id, output: INTERRUPTED_RESULT }),
  };
}

function isOtherCall(type: ResponseItem["type"]): boolean {
  return type?.endsWith("_call") === true && !OUTPUTS.has(type);
}

function callIds({ type, call_id: id }: ResponseItem): string[] {
  return OUTPUTS.has(type) ? [id ?? ""] : [];
}

// Reasoning, calls and texts of one answer stand side by side.
function isModels({ role }: ResponseItem): boolean {
  return role === undefined || role === "assistant";
}

function clean(items: readonly Placed<ResponseItem>[]): ReturnType<ItemFormat<ResponseItem>["clean"]> {
  const problems: PairingProblem[] = [];
  const filled = items.flatMap(({ item, index }): Placed<ResponseItem>[] => {
    const content = filledContent(item.content);
    if (item.role === undefined || content === item.content) return [{ item, index }];
    if (content !== undefined) {
      problems.push({ kind: "empty-part", index, message: "The message has an empty part" });
      return [{ item: { ...item, content }, index }];
    }
    problems.push({ kind: "empty-message", index, message: "The message has no content" });
    return [];
  });
  const lastSolid = filled.findLastIndex(({ item }) => item.type !== "reasoning");
  for (const { index } of filled.slice(lastSolid + 1))
    problems.push({ kind: "dangling-reasoning", index, message: "Nothing follows the reasoning" });
  return { items: filled.slice(0, lastSolid + 1), problems };
}
