import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as limits from "../src/index.ts";

describe("@spillway/limits", () => {
  test("exports these names", () => {
    expect(Object.keys(limits).sort()).toEqual([
      "BASH_MAX_TIMEOUT_S",
      "BASH_MIN_TIMEOUT_S",
      "BASH_TIMEOUT_S",
      "BUDGET_SEARCH",
      "BUDGET_SHELL",
      "BUDGET_SHELL_ERR",
      "CAPTURE_MAX_BYTES",
      "CAPTURE_MAX_LINES",
      "CHECKPOINT_MARKER",
      "DEFAULT_LIMITS",
      "EDIT_MAX_OPS",
      "EDIT_OPS_MAX_BYTES",
      "GLOB_LIMIT",
      "GLOB_MAX_LIMIT",
      "GREP_HEAD_LIMIT",
      "MAX_LINE_CHARS",
      "READ_DEFAULT_LINES",
      "READ_MAX_CHARS",
      "READ_MAX_LINES",
      "RETAINED_USER_MESSAGE_TOKENS",
      "SPILL_MAX_BYTES",
      "byteLength",
      "clipLine",
      "countLines",
      "createCapture",
      "estimateTokens",
      "fitLines",
      "readMaxTokens",
      "resolveLimits",
      "splitLines",
      "takeTokens",
      "takeWithin",
      "truncate",
      "truncateMiddle",
    ]);
  });

  test("imports nothing but its own files", () => {
    const folder = new URL("../src/", import.meta.url);
    const imported = readdirSync(folder).flatMap((name) => {
      const source = readFileSync(new URL(name, folder), "utf8");
      return [...source.matchAll(/from "([^"]+)"|import\("([^"]+)"\)/g)].map((match) => match[1] ?? match[2] ?? "");
    });
    expect(imported.length).toBeGreaterThan(20);
    expect(imported.filter((name) => !name.startsWith("./"))).toEqual([]);
  });
});
