import type { OutcomeError, OutputChunk, ToolOutcome } from "@spillway/tools";
import type { PermissionRequest } from "./permission.ts";

/** A call that no tool was run for: unknown, refused, interrupted, or one of the host's own tools. */
export type HostOutcome =
  | { readonly ok: true; readonly tool: string; readonly text: string }
  | { readonly ok: false; readonly tool: string; readonly error: OutcomeError };

/** What one call came to: a tool's outcome, or the host's own. */
export type CallOutcome = ToolOutcome | HostOutcome;

/** Tokens of one request as the provider counted them; what it did not report is absent. */
export interface StepUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
}

/** How a run ended. */
export type DoneReason = "stop" | "length" | "content-filter" | "aborted" | "error";

export interface RunError {
  readonly code: string;
  readonly message: string;
  readonly next?: string;
  readonly details?: Record<string, unknown>;
}

export interface RunResult {
  readonly reason: DoneReason;
  /** The text of the last assistant message. */
  readonly text: string;
  /** Model requests that were answered. */
  readonly steps: number;
  /** Sums over the run; absent where the provider reported nothing. */
  readonly usage: StepUsage;
  /** Only with the reason `error`. */
  readonly error?: RunError;
}

export type AgentEvent =
  /** A request goes out. With `attempt` above 1 the text of the earlier attempt is void. `contextTokens` is the calibrated estimate of what is sent. */
  | {
      readonly type: "step_start";
      readonly step: number;
      readonly attempt: number;
      readonly contextTokens: number;
      readonly hardLimit: number;
    }
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "reasoning_delta"; readonly text: string }
  | { readonly type: "tool_call"; readonly toolCallId: string; readonly toolName: string; readonly args: unknown }
  | ({ readonly type: "tool_output" } & OutputChunk)
  /** A call has its result. `chars` is the size of its whole text, before it is fitted to a share. */
  | {
      readonly type: "tool_result";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly outcome: CallOutcome;
      readonly chars: number;
      readonly durationMs: number;
    }
  | ({ readonly type: "permission_request" } & PermissionRequest)
  | {
      readonly type: "checkpoint";
      readonly id: string;
      readonly generation: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** Why the summary is the fallback and not the model's. */
      readonly fallback?: string;
    }
  | ({ readonly type: "usage"; readonly step: number } & StepUsage)
  | {
      readonly type: "warning";
      readonly code: string;
      readonly message: string;
      readonly details?: Record<string, unknown>;
    }
  | ({ readonly type: "error" } & RunError)
  | { readonly type: "done"; readonly result: RunResult };
