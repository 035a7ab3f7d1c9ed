import { describe, expect, test } from "vitest";
import { CheckpointError, isCheckpointError } from "../src/index.ts";

describe("CheckpointError", () => {
  test("carries code, details and cause, and says whether the same call can succeed later", () => {
    const cause = new Error("no space left");
    const error = new CheckpointError("JOURNAL_WRITE_FAILED", "Cannot append", { retriable: true, cause });
    expect(error).toMatchObject({
      name: "CheckpointError",
      code: "JOURNAL_WRITE_FAILED",
      retriable: true,
      details: {},
    });
    expect(error.cause).toBe(cause);
    expect(new CheckpointError("SESSION_LOCKED", "Locked")).toMatchObject({ retriable: false, details: {} });
  });
});

describe("isCheckpointError", () => {
  test("knows the error of any installed copy, and no other", () => {
    const foreign = Object.defineProperty({}, Symbol.for("spillway.checkpoint.CheckpointError"), { value: true });
    expect(isCheckpointError(new CheckpointError("SESSION_LOCKED", "Locked"))).toBe(true);
    expect(isCheckpointError(foreign)).toBe(true);
    expect(isCheckpointError(new Error("SESSION_LOCKED"))).toBe(false);
    expect(isCheckpointError(undefined)).toBe(false);
  });
});
