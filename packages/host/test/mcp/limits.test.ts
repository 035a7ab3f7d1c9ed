import { resolveLimits } from "@spillway/limits";
import { describe, expect, test } from "vitest";
import { mcpLimits } from "../../src/mcp/limits.ts";

describe("mcpLimits", () => {
  test("is the profile for MCP", () => {
    expect(resolveLimits(mcpLimits())).toMatchObject({
      resultMaxChars: 40_000,
      resultMaxTokens: 10_000,
      errorMaxChars: 10_000,
      bashTimeoutS: 50,
      bashMaxTimeoutS: 50,
      readMaxChars: 40_000,
      shell: { maxBytes: 32_768, maxLines: 4_000, keep: "head" },
    });
  });

  test("takes what the host sets, budgets field by field", () => {
    expect(resolveLimits(mcpLimits({ bashTimeoutS: 20, shell: { maxLines: 10 } }))).toMatchObject({
      bashTimeoutS: 20,
      shell: { maxBytes: 32_768, maxLines: 10 },
    });
  });

  test("has a longest time that a host can raise, by the default time as well", () => {
    expect(resolveLimits(mcpLimits({ bashMaxTimeoutS: 300 }))).toMatchObject({
      bashTimeoutS: 50,
      bashMaxTimeoutS: 300,
    });
    expect(resolveLimits(mcpLimits({ bashTimeoutS: 200 }))).toMatchObject({ bashTimeoutS: 200, bashMaxTimeoutS: 200 });
  });

  test("has a default time below the longest that the host allows", () => {
    expect(resolveLimits(mcpLimits({ bashMaxTimeoutS: 30 }))).toMatchObject({ bashTimeoutS: 30, bashMaxTimeoutS: 30 });
  });
});
