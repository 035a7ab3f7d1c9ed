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
    ["foo", { texts: ["foo"], exact: true, folded: false }],
    ["日本", { texts: ["日本"], exact: true, folded: false }],
    ["foo|bar", { texts: ["foo", "bar"], exact: true, folded: false }],
    ["fo[ox]", { texts: ["foo", "fox"], exact: true, folded: false }],
    ["colou?r", { texts: ["color", "colour"], exact: true, folded: false }],
    ["\\w+Error\\b", { texts: ["Error"], exact: false, folded: false }],
    ["(?:foo)+", { texts: ["foo"], exact: false, folded: false }],
    ["^import .* from", { texts: ["import "], exact: false, folded: false }],
    ["(foo|bar)\\d", { texts: ["foo", "bar"], exact: false, folded: false }],
    ["(?i)Fo", { texts: ["fo"], exact: true, folded: true }],
    ["(?i)truncated|日本", { texts: ["truncated", "日本"], exact: true, folded: true }],
    ["(?i)desk", { texts: ["de"], exact: false, folded: true }],
    ["(?i)b[ae]d", { texts: ["bad", "bed"], exact: true, folded: true }],
    ["(?i:foo)Bar", { texts: ["foobar"], exact: false, folded: true }],
    ["(?i)éab", { texts: ["ab"], exact: false, folded: true }],
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
          const held = literals.folded ? line.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : line;
          const holds = literals.texts.some((literal) => held.includes(literal));
          if (matches) expect(holds).toBe(true);
          if (holds && literals.exact) expect(matches).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
