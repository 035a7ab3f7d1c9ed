import { describe, expect, test } from "vitest";
import { carriesToken } from "../../src/mcp/token.ts";

describe("carriesToken", () => {
  test.each([
    ["Bearer secret", true],
    ["bearer  secret ", true],
    ["Bearer secre", false],
    ["Bearer secrets", false],
    ["Basic secret", false],
    ["secret", false],
    ["Bearer ", false],
    [undefined, false],
  ])("%j: %s", (header, expected) => {
    expect(carriesToken(header, "secret")).toBe(expected);
  });
});
