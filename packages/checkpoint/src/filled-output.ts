import { isBlank } from "./content.ts";
import type { ToolResultOutput } from "./message.ts";

/** What stands for an error without words: providers refuse an error result that is empty. */
export const NO_ERROR_TEXT = "[the tool failed and gave no reason]";

/** An output without the empty texts that providers refuse; the very same output if it has none. */
export function filledOutput(output: ToolResultOutput): ToolResultOutput {
  if (output.type === "error-text") return isBlank(output.value) ? { ...output, value: NO_ERROR_TEXT } : output;
  if (output.type !== "content") return output;
  const items = output.value.filter((item) => item.type !== "text" || !isBlank(item.text));
  if (items.length === output.value.length) return output;
  return items.length === 0 ? { type: "text", value: "" } : { ...output, value: items };
}
