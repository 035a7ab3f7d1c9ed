import { describe, expect, test } from "vitest";
import { nearestName } from "../src/nearest.ts";

describe("nearestName", () => {
  test.each([
    ["readMaxLine", "readMaxLines"],
    ["READ_MAX_CHARS", "readMaxChars"],
    ["bash-timeout", "bashTimeoutS"],
    ["globlimit", "globLimit"],
  ])("finds what was meant by %s", (name, nearest) => {
    expect(nearestName(name, ["readMaxLines", "readMaxChars", "bashTimeoutS", "globMaxLimit", "globLimit"])).toBe(
      nearest,
    );
  });

  test.each(["nope", "x", "temperature"])("has nothing to offer for %s", (name) => {
    expect(nearestName(name, ["search", "shell", "readMaxLines", "globLimit"])).toBeUndefined();
  });

  test("has nothing to offer without names", () => {
    expect(nearestName("a", [])).toBeUndefined();
  });
});
