import { createAutomaton } from "./pattern/automaton.ts";
import { backtrackingTextMatcher, execAtBorders } from "./pattern/backtracking.ts";
import { charSet } from "./pattern/char-set.ts";
import { invalidPattern } from "./pattern/invalid.ts";
import {
  automatonMatcher,
  filteredMatcher,
  type LineMatcher,
  literalMatcher,
  testedMatcher,
  textEndOf,
} from "./pattern/line-matcher.ts";
import { type Literals, requiredLiterals } from "./pattern/literals.ts";
import { parsePattern } from "./pattern/parse.ts";
import { compileProgram } from "./pattern/program.ts";
import { type PatternNode, someNode } from "./pattern/syntax.ts";
import { createTextMatcher, type TextMatcher } from "./pattern/text-matcher.ts";
import { toRegExp } from "./pattern/to-regexp.ts";

/** A pattern as a caller gives it; structured-clone values, so that each thread compiles its own. */
export interface PatternRequest {
  readonly pattern: string;
  /** The pattern is text, no character is special. */
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** A match may cross line ends. */
  readonly multiline: boolean;
}

/** A pattern that was understood. */
export interface Pattern {
  /** Whether a match may need backtracking, which no one can bound: such a search runs under a time limit. */
  readonly backtracks: boolean;
  /** Carriage returns before line feeds are text for this pattern: it names them. */
  readonly keepReturns: boolean;
  /** Texts that every match holds at least one of. */
  readonly literals: Literals | undefined;
  /** @param checkpoint called now and then in a long match; what it throws ends the search. */
  lineMatcher(checkpoint: () => void): LineMatcher;
  /** For `multiline`: finds matches in whole texts whose line ends are line feeds (where `keepReturns`, whatever they are). */
  textMatcher(checkpoint: () => void): TextMatcher;
}

/** Longer patterns are refused. */
const MAX_PATTERN_CHARS = 32_768;

/** @throws ToolError INVALID_PATTERN: where, why and what to do instead. */
export function compilePattern(request: PatternRequest): Pattern {
  const { pattern, literal, ignoreCase, multiline } = request;
  if (pattern === "") throw invalidPattern(pattern, undefined, "it is empty", "give the text to search for");
  if (pattern.length > MAX_PATTERN_CHARS) {
    throw invalidPattern(pattern, undefined, "it is too long", "search for a shorter part of it");
  }
  const node = literal ? textNode(pattern, ignoreCase) : parsePattern(pattern, { ignoreCase }).node;
  if (!multiline && someNode(node, isLineFeed)) {
    throw invalidPattern(
      pattern,
      lineFeedIndex(pattern),
      "a line feed in a search of single lines",
      "set multiline: true",
    );
  }
  const program = compileProgram(node);
  const backtracks = someNode(node, ({ kind }) => kind === "look" || kind === "back");
  if (program === undefined && !backtracks) {
    throw invalidPattern(
      pattern,
      undefined,
      "it is too large once its repetitions are written out",
      "use smaller repetitions",
    );
  }
  const keepReturns = someNode(node, namesReturn);
  const literals = multiline ? withinLines(requiredLiterals(node)) : requiredLiterals(node);
  return {
    backtracks,
    keepReturns,
    literals,
    textMatcher: (checkpoint) =>
      program === undefined
        ? backtrackingTextMatcher(expressionOf(pattern, node))
        : createTextMatcher(program, checkpoint),
    lineMatcher: (checkpoint) => {
      if (literals?.exact) return literalMatcher(literals);
      if (program === undefined) return backtrackingMatcher(expressionOf(pattern, node), literals, keepReturns);
      const automaton = createAutomaton(program, { keepReturns, checkpoint });
      if (literals === undefined) return automatonMatcher(automaton);
      return filteredMatcher(literals, (bytes, start, end) =>
        automaton.find(bytes, start, keepReturns ? end : textEndOf(bytes, start, end)),
      );
    },
  };
}

function backtrackingMatcher(expression: RegExp, literals: Literals | undefined, keepReturns: boolean): LineMatcher {
  const test = (bytes: Buffer, start: number, end: number): number => {
    const line = bytes.toString("utf8", start, keepReturns ? end : textEndOf(bytes, start, end));
    expression.lastIndex = 0;
    const match = execAtBorders(expression, line);
    return match === null ? -1 : start + Buffer.byteLength(line.slice(0, match.index));
  };
  return literals === undefined ? testedMatcher(test) : filteredMatcher(literals, test);
}

function expressionOf(pattern: string, node: PatternNode): RegExp {
  try {
    return toRegExp(node);
  } catch (error) {
    throw invalidPattern(pattern, undefined, error instanceof Error ? error.message : String(error));
  }
}

/** Line ends in a file may be two bytes: of each text only its longest piece of one line can be searched for in bytes. */
function withinLines(literals: Literals | undefined): Literals | undefined {
  const texts = literals?.texts.map((text) =>
    text.split(/\r?\n/).reduce((longest, piece) => (piece.length > longest.length ? piece : longest)),
  );
  return texts?.every((text) => text.length > 1)
    ? { texts, exact: false, folded: literals?.folded ?? false }
    : undefined;
}

function textNode(text: string, ignoreCase: boolean): PatternNode {
  return {
    kind: "concat",
    parts: Array.from(text, (char) => ({ kind: "char", code: char.codePointAt(0) ?? 0, ignoreCase })),
  };
}

function isLineFeed(node: PatternNode): boolean {
  return (node.kind === "char" && node.code === 10) || (node.kind === "class" && node.source === "[\\u{a}]");
}

function lineFeedIndex(pattern: string): number {
  return Math.max(0, pattern.search(/\n|\\n|\\x0[aA]|\\[xuU]\{0*[aA]\}/));
}

function namesReturn(node: PatternNode): boolean {
  if (node.kind === "char") return node.code === 13;
  return node.kind === "class" && node.source.includes("\\u{d}") && charSet(node).has(13);
}
