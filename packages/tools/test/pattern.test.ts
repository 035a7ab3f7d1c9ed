import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isToolError, type ToolError } from "../src/error.ts";
import { createLineHit } from "../src/pattern/line-matcher.ts";
import { compilePattern } from "../src/pattern.ts";
import {
  matchingLines,
  type PatternOptions,
  patternRequest,
  sameBlocksAsRipgrep,
  sameLinesAsRipgrep,
  touchedLines,
} from "./helpers/pattern-properties.ts";
import { rgPath } from "./helpers/ripgrep.ts";

function refusal(pattern: string, options?: PatternOptions): ToolError {
  try {
    compilePattern(patternRequest(pattern, options));
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error(`"${pattern}" was not refused`);
}

describe("compilePattern", () => {
  test.each([
    ["foo(bar", "a\nfoo(bar\n", { literal: true }, [2]],
    ["Foo", "foo\nFOO\nbar\n", { ignoreCase: true }, [1, 2]],
    ["(?i)foo", "foo\nFOO\nbar\n", {}, [1, 2]],
    ["(?i:f)oo", "foo\nFoo\nFOO\n", {}, [1, 2]],
    ["(?x) f o o # a comment", "foo\nf o o\n", {}, [1]],
    ["(?P<year>\\d{4})-(?<month>\\d\\d)", "2026-11\n26-11\n", {}, [1]],
    ["\\Afoo\\z", "foo\nfoo bar\nbar foo\n", {}, [1]],
    ["^$", "a\n\nb\n", {}, [2]],
    ["[[:upper:]][[:digit:]]", "A1\na1\n", {}, [1]],
    ["\\d", "1\n٣\nx\n", {}, [1, 2]],
    ["\\w", "é\n-\n", {}, [1]],
    ["\\bfoo\\b", "foo\nfoot\nfoo_\na-foo-b\néfoo\n", {}, [1, 4]],
    ["\\p{Greek}+", "abc\nαβγ\n", {}, [2]],
    ["interface{}", "interface{}\ninterface\n", {}, [1]],
    ["a{2,3}b", "aab\nab\naaaab\n", {}, [1, 3]],
    ["(?=foo)f(?!a)", "foo\nfa\n", {}, [1]],
    ["(\\w)\\1", "aa\nab\n", {}, [1]],
    ["(?<=a)b", "ab\nb\n", {}, [1]],
    ["ſ", "ſ\ns\nS\n", { ignoreCase: true }, [1, 2, 3]],
    [".", "😀\n\n", {}, [1]],
    ["^.$", "😀\né\nab\n", {}, [1, 2]],
  ] as const)("%s in %j", (pattern, text, options, expected) => {
    expect(matchingLines(pattern, text, options)).toEqual(expected);
  });

  test.each([
    ["a$", "a\r\nb\r\na", [1, 3]],
    ["^$", "\r\nx\r\n", [1]],
    ["a.", "a\r\nab\r\n", [2]],
    ["a\\r", "a\r\na\n", [1]],
    ["a\\s", "a\r\na \n", [2]],
    ["b$", "a\rb\n", [1]],
  ])("a carriage return before a line feed is not text, unless the pattern names it: %s", (pattern, text, expected) => {
    expect(matchingLines(pattern, text)).toEqual(expected);
  });

  test("bytes that are no UTF-8 match no character and hide none", () => {
    const bytes = Buffer.from("a\xffb\nab\n\xfffoo\n", "latin1");
    expect(matchingLines("a.b", bytes)).toEqual([]);
    expect(matchingLines("a[^x]b", bytes)).toEqual([]);
    expect(matchingLines("^.foo", bytes)).toEqual([]);
    expect(matchingLines("foo$", bytes)).toEqual([3]);
  });

  test.each([
    ["a\\nb", "a\nb\nc\n", [1, 2]],
    ["a\nb", "a\nb\nc\n", [1, 2]],
    ["b[^c]*d", "a\nb\nx\nd\nc\n", [2, 3, 4]],
    ["(?s)b.*?d", "a\nb\nx\nd\nd\n", [2, 3, 4]],
    ["b.*d", "b\nd\nbxd\n", [3]],
    ["^b$", "a\nb\nc\n", [2]],
    ["\\Aa|c\\z", "a\na\nc\nc", [1, 4]],
    ["foo|bar\\nbaz", "foo bar\nbaz\n", [1, 2]],
    ["(?=b\\n)b\\nc", "b\nc\n", [1, 2]],
    ["x*", "a\n\nb", [1, 2, 3]],
  ])("multiline %s in %j", (pattern, text, expected) => {
    expect(touchedLines(pattern, text)).toEqual(expected);
  });

  test.each([
    ["(", "an unclosed group", 1],
    ["foo(bar", "an unclosed group", 4],
    [")", "an unopened group", 1],
    ["*.ts", 'nothing to repeat before "*"', 1],
    ["[z-a]", "a range whose start is above its end", 2],
    ["[a", "an unclosed character class", 1],
    ["a{2,1}", "a repetition whose lower bound is above its upper one", 2],
    ["(?<n>x)(?<n>y)", 'a second group with the name "n"', 8],
    ["\\", "a backslash with nothing behind it", 1],
    ["é\\Q", "\\Q…\\E quoting is not supported", 2],
    ["\\h", "\\h is not supported", 1],
    ["(?z)", 'the unknown flag "z"', 1],
    ["\\p{Klingon}", 'the unknown Unicode property "Klingon"', 1],
    ["(a)\\2", 'no group "2" to refer to', 4],
    ["a\\nb", "a line feed in a search of single lines", 2],
    ["(?>a)", "an atomic group", 1],
  ])("refuses %s and says why and where", (pattern, reason, position) => {
    const error = refusal(pattern);
    expect(error.code).toBe("INVALID_PATTERN");
    expect(error.message).toContain(reason);
    expect(error.message).toContain(pattern);
    expect(error.details).toMatchObject({ pattern, position });
  });

  test("offers Glob for what is a file pattern, literal for everything else", () => {
    expect(refusal("*.ts").next).toContain("Glob");
    expect(refusal("*.ts").next).toContain("include");
    expect(refusal("foo(bar").next).toContain("literal: true");
    expect(refusal("a\nb").next).toContain("multiline: true");
  });

  test("refuses an empty pattern, one that is too long and one that is too large", () => {
    expect(refusal("").message).toContain("it is empty");
    expect(refusal("a".repeat(40_000)).message).toContain("it is too long");
    expect(refusal("(?:\\w{1000}){1000}").message).toContain("too large");
  });

  test.each([
    ["foo", false],
    ["(a+)+$", false],
    ["(?=a)b", true],
    ["(a)\\1", true],
  ])("whether %s needs backtracking: %s", (pattern, expected) => {
    expect(compilePattern(patternRequest(pattern)).backtracks).toBe(expected);
    expect(compilePattern(patternRequest(pattern, { multiline: true })).backtracks).toBe(expected);
  });

  test.each(["^(a+)+$", "(a|a)*b", "(a*)*c", "(?:a?){40}a{40}b", ".*.*.*=.*b", "(?:a|aa)+$b"])(
    "%s takes time in proportion to the text",
    (pattern) => {
      const text = `${"a".repeat(200_000)}!\n`;
      expect(matchingLines(pattern, text)).toEqual([]);
      expect(touchedLines(pattern, text)).toEqual([]);
    },
  );

  test("asks its checkpoint while a match makes many states", () => {
    const matcher = compilePattern(patternRequest("[ab]*a[ab]{16}c")).lineMatcher(() => {
      throw new Error("stopped");
    });
    let state = 1;
    const coin = (): boolean => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state & 1) === 1;
    };
    const text = Array.from({ length: 20_000 }, () => (coin() ? "a" : "b")).join("");
    expect(() => matcher.next(Buffer.from(text), 0, createLineHit())).toThrow("stopped");
  });

  describe.skipIf(rgPath === undefined)("beside rg", () => {
    test("finds the same lines", () => {
      fc.assert(sameLinesAsRipgrep(), { numRuns: 150 });
    });

    test("finds the same lines across line ends", () => {
      fc.assert(sameBlocksAsRipgrep(), { numRuns: 150 });
    });
  });
});
