import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAutomaton } from "../../src/pattern/automaton.ts";
import { requiredLiterals } from "../../src/pattern/literals.ts";
import { parsePattern } from "../../src/pattern/parse.ts";
import { compileProgram } from "../../src/pattern/program.ts";
import { randomLines, randomPattern } from "../helpers/random-pattern.ts";

const literalsOf = (pattern: string) => requiredLiterals(parsePattern(pattern, { ignoreCase: false }).node);

describe("requiredLiterals", () => {
  test.each([
    ["foo", { texts: ["foo"], exact: true }],
    ["日本", { texts: ["日本"], exact: true }],
    ["foo|bar", { texts: ["foo", "bar"], exact: true }],
    ["fo[ox]", { texts: ["foo", "fox"], exact: true }],
    ["colou?r", { texts: ["color", "colour"], exact: true }],
    ["\\w+Error\\b", { texts: ["Error"], exact: false }],
    ["(?:foo)+", { texts: ["foo"], exact: false }],
    ["^import .* from", { texts: ["import "], exact: false }],
    ["(foo|bar)\\d", { texts: ["foo", "bar"], exact: false }],
    ["\\d+", undefined],
    ["foo|\\d", undefined],
    ["a", undefined],
    ["(?:foo)?", undefined],
    ["(?!foo)\\w", undefined],
  ])("of %s are %j", (pattern, expected) => {
    const found = literalsOf(pattern);
    expect(found && { ...found, texts: [...found.texts].sort() }).toEqual(
      expected && { ...expected, texts: [...expected.texts].sort() },
    );
  });

  test("no line matches without one of them, and any line with one where they are exact", () => {
    fc.assert(
      fc.property(randomPattern(["foo", "bar"]), randomLines(["\n"]), (pattern, text) => {
        const { node } = parsePattern(pattern, { ignoreCase: false });
        const literals = requiredLiterals(node);
        const program = compileProgram(node);
        fc.pre(literals !== undefined && program !== undefined);
        if (literals === undefined || program === undefined) return;
        const automaton = createAutomaton(program, { keepReturns: false, checkpoint: () => undefined });
        for (const line of text.split("\n")) {
          const bytes = Buffer.from(line);
          const matches = automaton.find(bytes, 0, bytes.length) !== -1;
          const holds = literals.texts.some((literal) => line.includes(literal));
          if (matches) expect(holds).toBe(true);
          if (holds && literals.exact) expect(matches).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
