import { describe, expect, test } from "vitest";
import { normalizeArguments, type PropertySchema } from "../src/arguments.ts";

const properties: Record<string, PropertySchema> = {
  path: { type: "string" },
  limit: { type: "integer", maximum: 4000 },
  timeout: { type: "integer", maximum: 21600, reduce: false },
  literal: { type: "boolean" },
  outputMode: {
    type: "string",
    enum: ["content", "filesWithMatches", "count"],
    synonyms: { files: "filesWithMatches" },
  },
};

describe("normalizeArguments", () => {
  test.each([
    [{ limit: "20" }, { limit: 20 }],
    [{ limit: " -5 " }, { limit: -5 }],
    [{ limit: "20.0" }, { limit: 20 }],
    [{ literal: "true" }, { literal: true }],
    [{ literal: "False" }, { literal: false }],
    [{ outputMode: "files_with_matches" }, { outputMode: "filesWithMatches" }],
    [{ outputMode: "FILES-WITH-MATCHES" }, { outputMode: "filesWithMatches" }],
    [{ outputMode: "files" }, { outputMode: "filesWithMatches" }],
    [{ path: "a", limit: null, literal: undefined }, { path: "a" }],
  ])("makes %j into %j", (args, expected) => {
    expect(normalizeArguments("Read", args, properties)).toEqual({ args: expected, adjustments: [] });
  });

  test.each([
    [{ limit: "20 lines" }],
    [{ limit: "1.5" }],
    [{ limit: "99999999999999999999" }],
    [{ limit: true }],
    [{ literal: "yes" }],
    [{ outputMode: "everything" }],
    [{ path: 7 }],
  ])("leaves %j for the schema to refuse", (args) => {
    expect(normalizeArguments("Read", args, properties).args).toEqual(args);
  });

  test("reduces a count above its maximum and says so", () => {
    expect(normalizeArguments("Read", { limit: "9000" }, properties)).toEqual({
      args: { limit: 4000 },
      adjustments: ["limit 9000 was reduced to the maximum 4000."],
    });
  });

  test("leaves a value that is refused above its maximum", () => {
    expect(normalizeArguments("Bash", { timeout: 90000 }, properties)).toEqual({
      args: { timeout: 90000 },
      adjustments: [],
    });
  });

  test("names the nearest known argument", () => {
    expect(() => normalizeArguments("Read", { file_path: "a" }, properties)).toThrow(
      'Read has no argument "file_path": did you mean "path"? Read takes path, limit, timeout, literal, outputMode',
    );
  });

  test("does not take inherited names for arguments", () => {
    expect(() => normalizeArguments("Read", { constructor: 1 }, properties)).toThrow('no argument "constructor"');
  });

  test.each([
    [undefined, "nothing"],
    [null, "null"],
    ["{}", "a string"],
    [["a"], "a list"],
  ])("refuses %j", (args, shown) => {
    expect(() => normalizeArguments("Read", args, properties)).toThrow(
      `Read takes one object of arguments, not ${shown}`,
    );
  });
});
