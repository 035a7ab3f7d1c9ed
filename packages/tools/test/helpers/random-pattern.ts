import fc from "fast-check";

const WORDS = [..."abBxyzIiKksS_1 -.(\t", ..."éÉſ\u212aß日本٣İ\u00a0\u2028\u0085😀", "foo", "Foo", "FOO"] as const;

const LINE = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(""));

/** Up to a dozen short lines, with or without a last line end. */
export function randomLines(ends: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(LINE, fc.constantFrom(...ends)), { minLength: 1, maxLength: 12 }), fc.boolean())
    .map(([lines, ended]) => {
      const text = lines.map(([line, end]) => line + end).join("");
      return ended ? text : text.replace(/\r?\n$/, "");
    });
}

const ATOM = fc.oneof(
  fc.constantFrom(...WORDS.map((word) => word.replaceAll(/[.()-]/g, "\\$&"))),
  fc.constantFrom(
    ...[".", "\\w", "\\W", "\\d", "\\D", "\\s", "\\S", "[a-z]", "[^a]", "[[:alpha:]]", "[[:^alpha:]]", "[[:word:]]"],
    ...["\\p{L}", "\\pL", "\\P{Lu}", "\\p{Greek}", "\\p{Lowercase}", "[\\w&&[^a]]", "[a-z--b]", "[[a-z]~~b]", "[^\\n]"],
    ...["[é日]", "\\x41", "\\x{65e5}", "\\u{e9}", "[\\d\\s]", "[a\\]]", "[]a]", "[a-]", "\\t", "[^\\W]", "[[:space:]]"],
    ...["(?-u:\\w)", "(?i:foo)", "(?i)a", "(?s:.)", "[^[:upper:]]", "(?-u:\\b)", "\\.", "[.]", "interface\\{\\}"],
  ),
  fc.constantFrom("^", "$", "\\b", "\\b{start}", "\\b{end}", "\\<", "\\>", "\\b{start-half}", "\\b{end-half}"),
);

/** Patterns of ripgrep's default engine. @param more parts that are only sometimes wanted. */
export function randomPattern(more: readonly string[] = []): fc.Arbitrary<string> {
  const atom = more.length === 0 ? ATOM : fc.oneof({ weight: 3, arbitrary: ATOM }, fc.constantFrom(...more));
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => {
    const part = tie("pattern");
    return {
      pattern: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        atom,
        fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join("")),
        fc.array(part, { minLength: 2, maxLength: 3 }).map((parts) => `(?:${parts.join("|")})`),
        fc
          .tuple(part, fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "??"))
          .map(([of, sign]) => `(?:${of})${sign}`),
        fc
          .tuple(fc.constantFrom("(", "(?:", "(?P<n>", "(?<n>", "(?i:", "(?x: ", "(?s:", "(?U:", "(?m:"), part)
          .map(([open, of]) => `${open}${of})`),
      ),
    };
  });
  // No two groups may have one name.
  return pattern.map((source) => {
    let groups = 0;
    return source.replaceAll("<n>", () => {
      groups += 1;
      return `<n${groups}>`;
    });
  });
}
