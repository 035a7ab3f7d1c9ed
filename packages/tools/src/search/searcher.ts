// A pattern as one thread searches with it.

import type { LineMatcher } from "../pattern/line-matcher.ts";
import type { TextMatcher } from "../pattern/text-matcher.ts";
import { compilePattern, type Pattern, type PatternRequest } from "../pattern.ts";

export type Searcher = LineSearcher | BlockSearcher;

export interface LineSearcher {
  readonly multiline: false;
  readonly matcher: LineMatcher;
  /** False: what matches is the same bytes in every encoding. */
  readonly needsDecoding: boolean;
}

export interface BlockSearcher {
  readonly multiline: true;
  readonly matcher: TextMatcher;
  /** Texts (UTF-8) of which a file that matches holds one; undefined when none is needed. */
  readonly needles: readonly Buffer[] | undefined;
  readonly keepReturns: boolean;
}

/**
 * @param checkpoint called now and then in a long match; what it throws ends the search.
 * @throws ToolError INVALID_PATTERN.
 */
export function createSearcher(request: PatternRequest, checkpoint: () => void): Searcher {
  const pattern: Pattern = compilePattern(request);
  const { literals, keepReturns } = pattern;
  const isAscii = literals?.texts.every((text) => /^[\0-\x7f]*$/.test(text)) === true;
  if (request.multiline) {
    // What is not ASCII may be other bytes in the file.
    const needles = isAscii ? literals?.texts.map((text) => Buffer.from(text)) : undefined;
    return { multiline: true, matcher: pattern.textMatcher(checkpoint), needles, keepReturns };
  }
  const needsDecoding = !(isAscii && literals?.exact === true);
  return { multiline: false, matcher: pattern.lineMatcher(checkpoint), needsDecoding };
}
