import { describe, expect, test } from "vitest";
import { HostError, isHostError } from "../src/error.ts";

describe("HostError", () => {
  test("joins what failed and what to do, and is known by its brand", () => {
    const error = new HostError("MODEL_FAILED", "The model said no", { next: "ask again", details: { status: 400 } });
    expect(error).toMatchObject({
      message: "The model said no: ask again",
      next: "ask again",
      details: { status: 400 },
    });
    expect(isHostError(error)).toBe(true);
    expect(JSON.stringify(error)).not.toContain("Symbol");
    for (const other of [new Error("x"), undefined, null, "HostError", { name: "HostError" }]) {
      expect(isHostError(other)).toBe(false);
    }
  });
});
