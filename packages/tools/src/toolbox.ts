import type { ToolboxOptions } from "./create-session.ts";
import type { ToolOutcome } from "./outcome.ts";
import type { OutputChunk, ToolDefinition } from "./tool.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly toolCallId?: string;
  readonly onOutput?: (chunk: OutputChunk) => void;
}

export interface Toolbox {
  readonly tools: ToolDefinition[];
  /**
   * Runs one tool. Failures are data in the outcome.
   * @throws TypeError for an unknown tool name, Error for a closed toolbox, the abort reason when `signal` was aborted before the call began.
   */
  call(name: string, args: unknown, options?: CallOptions): Promise<ToolOutcome>;
  /** Tokens of each text, o200k_base, special tokens counted as plain text. */
  countTokens(texts: string[], options?: { signal?: AbortSignal }): Promise<number[]>;
  readonly scratchDir: string;
  /** Ends running calls, commands and daemons. With `remove` the session's scratch directory goes as well. */
  close(options?: { remove?: boolean }): Promise<void>;
}

/**
 * One session's tools over one workspace.
 * @throws TypeError or RangeError that names the option, its value and what is accepted.
 */
export async function createToolbox(options: ToolboxOptions): Promise<Toolbox> {
  // Loaded with the first toolbox: a program that only imports this package starts as fast as without it.
  const { openToolbox } = await import("./open-toolbox.ts");
  return openToolbox(options);
}
