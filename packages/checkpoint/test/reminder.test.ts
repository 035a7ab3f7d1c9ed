import { describe, expect, test } from "vitest";
import { dueReminder, NEW_CONTEXT_TOOL, type ReminderKind, reminderThresholds } from "../src/index.ts";

describe("reminderThresholds", () => {
  test.each([
    [1_000_000, { closing: 32_000, last: 2000 }],
    [111_616, { closing: 16_742, last: 2000 }],
    [40_000, { closing: 8000, last: 2000 }],
    [16_000, { closing: 4000, last: 1000 }],
    [1000, { closing: 250, last: 62 }],
  ])("of a limit of %i", (hardLimit, thresholds) => {
    expect(reminderThresholds(hardLimit)).toEqual(thresholds);
  });
});

describe("dueReminder", () => {
  const due = (usedTokens: number, given: readonly ReminderKind[] = []) =>
    dueReminder({ hardLimit: 40_000, usedTokens, given });

  test("says nothing while there is room", () => {
    expect(due(31_999)).toBeUndefined();
  });

  test("tells once to close out", () => {
    expect(due(32_000)).toEqual({
      kind: "closing",
      message: {
        role: "user",
        content:
          "[context reminder: about 8000 tokens are left in this window. Finish the step at hand and start nothing large; earlier messages will soon be replaced by a summary.]",
      },
      given: ["closing"],
    });
    expect(due(33_000, ["closing"])).toBeUndefined();
  });

  test("tells once to write down what must survive", () => {
    expect(due(38_000, ["closing"])).toMatchObject({ kind: "last", given: ["closing", "last"] });
    expect(due(39_000, ["closing", "last"])).toBeUndefined();
  });

  test("gives only the last one where both are due at once", () => {
    const reminder = due(41_000);
    expect(reminder).toMatchObject({ kind: "last", given: ["closing", "last"] });
    expect(reminder?.message.content).toContain("about 0 tokens are left");
    expect(due(33_000, reminder?.given)).toBeUndefined();
  });

  test("begins anew in a new window", () => {
    expect(due(32_500, [])?.kind).toBe("closing");
  });
});

describe("NEW_CONTEXT_TOOL", () => {
  test("takes no parameters", () => {
    expect(NEW_CONTEXT_TOOL).toMatchObject({
      name: "new_context",
      inputJsonSchema: { type: "object", properties: {}, additionalProperties: false },
    });
  });
});
