import { describe, expect, test } from "vitest";
import { isToolError, ToolError } from "../src/error.ts";

describe("ToolError", () => {
  test("appends the next step to the message", () => {
    const error = new ToolError("PATH_NOT_FOUND", '"a" does not exist', { next: "look around with Glob" });
    expect(error).toMatchObject({ what: '"a" does not exist', message: '"a" does not exist: look around with Glob' });
    expect(isToolError(error)).toBe(true);
  });

  test("keeps both ends of a message that quotes something long, also when it is made anew", () => {
    const long = new ToolError("INVALID_ARGUMENT", `"${"🎈".repeat(50_000)}" is longer than allowed`, {
      next: "shorten it",
    });
    expect(long.message).toMatch(/^"🎈+.? … .?🎈+" is longer than allowed: shorten it$/u);
    expect(long.what.length).toBeLessThanOrEqual(1_000);
    expect(long.message.isWellFormed()).toBe(true);
    expect(new ToolError(long.code, long.what).what).toBe(long.what);
  });
});
