import type { PartialLimits } from "@spillway/limits";
import type { LanguageModel } from "ai";
import type { AgentTool } from "./agent-tool.ts";
import type { Agent } from "./open-agent.ts";
import type { PermissionHandler, PermissionMode } from "./permission.ts";

export interface AgentOptions {
  /** Any AI SDK model. */
  readonly model: LanguageModel;
  /** The workspace: an existing directory. */
  readonly root: string;
  /** Journals and spilled output. Default: `$SPILLWAY_HOME`, else `$XDG_DATA_HOME/spillway`, else `~/.local/share/spillway`. */
  readonly dataDir?: string;
  /** An existing session goes on where it stopped; a new id begins one. Default: a new one. */
  readonly sessionId?: string;
  /** Default `ask`. */
  readonly mode?: PermissionMode;
  readonly limits?: PartialLimits;
  /** Tokens the model takes, input and output together. Default: what the model object says, else 128 000; an overflow error that names less corrects it. */
  readonly contextWindow?: number;
  /** Tokens one answer may have; never more than the window's headroom. Default 16 384. */
  readonly maxOutputTokens?: number;
  /** Replaces the system text. */
  readonly system?: string;
  /** Tools of the embedding program, beside the six built-in ones. */
  readonly tools?: readonly AgentTool[];
  /** Asked before a call the mode does not allow. Without one such calls are denied. */
  readonly onPermission?: PermissionHandler;
  /** Milliseconds until a silent `onPermission` is a deny; `Infinity` waits. Default 120 000. */
  readonly permissionTimeoutMs?: number;
  /** Milliseconds a model stream may be silent. Default 180 000. */
  readonly stallMs?: number;
}

/**
 * Opens a session over a workspace.
 * @throws CheckpointError SESSION_LOCKED, HostError CONFIG_INVALID, TypeError or RangeError that names the option.
 */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  // Loaded with the first agent: a program that only imports this package starts as fast as without it.
  const { assembleAgent } = await import("./assemble-agent.ts");
  return assembleAgent(options);
}
