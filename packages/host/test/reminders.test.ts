import { describe, expect, test } from "vitest";
import { createReminders } from "../src/reminders.ts";

describe("createReminders", () => {
  test("gives each reminder once per window", () => {
    const reminders = createReminders();
    const due = (left: number): boolean => reminders.due(100_000 - left, 100_000) !== undefined;
    expect([50_000, 14_000, 13_000, 1500, 1000].map(due)).toEqual([false, true, false, true, false]);
    reminders.reset();
    expect([14_000, 1500].map(due)).toEqual([true, true]);
  });
});
