import type { CallToolResult } from "@modelcontextprotocol/server";
import { renderForModel, type ToolOutcome } from "@spillway/tools";
import { type FitResultOptions, fitResult } from "./fit-result.ts";

/** The caps of a result, and what is needed to keep them. */
export type ResultOptions = Omit<FitResultOptions, "shown">;

/** The text a model sees; a failure is marked as one. */
export async function textResult(outcome: ToolOutcome, options: ResultOptions): Promise<CallToolResult> {
  return asText(await fitResult(outcome, options));
}

/**
 * The result as data beside the text. Clients that take both hand the model the data alone, so nothing is missing in it,
 * and its JSON, in which escapes take more than the text does, is within the caps as well.
 */
export async function structuredResult(outcome: ToolOutcome, options: ResultOptions): Promise<CallToolResult> {
  // Clients drop the data of a failed call.
  const fitted = await fitResult(outcome, outcome.ok ? { ...options, shown: dataOf } : options);
  return fitted.ok ? { ...asText(fitted), structuredContent: { ...fitted.result } } : asText(fitted);
}

function asText(outcome: ToolOutcome): CallToolResult {
  const text = renderForModel(outcome);
  return { content: [{ type: "text", text }], ...(!outcome.ok && { isError: true }) };
}

function dataOf({ result }: ToolOutcome): string {
  return JSON.stringify(result) ?? "";
}
