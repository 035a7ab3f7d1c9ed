import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { byteLength } from "@spillway/limits";
import type { Toolbox, ToolName, ToolOutcome } from "@spillway/tools";
import type { OutputCopies } from "./output-copies.ts";
import { createProgress } from "./progress.ts";
import { structuredResult, textResult } from "./result.ts";

export interface CallToolOptions {
  readonly toolbox: Toolbox;
  readonly structured: boolean;
  /** Characters of a result. */
  readonly maxChars: number;
  /** Tokens of a result, o200k_base. */
  readonly maxTokens: number;
  readonly copies: Pick<OutputCopies, "save">;
  readonly heartbeatMs: number;
  /** Milliseconds after which a call other than Bash is stopped. */
  readonly timeoutMs: number;
}

/** Runs one tool for a client: its cancellation, its gone connection and its progress token are those of the call. */
export async function callTool(
  name: ToolName,
  args: unknown,
  context: ServerContext,
  { toolbox, structured, maxChars, maxTokens, copies, heartbeatMs, timeoutMs }: CallToolOptions,
): Promise<CallToolResult> {
  const token = context.mcpReq._meta?.progressToken;
  const { notify } = context.mcpReq;
  const progress = token === undefined ? undefined : createProgress({ token, notify, heartbeatMs });
  const deadline = new AbortController();
  // Bash ends by itself, with what was printed by then.
  const timer = name === "Bash" ? undefined : setTimeout(() => deadline.abort(), timeoutMs);
  const signals = [context.mcpReq.signal, context.http?.req?.signal, deadline.signal];
  try {
    const outcome = await toolbox.call(name, args, {
      signal: AbortSignal.any(signals.filter((signal) => signal !== undefined)),
      ...(progress !== undefined && { onOutput: progress.output }),
    });
    const told = deadline.signal.aborted ? stoppedAtDeadline(outcome, timeoutMs) : outcome;
    const { signal } = context.mcpReq;
    const countTokens = (text: string): Promise<number> => countWith(toolbox, text, signal);
    const resultOptions = { maxChars, maxTokens, countTokens, keepWhole: copies.save };
    return await (structured ? structuredResult(told, resultOptions) : textResult(told, resultOptions));
  } finally {
    clearTimeout(timer);
    // A result comes after all progress of its call.
    await progress?.close();
  }
}

async function countWith(toolbox: Toolbox, text: string, signal: AbortSignal): Promise<number> {
  try {
    const [tokens] = await toolbox.countTokens([text], { signal });
    return tokens ?? byteLength(text);
  } catch {
    // The client is gone or a thread has died: as many as there can be.
    return byteLength(text);
  }
}

function stoppedAtDeadline(outcome: ToolOutcome, timeoutMs: number): ToolOutcome {
  if (outcome.ok || outcome.error.code !== "ABORTED") return outcome;
  const next = "name a smaller folder or a narrower pattern";
  return {
    ok: false,
    tool: outcome.tool,
    error: { code: "TIMEOUT", message: `${outcome.tool} was stopped after ${timeoutMs / 1000} s: ${next}`, next },
  };
}
