import type { Risk } from "@spillway/tools";

/** A tool of the embedding program. Its text is bounded like any other result. */
export interface AgentTool {
  /** Letters, digits, `-` and `_`; not the name of a built-in tool. */
  readonly name: string;
  readonly description: string;
  /** `low` runs without a question and beside others; anything else is asked for like an edit or a command and runs in order. */
  readonly risk: Risk;
  /** JSON Schema of the arguments. They reach `execute` as the model sent them. */
  readonly inputJsonSchema: Record<string, unknown>;
  /** What the model is told. A throw becomes an error result. */
  execute(args: unknown, options: { readonly signal: AbortSignal; readonly toolCallId: string }): Promise<string>;
}
