import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, type Limits } from "../src/limits.ts";
import { resolveLimits } from "../src/resolve.ts";

describe("resolveLimits", () => {
  test("gives the defaults when nothing is overridden", () => {
    expect(resolveLimits()).toEqual(DEFAULT_LIMITS);
    expect(resolveLimits({})).toEqual(DEFAULT_LIMITS);
  });

  test("merges numbers and budgets field by field", () => {
    expect(
      resolveLimits({
        grepHeadLimit: 50,
        shell: { maxLines: 100 },
        shellErr: { keep: "head" },
        resultMaxChars: 40_000,
      }),
    ).toEqual({
      ...DEFAULT_LIMITS,
      grepHeadLimit: 50,
      shell: { maxBytes: 98_304, maxLines: 100, keep: "head" },
      shellErr: { maxBytes: 98_304, maxLines: 4_000, keep: "head" },
      resultMaxChars: 40_000,
    });
  });

  test("takes an undefined value for one that was not given", () => {
    const overrides = { grepHeadLimit: undefined, shell: { maxLines: undefined }, search: undefined };
    expect(Reflect.apply(resolveLimits, undefined, [overrides])).toEqual(DEFAULT_LIMITS);
    expect(Reflect.apply(resolveLimits, undefined, [{ resultMaxTokens: undefined }])).not.toHaveProperty(
      "resultMaxTokens",
    );
  });

  test("gives limits that nobody can change, not even the defaults", () => {
    for (const limits of [resolveLimits({ globLimit: 5 }), DEFAULT_LIMITS]) {
      expect(Object.isFrozen(limits)).toBe(true);
      expect([limits.search, limits.shell, limits.shellErr].every(Object.isFrozen)).toBe(true);
    }
  });

  test("accepts what is exactly at a bound", () => {
    const limits: Limits = resolveLimits({
      readDefaultLines: 4_000,
      globLimit: 1_000,
      bashTimeoutS: 21_600,
      shell: { maxBytes: 524_287, maxLines: 199_999 },
    });
    expect(limits.readDefaultLines).toBe(limits.readMaxLines);
  });

  test.each([
    ["zero", { globLimit: 0 }, '"globLimit" is 0, accepted: a whole number from 1 to 9007199254740991'],
    ["a fraction", { bashTimeoutS: 1.5 }, '"bashTimeoutS" is 1.5, accepted: a whole number from 1 to 9007199254740991'],
    ["text", { maxLineChars: "100" }, '"maxLineChars" is "100", accepted: a whole number from 1 to 9007199254740991'],
    ["null", { spillMaxBytes: null }, '"spillMaxBytes" is null, accepted: a whole number from 1 to 9007199254740991'],
    [
      "an unsafe number",
      { editMaxOps: 2 ** 53 },
      '"editMaxOps" is 9007199254740992, accepted: a whole number from 1 to',
    ],
    [
      "a number of a budget",
      { search: { maxLines: -1 } },
      '"search.maxLines" is -1, accepted: a whole number from 1 to',
    ],
    ["an end of a budget", { shell: { keep: "middle" } }, '"shell.keep" is "middle", accepted: "head", "tail", "both"'],
    ["a budget that is a number", { shell: 4 }, '"shell" is 4, accepted: an object of maxBytes, maxLines, keep'],
    [
      "a number that is a budget",
      { globLimit: { maxBytes: 1 } },
      '"globLimit" is an object, accepted: a whole number from 1',
    ],
    [
      "a default above its maximum",
      { readDefaultLines: 5_000 },
      '"readDefaultLines" is 5000, accepted: a whole number from 1 to 4000 (readMaxLines is 4000)',
    ],
    [
      "a maximum below its default",
      { readMaxLines: 1_000 },
      '"readMaxLines" is 1000, accepted: a whole number from 2000 to 9007199254740991 (readDefaultLines is 2000)',
    ],
    [
      "a Glob limit above its maximum",
      { globLimit: 1_001 },
      '"globLimit" is 1001, accepted: a whole number from 1 to 1000 (globMaxLimit is 1000)',
    ],
    [
      "a timeout above its maximum",
      { bashTimeoutS: 21_601 },
      '"bashTimeoutS" is 21601, accepted: a whole number from 1 to 21600 (bashMaxTimeoutS is 21600)',
    ],
    [
      "a minimum above the timeout",
      { bashMinTimeoutS: 61 },
      '"bashMinTimeoutS" is 61, accepted: a whole number from 1 to 60 (bashTimeoutS is 60)',
    ],
    [
      "a shell budget of the capture's size",
      { shell: { maxBytes: 524_288 } },
      '"shell.maxBytes" is 524288, accepted: a whole number from 1 to 524287 (captureMaxBytes is 524288)',
    ],
    [
      "as many lines as the capture",
      { shellErr: { maxLines: 200_000 } },
      '"shellErr.maxLines" is 200000, accepted: a whole number from 1 to 199999 (captureMaxLines is 200000)',
    ],
    [
      "a capture of the budget's size",
      { captureMaxBytes: 98_304 },
      '"captureMaxBytes" is 98304, accepted: a whole number from 98305 to 9007199254740991 (shell.maxBytes is 98304)',
    ],
    [
      "a spill below the budget",
      { spillMaxBytes: 1_000 },
      '"spillMaxBytes" is 1000, accepted: a whole number from 98305 to 9007199254740991 (shell.maxBytes is 98304)',
    ],
    ["an unknown field", { readMaxLine: 5 }, 'unknown field "readMaxLine", did you mean "readMaxLines"'],
    ["the name of a constant", { GREP_HEAD_LIMIT: 5 }, 'unknown field "GREP_HEAD_LIMIT", did you mean "grepHeadLimit"'],
    [
      "an unknown field of a budget",
      { shell: { maxByte: 5 } },
      'unknown field "shell.maxByte", did you mean "shell.maxBytes"',
    ],
    ["an unknown field without a value", { nothing: undefined }, 'unknown field "nothing"'],
    ["a field like no other", { shell: { size: 5 } }, 'unknown field "shell.size", accepted: maxBytes, maxLines, keep'],
    ["a path for a name", { "shell.maxBytes": 5 }, 'unknown field "shell.maxBytes", did you mean "'],
    ["null for all", null, "null is no object of limits"],
    ["a list for all", [1], "an array is no object of limits"],
  ])("refuses %s", (_, overrides, problem) => {
    const resolve = (): unknown => Reflect.apply(resolveLimits, undefined, [overrides]);
    expect(resolve).toThrow(RangeError);
    expect(resolve).toThrow(`Invalid limits: ${problem}`);
  });

  test("does not take a polluted prototype for a field", () => {
    const overrides = JSON.parse('{"__proto__":{"globLimit":0}}');
    expect(() => resolveLimits(overrides)).toThrow('unknown field "__proto__"');
    expect(resolveLimits(Object.create({ globLimit: 0 }))).toEqual(DEFAULT_LIMITS);
  });

  test("names every refused field in one error", () => {
    const overrides = { globLimit: 0, shell: { maxByte: 1, keep: "head" }, bashTimeout: 5 };
    expect(() => Reflect.apply(resolveLimits, undefined, [overrides])).toThrow(
      new RangeError(
        'Invalid limits: "globLimit" is 0, accepted: a whole number from 1 to 9007199254740991; unknown field "shell.maxByte", did you mean "shell.maxBytes"; unknown field "bashTimeout", did you mean "bashTimeoutS"',
      ),
    );
  });
});
