import { charSet, isCased } from "./char-set.ts";
import { type AssertNode, type ClassNode, type PatternNode, someNode } from "./syntax.ts";
import { ASCII_WORD, codeSource, WORD } from "./unicode-class.ts";

/**
 * The same pattern as a global JavaScript expression, for what the automaton cannot do: look-around, back references and
 * the extent of a match. Line ends are line feeds only: carriage returns before them must be taken away first.
 */
export function toRegExp(node: PatternNode): RegExp {
  const folding = caseFolding(node);
  return new RegExp(sourceOf(node, folding === "mixed"), folding === "all" ? "giv" : "gv");
}

/** Whether case is ignored in all places where it matters, in none, or only in some. */
function caseFolding(node: PatternNode): "all" | "none" | "mixed" {
  const matters = (of: PatternNode, ignoreCase: boolean): boolean =>
    (of.kind === "char" && isCased(of.code) && of.ignoreCase === ignoreCase) ||
    (of.kind === "class" && of.source !== ANY_BUT_LINE_FEED && of.ignoreCase === ignoreCase) ||
    (of.kind === "back" && of.ignoreCase === ignoreCase);
  const ignored = someNode(node, (of) => matters(of, true));
  if (!ignored) return "none";
  return someNode(node, (of) => matters(of, false)) ? "mixed" : "all";
}

const ANY_BUT_LINE_FEED = "[^\\n]";

function sourceOf(node: PatternNode, expand: boolean): string {
  switch (node.kind) {
    case "empty":
      return "(?:)";
    case "char":
      return expand && node.ignoreCase && isCased(node.code)
        ? foldedClass({ kind: "class", source: `[${codeSource(node.code)}]`, ignoreCase: true })
        : codeSource(node.code);
    case "class":
      return expand && node.ignoreCase ? foldedClass(node) : node.source;
    case "assert":
      return assertion(node);
    case "concat":
      return node.parts.map((part) => grouped(part, expand)).join("");
    case "alternate":
      return node.options.map((option) => sourceOf(option, expand)).join("|");
    case "capture":
      return `(${sourceOf(node.of, expand)})`;
    case "repeat": {
      const max = node.max === Number.POSITIVE_INFINITY ? "" : node.max;
      return `(?:${sourceOf(node.of, expand)}){${node.min},${max}}${node.lazy ? "?" : ""}`;
    }
    case "look":
      return `(?${node.behind ? "<" : ""}${node.negative ? "!" : "="}${sourceOf(node.of, expand)})`;
    case "back":
      return `(?:\\${node.index})`;
  }
}

function grouped(node: PatternNode, expand: boolean): string {
  const source = sourceOf(node, expand);
  return node.kind === "alternate" ? `(?:${source})` : source;
}

function assertion({ at, ascii }: AssertNode): string {
  const word = `[${ascii ? ASCII_WORD : WORD}]`;
  switch (at) {
    case "lineStart":
      return "(?<![^\\n])";
    case "lineEnd":
      return "(?![^\\n])";
    case "textStart":
      return "(?<![^])";
    case "textEnd":
      return "(?![^])";
    case "word":
      return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    case "notWord":
      return `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
    case "wordStart":
      return `(?:(?<!${word})(?=${word}))`;
    case "wordEnd":
      return `(?:(?<=${word})(?!${word}))`;
    case "wordStartHalf":
      return `(?<!${word})`;
    case "wordEndHalf":
      return `(?!${word})`;
  }
}

let casedText: string | undefined;

/** The class with every other case of its members, for patterns that ignore case only in places. */
function foldedClass(node: ClassNode): string {
  casedText ??= allCased();
  const set = charSet(node);
  const members = Array.from(casedText, (char) => char.codePointAt(0) ?? 0).filter((code) => set.has(code));
  return `[${node.source}${members.map(codeSource).join("")}]`;
}

/** Every character that has another case; all of them lie below U+20000. */
function allCased(): string {
  const all = Array.from({ length: 0x20000 }, (_, code) =>
    code >= 0xd800 && code <= 0xdfff ? "" : String.fromCodePoint(code),
  );
  return (all.join("").match(/\p{Changes_When_Casemapped}/gu) ?? []).join("");
}
