import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, readMaxTokens } from "../src/limits.ts";
import { resolveLimits } from "../src/resolve.ts";

describe("DEFAULT_LIMITS", () => {
  test("holds the numbers of the table; result caps are off", () => {
    expect(DEFAULT_LIMITS).toEqual({
      search: { maxBytes: 131_072, maxLines: 4_000, keep: "head" },
      shell: { maxBytes: 98_304, maxLines: 4_000, keep: "head" },
      shellErr: { maxBytes: 98_304, maxLines: 4_000, keep: "tail" },
      maxLineChars: 16_384,
      readDefaultLines: 2_000,
      readMaxLines: 4_000,
      readMaxChars: 100_000,
      grepHeadLimit: 200,
      globLimit: 100,
      globMaxLimit: 1_000,
      captureMaxBytes: 524_288,
      captureMaxLines: 200_000,
      spillMaxBytes: 524_288,
      bashTimeoutS: 60,
      bashMinTimeoutS: 1,
      bashMaxTimeoutS: 21_600,
      editOpsMaxBytes: 262_144,
      editMaxOps: 200,
      retainedUserMessageTokens: 20_000,
    });
  });
});

describe("readMaxTokens", () => {
  test("follows the character ceiling", () => {
    expect(readMaxTokens(DEFAULT_LIMITS)).toBe(25_000);
    expect(readMaxTokens(resolveLimits({ readMaxChars: 200_001 }))).toBe(50_001);
  });
});
