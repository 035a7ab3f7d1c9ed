import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePattern } from "../../src/pattern/parse.ts";
import { compileProgram } from "../../src/pattern/program.ts";
import { createTextMatcher } from "../../src/pattern/text-matcher.ts";

/** All matches, each searched for behind the one before. */
function matches(pattern: string, text: string): string[] {
  const program = compileProgram(parsePattern(pattern, { ignoreCase: false }).node);
  if (program === undefined) throw new Error("This pattern has no program");
  const matcher = createTextMatcher(program, () => undefined);
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const match = matcher.find(bytes, from);
    if (match === undefined) break;
    found.push(bytes.toString("utf8", match.start, match.end));
    from = Math.max(match.end, match.start + 1);
  }
  return found;
}

describe("createTextMatcher", () => {
  test.each([
    ["a+", "xaaay", ["aaa"]],
    ["a+?", "aaa", ["a", "a", "a"]],
    ["a|ab", "ab", ["a"]],
    ["ab|a", "ab", ["ab"]],
    ["(?s)<.*>", "<a>\n<b>", ["<a>\n<b>"]],
    ["(?s)<.*?>", "<a>\n<b>", ["<a>", "<b>"]],
    ["[^x]+", "日本x語", ["日本", "語"]],
    ["b\\n+c", "abb\n\ncd", ["b\n\nc"]],
    ["ab*c|b", "abbbd abbc", ["b", "b", "b", "abbc"]],
  ])("%s in %j gives the leftmost match that the pattern prefers", (pattern, text, expected) => {
    expect(matches(pattern, text)).toEqual(expected);
  });

  test("gives the extents that JavaScript's engine gives", () => {
    const part = fc.constantFrom(
      ...["a", "b", ".", "[ab]", "\\n", "^", "$", "(?:a|ab)", "a*", "b+?", "(?:b|\\n)*", "a{1,2}", "(?:a|b|)+?", "x?"],
    );
    const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
    const text = fc.array(fc.constantFrom("a", "b", "x", "\n"), { maxLength: 14 }).map((chars) => chars.join(""));
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        const expected = new RegExp(source, "m").exec(subject)?.[0];
        expect(matches(source, subject)[0]).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});
