import type { ContextBudget } from "./budget.ts";
import type { CheckpointFamily, CheckpointMode } from "./record.ts";

interface Checked {
  readonly budget: ContextBudget;
  readonly mode: CheckpointMode;
  readonly family?: CheckpointFamily;
  readonly fixedTokens?: number;
}

/** @throws RangeError for a mode, family or number that cannot be meant */
export function checkOptions({ budget, mode, family = "summary", fixedTokens = 0 }: Checked): void {
  checkOneOf("mode", mode, ["active_turn", "completed_turn"]);
  checkOneOf("family", family, ["summary", "fresh_window"]);
  const numbers = { ...budget, fixedTokens };
  for (const [name, value] of Object.entries(numbers)) {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY))
      throw new RangeError(`Invalid ${name} "${value}": give a number of tokens, 0 or more`);
  }
}

function checkOneOf(name: string, value: string, accepted: readonly string[]): void {
  if (!accepted.includes(value)) throw new RangeError(`Invalid ${name} "${value}": give "${accepted.join('" or "')}"`);
}
