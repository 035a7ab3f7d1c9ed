import type { CallToolResult } from "@modelcontextprotocol/server";
import { fitOutcome, renderForModel, type ToolOutcome } from "@spillway/tools";

/** The text a model sees; a failure is marked as one. */
export function textResult(outcome: ToolOutcome): CallToolResult {
  const text = renderForModel(outcome);
  return { content: [{ type: "text", text }], ...(!outcome.ok && { isError: true }) };
}

/**
 * The result as data beside the text. Clients that take both hand the model the data alone, so nothing is missing in it,
 * and its JSON is within the characters that a result may have.
 */
export function structuredResult(outcome: ToolOutcome, maxChars: number): CallToolResult {
  // Clients drop the data of a failed call.
  if (!outcome.ok) return textResult(outcome);
  const fitted = fitJson(outcome, maxChars);
  return { ...textResult(fitted), structuredContent: { ...fitted.result } };
}

/** Escapes make JSON longer than the text; how much depends on the text, so the share is found by trying. */
function fitJson<Outcome extends ToolOutcome & { ok: true }>(outcome: Outcome, maxChars: number): Outcome {
  let fitted: ToolOutcome = outcome;
  for (let share = maxChars; share >= 1; share = Math.floor(share * 0.8)) {
    if (JSON.stringify(fitted.result).length <= maxChars) break;
    fitted = fitOutcome(outcome, { maxChars: share });
  }
  return fitted as Outcome;
}
