// A pattern as one thread searches with it.

import type { LineMatcher } from "../pattern/line-matcher.ts";
import type { TextMatcher } from "../pattern/text-matcher.ts";
import { createTextSearch, type TextSearch } from "../pattern/text-search.ts";
import { compilePattern, type Pattern, type PatternRequest } from "../pattern.ts";

export type Searcher = LineSearcher | BlockSearcher;

export interface LineSearcher {
  readonly multiline: false;
  readonly matcher: LineMatcher;
  /** When a text without match, taken for UTF-8, may have matches in its real encoding. */
  readonly decodes: "never" | "with candidates" | "always";
}

export interface BlockSearcher {
  readonly multiline: true;
  readonly matcher: TextMatcher;
  /** Finds texts of which a file that matches holds one, whatever its encoding; undefined when none is needed. */
  readonly needles: TextSearch | undefined;
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
    const needles = isAscii && literals !== undefined ? createTextSearch(literals.texts, literals.folded) : undefined;
    return { multiline: true, matcher: pattern.textMatcher(checkpoint), needles, keepReturns };
  }
  // ASCII is the same bytes in every encoding that has no byte order mark.
  const decodes = !isAscii ? "always" : literals?.exact === true ? "never" : "with candidates";
  return { multiline: false, matcher: pattern.lineMatcher(checkpoint), decodes };
}
