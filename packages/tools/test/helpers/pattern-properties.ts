// What a pattern finds, beside what rg finds with it.
import fc from "fast-check";
import { expect } from "vitest";
import { createLineHit } from "../../src/pattern/line-matcher.ts";
import type { TextMatcher } from "../../src/pattern/text-matcher.ts";
import { compilePattern, type PatternRequest } from "../../src/pattern.ts";
import { blocksOf } from "../../src/search/multiline.ts";
import { randomLines, randomPattern } from "./random-pattern.ts";
import { lineNumbers, runRipgrep } from "./ripgrep.ts";

export type PatternOptions = Partial<Omit<PatternRequest, "pattern">>;

export function patternRequest(pattern: string, options: PatternOptions = {}): PatternRequest {
  return { pattern, literal: false, ignoreCase: false, multiline: false, ...options };
}

/** Numbers of the lines that match. */
export function matchingLines(pattern: string, text: string | Buffer, options?: PatternOptions): number[] {
  const bytes = Buffer.from(text);
  const matcher = compilePattern(patternRequest(pattern, options)).lineMatcher(() => undefined);
  const hit = createLineHit();
  const found: number[] = [];
  let line = 1;
  let counted = 0;
  for (let from = 0; matcher.next(bytes, from, hit); from = hit.lineEnd + 1) {
    for (; counted < hit.lineStart; counted += 1) if (bytes[counted] === 10) line += 1;
    found.push(line);
  }
  return found;
}

/** Numbers of the lines that matches over several lines touch. */
export function touchedLines(pattern: string, text: string, options?: PatternOptions): number[] {
  return linesOfBlocks(text, textMatcher(pattern, options));
}

function textMatcher(pattern: string, options?: PatternOptions): TextMatcher {
  return compilePattern(patternRequest(pattern, { ...options, multiline: true })).textMatcher(() => undefined);
}

function linesOfBlocks(text: string, matcher: TextMatcher): number[] {
  return [...blocksOf(Buffer.from(text), matcher)].flatMap(({ line, lastLine }) =>
    Array.from({ length: lastLine - line + 1 }, (_, index) => line + index),
  );
}

/** As rg does it: it looks for each further match in what is left of the text, whose start it takes for a line's. */
function inRests(matcher: TextMatcher): TextMatcher {
  return {
    find: (bytes, from) => {
      const found = matcher.find(bytes.subarray(from), 0);
      return found && { start: from + found.start, end: from + found.end };
    },
  };
}

/** Every line that rg finds, and no other; single lines. */
export function sameLinesAsRipgrep(): fc.IProperty<[string, string, boolean]> {
  return fc.property(randomPattern(), randomLines(["\n", "\n", "\r\n"]), fc.boolean(), (pattern, text, ignoreCase) => {
    // For half boundaries rg looks at the carriage return, which is not text here.
    fc.pre(!(text.includes("\r") && pattern.includes("half")));
    const expected = ripgrepLines(pattern, text, ["--crlf", ...(ignoreCase ? ["-i"] : [])]);
    fc.pre(expected !== "refused");
    expect(matchingLines(pattern, text, { ignoreCase })).toEqual(expected);
  });
}

/** The same where a match may go over several lines. */
export function sameBlocksAsRipgrep(): fc.IProperty<[string, string, boolean]> {
  return fc.property(
    randomPattern(["\\n", "\\s+", "(?s:.*)", "[\\s\\S]*?", "\\B"]),
    randomLines(["\n"]),
    fc.boolean(),
    (pattern, text, ignoreCase) => {
      const expected = ripgrepLines(pattern, text, ["-U", ...(ignoreCase ? ["-i"] : [])]);
      fc.pre(expected !== "refused");
      const asRipgrep = linesOfBlocks(text, inRests(textMatcher(pattern, { ignoreCase })));
      expect([touchedLines(pattern, text, { ignoreCase }), asRipgrep]).toContainEqual(expected);
    },
  );
}

function ripgrepLines(pattern: string, text: string, args: readonly string[]): number[] | "refused" {
  try {
    return lineNumbers(runRipgrep(["-a", "-n", ...args, "-e", pattern, "-"], { input: Buffer.from(text) }));
  } catch {
    return "refused";
  }
}
