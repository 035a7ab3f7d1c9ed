import { REMINDER_OPENING } from "./host-text.ts";
import type { UserMessage } from "./message.ts";

export type ReminderKind = "closing" | "last";

export interface Reminder {
  readonly kind: ReminderKind;
  /** To be appended to one request, never stored. */
  readonly message: UserMessage;
  /** What counts as given from now on, in this window. */
  readonly given: readonly ReminderKind[];
}

/** Tokens left at which each reminder is due. */
export function reminderThresholds(hardLimit: number): Readonly<Record<ReminderKind, number>> {
  const closing = Math.min(Math.max(hardLimit * 0.15, 8000), 32_000);
  return { closing: Math.floor(Math.min(closing, hardLimit / 4)), last: Math.floor(Math.min(2000, hardLimit / 16)) };
}

/**
 * The reminder that a request of `usedTokens` has to carry, if any; `given` holds those of this window, and is emptied
 * by a checkpoint. Where both are due at once only the last one is given.
 */
export function dueReminder(options: {
  hardLimit: number;
  usedTokens: number;
  given: readonly ReminderKind[];
}): Reminder | undefined {
  const { hardLimit, usedTokens, given } = options;
  const left = hardLimit - usedTokens;
  const thresholds = reminderThresholds(hardLimit);
  if (left <= thresholds.last) return given.includes("last") ? undefined : remind("last", left, ["closing", "last"]);
  if (left > thresholds.closing || given.includes("closing")) return undefined;
  return remind("closing", left, [...given, "closing"]);
}

function remind(kind: ReminderKind, left: number, given: readonly ReminderKind[]): Reminder {
  const content = `${REMINDER_OPENING}: about ${Math.max(0, left)} tokens are left in this window. ${ADVICE[kind]}]`;
  return { kind, message: { role: "user", content }, given };
}

const ADVICE: Readonly<Record<ReminderKind, string>> = {
  closing: "Finish the step at hand and start nothing large; earlier messages will soon be replaced by a summary.",
  last: "Write down now, in your answer, what must survive: the task, what is done, what is next.",
};

/** The parameterless tool by which a model asks for a new window before its next call. */
export const NEW_CONTEXT_TOOL: {
  readonly name: "new_context";
  readonly description: string;
  readonly inputJsonSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, never>>;
    readonly additionalProperties: false;
  };
} = {
  name: "new_context",
  description:
    "Replaces the conversation so far by a summary before your next step. Call it when what you need from here on is little; the newest user message and the results of this step are kept.",
  inputJsonSchema: { type: "object", properties: {}, additionalProperties: false },
};
