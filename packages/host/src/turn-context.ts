import type { LanguageModel, ToolSet } from "ai";
import type { Asker } from "./ask.ts";
import type { RunnableTool } from "./calls.ts";
import type { ContextMeter } from "./context-meter.ts";
import type { AgentEvent, StepUsage } from "./event.ts";
import type { Gate } from "./gate.ts";
import type { Reminders } from "./reminders.ts";
import type { Session } from "./session.ts";
import type { TokenCache } from "./token-cache.ts";

/** Everything one turn works with; it makes none of it itself. */
export interface TurnContext {
  readonly request: { readonly model: LanguageModel; readonly stallMs?: number };
  readonly system: string;
  readonly toolSet: ToolSet;
  readonly tools: ReadonlyMap<string, RunnableTool>;
  readonly root: string;
  readonly session: Session;
  readonly meter: ContextMeter;
  readonly cache: TokenCache;
  readonly reminders: Reminders;
  readonly asker: Asker;
  readonly gate: Gate;
  /** The most output tokens to ask for; less where the window says so. */
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
  /** Resolves when the consumer of the events has caught up. */
  readonly ready: () => Promise<void>;
}

/** What a turn has come to so far; it is true at any moment, also when the turn is thrown out of its loop. */
export interface TurnProgress {
  steps: number;
  /** Text of the newest assistant message. */
  text: string;
  /** Text of the attempt that is being streamed and is in no message yet. */
  streaming: string;
  usage: StepUsage;
}
