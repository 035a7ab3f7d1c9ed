import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as limits from "../src/index.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const ROWS = [...README.matchAll(/^\| `([A-Z_]+)` \| `(\w+)` \| (.+) \|$/gm)].map(([, constant, field, value]) => ({
  constant: constant ?? "",
  field: field ?? "",
  value: value ?? "",
}));
const BLOCKS = [...README.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");

describe("README", () => {
  test.each(ROWS)("gives $constant as the code has it", ({ constant, field, value }) => {
    const expected: unknown = Reflect.get(limits, constant);
    expect(Reflect.get(limits.DEFAULT_LIMITS, field)).toBe(expected);
    expect(typeof expected === "number" ? parseNumber(value) : parseBudget(value)).toEqual(expected);
  });

  test("has a row for every number", () => {
    const constants = Object.keys(limits).filter((name) => /^[A-Z_]+$/.test(name));
    expect(["CHECKPOINT_MARKER", "DEFAULT_LIMITS", ...ROWS.map((row) => row.constant)].sort()).toEqual(
      constants.sort(),
    );
    expect(ROWS.map((row) => row.field)).toEqual(Object.keys(limits.DEFAULT_LIMITS));
  });

  test.each(BLOCKS.map((block, index) => [index + 1, block] as const))("example %i does what it says", (_, block) => {
    expect(runExample(block)).toBeGreaterThan(0);
  });

  test("has examples for the functions it lists, and is under 120 lines", () => {
    expect(BLOCKS).toHaveLength(3);
    expect(README.split("\n").length).toBeLessThan(120);
  });
});

function parseNumber(value: string): number {
  return Number(value.replace(/(\d) (?=\d)/g, "$1").split(" ")[0]);
}

function parseBudget(value: string): limits.Budget | undefined {
  const [bytes = "", lines = "", keep = ""] = value.split(", ");
  if (keep !== "head" && keep !== "tail" && keep !== "both") return undefined;
  return { maxBytes: parseNumber(bytes), maxLines: parseNumber(lines), keep };
}

// The examples are plain JavaScript. A line that ends in `// => value` or `// throws "message"` is a claim to check.
function runExample(block: string): number {
  let claims = 0;
  const equal = (actual: unknown, expected: unknown): void => {
    claims++;
    expect(actual).toEqual(expected);
  };
  const throws = (call: () => unknown, message: string): void => {
    claims++;
    expect(call).toThrow(new RangeError(message));
  };
  const source = block
    .replace(/import (\{[^}]+\}) from "@spillway\/limits";/g, "const $1 = limits;")
    .replace(/^(.+); \/\/ => (.+)$/gm, "equal($1, $2);")
    .replace(/^(.+); \/\/ throws (.+)$/gm, "throws(() => $1, $2);");
  new Function("limits", "equal", "throws", source)(limits, equal, throws);
  return claims;
}
