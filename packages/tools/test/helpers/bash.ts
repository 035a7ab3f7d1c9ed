import type { BashInput, BashResult } from "../../src/bash.ts";
import type { OutcomeError } from "../../src/outcome.ts";
import type { CallOptions, Toolbox } from "../../src/toolbox.ts";

export interface BashOutcome extends BashResult {
  readonly ok: boolean;
  readonly error?: OutcomeError;
}

/** A Bash call that came to a result, also to that of a failed command. */
export async function bash(
  box: Pick<Toolbox, "call">,
  args: BashInput | string,
  options?: CallOptions,
): Promise<BashOutcome> {
  const outcome = await box.call("Bash", typeof args === "string" ? { command: args } : args, options);
  if (outcome.tool !== "Bash" || outcome.result === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.ok ? { ...outcome.result, ok: true } : { ...outcome.result, ok: false, error: outcome.error };
}

/** A Bash call that was refused. */
export async function refusal(box: Pick<Toolbox, "call">, args: unknown, options?: CallOptions): Promise<OutcomeError> {
  const outcome = await box.call("Bash", args, options);
  if (outcome.ok || outcome.result !== undefined) throw new Error(`Expected a refusal, got ${JSON.stringify(outcome)}`);
  return outcome.error;
}
