import { dueReminder, type ReminderKind, type UserMessage } from "@spillway/checkpoint";

/** Tells a model once or twice per window that the window runs out. */
export interface Reminders {
  /** The message that a request of this size has to carry, if any; it counts as given from now on. */
  due(usedTokens: number, hardLimit: number): UserMessage | undefined;
  /** A new window has begun. */
  reset(): void;
}

export function createReminders(): Reminders {
  let given: readonly ReminderKind[] = [];
  return {
    due: (usedTokens, hardLimit) => {
      const reminder = dueReminder({ usedTokens, hardLimit, given });
      given = reminder?.given ?? given;
      return reminder?.message;
    },
    reset: () => {
      given = [];
    },
  };
}
