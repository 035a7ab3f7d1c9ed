import type { Limits } from "@spillway/limits";
import type { z } from "zod";
import type { Session } from "./session.ts";

export const TOOL_NAMES = ["Read", "Glob", "Grep", "Bash", "Write", "Edit"] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** What a call may do: `low` only looks inside the roots, `edit` changes a file, `destructive` removes or renames one, `execute` runs a command. */
export type Risk = "low" | "edit" | "destructive" | "execute";

/** A piece of a running command's output; `seq` counts over both streams, `streamSeq` within one, both from 0 without holes. */
export interface OutputChunk {
  readonly toolCallId: string;
  readonly seq: number;
  readonly stream: "stdout" | "stderr";
  readonly streamSeq: number;
  readonly text: string;
  /** Only on a stream's last chunk: bytes that were not forwarded. */
  readonly omittedBytes?: number;
}

/** What one call is given besides its arguments. */
export interface ToolEnv {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly toolCallId: string;
  readonly onOutput?: (chunk: OutputChunk) => void;
}

/** What a description may say about the session: resolved numbers, withheld variables. */
export interface DescriptionContext {
  readonly limits: Limits;
  readonly withheldVariables: readonly string[];
}

/** How a result is shown to a model and how it is made smaller. */
export interface Rendering<Result> {
  /** The whole text a model sees; facts on its first and last lines. */
  text(result: Result): string;
  /** Size of the part that can shrink, in characters (code points); 0 when nothing can. */
  size(result: Result): number;
  /** The same result with at most `maxChars` characters of payload, by whole lines where a line fits; totals, marker, `next` and notice say the new numbers. `take(r, size(r))` is `r`. */
  take(result: Result, maxChars: number): Result;
}

/** One tool, as a plain record. `execute` throws `ToolError` for expected failures and lets aborts through untouched. */
export interface Tool<Input, Result> {
  readonly name: ToolName;
  readonly description: string;
  readonly risk: Risk;
  /** The risk of this very call where it differs from `risk`. */
  readonly riskOf?: (input: Input) => Risk;
  readonly inputSchema: z.ZodType<Input>;
  readonly outputSchema: z.ZodType<Result>;
  execute(input: Input, env: ToolEnv): Promise<Result>;
}

/** What hosts hold on to: one tool of a toolbox. */
export interface ToolDefinition {
  readonly name: ToolName;
  readonly description: string;
  readonly risk: Risk;
  /** The risk of a call with these arguments; arguments that do not parse have the tool's own risk. */
  riskOf(args: unknown): Risk;
  readonly inputSchema: z.ZodType;
  readonly outputSchema: z.ZodType;
  /** JSON Schema of the input: an object schema without further properties. */
  readonly inputJsonSchema: Record<string, unknown>;
}
