import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import type { Toolbox, ToolName, ToolOutcome } from "@spillway/tools";
import { createProgress } from "./progress.ts";
import { structuredResult, textResult } from "./result.ts";

export interface CallToolOptions {
  readonly toolbox: Toolbox;
  readonly structured: boolean;
  /** Characters of a result. */
  readonly maxChars: number;
  readonly heartbeatMs: number;
  /** Milliseconds after which a call other than Bash is stopped. */
  readonly timeoutMs: number;
}

/** Runs one tool for a client: its cancellation, its gone connection and its progress token are those of the call. */
export async function callTool(
  name: ToolName,
  args: unknown,
  context: ServerContext,
  { toolbox, structured, maxChars, heartbeatMs, timeoutMs }: CallToolOptions,
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
    return structured ? structuredResult(told, maxChars) : textResult(told);
  } finally {
    clearTimeout(timer);
    // A result comes after all progress of its call.
    await progress?.close();
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
