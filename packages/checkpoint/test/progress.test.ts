import { describe, expect, test } from "vitest";
import { createProgressGuard } from "../src/index.ts";

describe("createProgressGuard", () => {
  test("ends a run at the fourth checkpoint without an accepted request", () => {
    const guard = createProgressGuard();
    for (let n = 0; n < 3; n++) guard.beforeCheckpoint();
    expect(() => guard.beforeCheckpoint()).toThrow(
      "3 checkpoints in a row made no room for a request — use a model with a larger window, or start a new session",
    );
    expect(() => guard.beforeCheckpoint()).toThrow(
      expect.objectContaining({
        code: "CONTEXT_COMPACTION_FAILED",
        details: { reason: "no-progress", checkpoints: 3 },
      }),
    );
  });

  test("starts over after an accepted request", () => {
    const guard = createProgressGuard();
    for (let n = 0; n < 10; n++) {
      guard.beforeCheckpoint();
      guard.beforeCheckpoint();
      guard.requestAccepted();
    }
    expect(() => guard.beforeCheckpoint()).not.toThrow();
  });
});
