// What the host itself answers to a call, and the text of any outcome.
import { renderForModel } from "@spillway/tools";
import type { CallOutcome, HostOutcome } from "./event.ts";

/** Codes of calls that no tool was run for, or that did not come to an end. */
export type HostOutcomeCode =
  | "UNKNOWN_TOOL"
  | "INVALID_ARGUMENT"
  | "ARGUMENTS_CUT_OFF"
  | "NOT_ALLOWED"
  | "NOT_RUN"
  | "INTERRUPTED"
  | "HOST_OVERLOADED"
  | "TOOL_FAILED";

export function refusal(tool: string, code: HostOutcomeCode, what: string, next: string): HostOutcome {
  return { ok: false, tool, error: { code, message: `${what}: ${next}`, next } };
}

export function unknownTool(tool: string, names: readonly string[]): HostOutcome {
  return refusal(tool, "UNKNOWN_TOOL", `There is no tool "${tool}"`, `use one of ${names.join(", ")}`);
}

export function badJson(tool: string): HostOutcome {
  return refusal(
    tool,
    "INVALID_ARGUMENT",
    "The arguments are not valid JSON, so the call was not run",
    "send it again",
  );
}

export function cutOff(tool: string, maxOutputTokens: number): HostOutcome {
  const what = `The arguments were cut off by the output limit of ${maxOutputTokens} tokens, so the call was not run`;
  return refusal(tool, "ARGUMENTS_CUT_OFF", what, "send less in one call, in several if need be");
}

export function notAllowed(tool: string): HostOutcome {
  const next = "do not send it again; go another way, or say what you need it for";
  return refusal(tool, "NOT_ALLOWED", "The user did not allow this call", next);
}

export function notRun(tool: string): HostOutcome {
  return refusal(tool, "NOT_RUN", "The turn was stopped before this call began", "send it again if it is still needed");
}

export function interrupted(tool: string): HostOutcome {
  const what = "This call was interrupted and did not finish; it may have taken effect";
  return refusal(tool, "INTERRUPTED", what, "look at what it left before you send it again");
}

/** For a call that changes nothing. */
export function unfinished(tool: string): HostOutcome {
  return refusal(
    tool,
    "INTERRUPTED",
    "This call was interrupted and did not finish",
    "send it again if it is still needed",
  );
}

export function overloaded(tool: string, waiting: number): HostOutcome {
  const what = `More than ${waiting} calls of this session are waiting already`;
  return refusal(tool, "HOST_OVERLOADED", what, "send fewer calls at once");
}

export function toolFailed(tool: string, error: unknown): HostOutcome {
  const reason = error instanceof Error ? error.message : String(error);
  return refusal(tool, "TOOL_FAILED", `${tool} failed (${reason})`, "try another way");
}

/** The whole text of an outcome, before it is fitted to a share. */
export function outcomeText(outcome: CallOutcome): string {
  if ("text" in outcome) return outcome.text;
  if (isToolOutcome(outcome)) return renderForModel(outcome);
  return `Error ${outcome.error.code}: ${outcome.error.message}`;
}

const TOOL_NAMES: ReadonlySet<string> = new Set(["Read", "Glob", "Grep", "Bash", "Write", "Edit"]);

/** Whether `renderForModel` knows how to make this outcome smaller. */
export function isToolOutcome(outcome: CallOutcome): outcome is Exclude<CallOutcome, HostOutcome> {
  return TOOL_NAMES.has(outcome.tool) && !("text" in outcome);
}
