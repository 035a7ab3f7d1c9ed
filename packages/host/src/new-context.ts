import { NEW_CONTEXT_TOOL } from "@spillway/checkpoint";
import type { RunnableTool } from "./calls.ts";

/** The host's own tool: asks for a checkpoint before the next request. */
export const NEW_CONTEXT: string = NEW_CONTEXT_TOOL.name;

export const NEW_CONTEXT_RUNNABLE: RunnableTool = {
  name: NEW_CONTEXT,
  riskOf: () => "low",
  execute: async () => ({ ok: true, tool: NEW_CONTEXT, text: "A new context window begins before your next step." }),
};
