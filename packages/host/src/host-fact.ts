// The host's lines in a journal. What another version or a foreign hand wrote is parsed here, once.
import { entriesOf, type Fact, type ModelMessage, type UserMessage } from "@spillway/checkpoint";
import type { CallOutcome, DoneReason, StepUsage } from "./event.ts";
import type { CallProblem } from "./step.ts";

export type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
export type AssistantPart = Exclude<AssistantMessage["content"], string>[number];
export type ToolCallPart = Extract<AssistantPart, { type: "tool-call" }>;

/** One fact as the host writes it; id and time are the journal's. */
export type HostFact =
  | { readonly t: "session"; readonly root: string }
  | { readonly t: "user"; readonly message: UserMessage }
  | {
      readonly t: "assistant";
      readonly message: AssistantMessage;
      readonly finish: string;
      readonly usage?: StepUsage;
      /** Calls that must not be run, by id: their arguments in the message may look whole. */
      readonly problems?: Readonly<Record<string, CallProblem>>;
    }
  /** A call that may change something is about to begin. */
  | { readonly t: "start"; readonly toolCallId: string }
  | { readonly t: "result"; readonly toolCallId: string; readonly outcome: CallOutcome }
  /** What the model is shown of results that were fitted to a share or given advice. */
  | { readonly t: "shown"; readonly texts: Readonly<Record<string, string>> }
  | { readonly t: "turn"; readonly reason: DoneReason };

/** The fact, or `undefined` for one that is not the host's or not what it claims to be. */
export function parseHostFact(fact: Fact): HostFact | undefined {
  const { t, toolCallId } = fact;
  switch (t) {
    case "session":
      return typeof fact.root === "string" ? { t, root: fact.root } : undefined;
    case "user":
    case "assistant":
      return parseMessageFact(fact);
    case "start":
      return typeof toolCallId === "string" ? { t, toolCallId } : undefined;
    case "result":
      return typeof toolCallId === "string" && isOutcome(fact.outcome)
        ? { t, toolCallId, outcome: fact.outcome }
        : undefined;
    case "shown":
      return isTexts(fact.texts) ? { t, texts: fact.texts } : undefined;
    case "turn":
      return isReason(fact.reason) ? { t, reason: fact.reason } : undefined;
    default:
      return undefined;
  }
}

function parseMessageFact(fact: Fact): HostFact | undefined {
  const message = entriesOf([fact])[0]?.message;
  if (message?.role === "user") return { t: "user", message };
  if (message?.role !== "assistant") return undefined;
  const usage = isUsage(fact.usage) ? { usage: fact.usage } : {};
  const problems = isProblems(fact.problems) ? { problems: fact.problems } : {};
  return { t: "assistant", message, finish: String(fact.finish), ...usage, ...problems };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// A tool's result was parsed by its own schema before it was written; only the envelope is checked again.
function isOutcome(value: unknown): value is CallOutcome {
  if (!isRecord(value) || typeof value.tool !== "string") return false;
  if (value.ok === true) return typeof value.text === "string" || isRecord(value.result);
  return value.ok === false && isRecord(value.error) && typeof value.error.message === "string";
}

function isUsage(value: unknown): value is StepUsage {
  return isRecord(value) && Object.values(value).every((tokens) => typeof tokens === "number");
}

const PROBLEMS: ReadonlySet<unknown> = new Set(["unknown-tool", "bad-json", "cut-off"] satisfies CallProblem[]);

function isProblems(value: unknown): value is Record<string, CallProblem> {
  return isRecord(value) && Object.values(value).every((problem) => PROBLEMS.has(problem));
}

function isTexts(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((text) => typeof text === "string");
}

const REASONS: ReadonlySet<unknown> = new Set(["stop", "length", "content-filter", "aborted", "error"]);

function isReason(value: unknown): value is DoneReason {
  return REASONS.has(value);
}
