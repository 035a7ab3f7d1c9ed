import { type Cursor, fail, peek, skipVerbose, take, takeIf, takeMatch } from "./cursor.ts";
import { parseEscape } from "./parse-escape.ts";
import type { Flags } from "./syntax.ts";
import { codeSource, POSIX } from "./unicode-class.ts";

/** Classes nested deeper than this are refused before they exhaust the stack. */
const MAX_DEPTH = 100;

type Item = { readonly code: number } | { readonly source: string };

/**
 * Reads a bracket class in Rust's syntax (nested classes, `&&`, `--`, `~~`, POSIX names); the cursor stands behind `[`.
 * @returns the same class in the syntax of the `v` flag, brackets included.
 */
export function parseClass(cursor: Cursor, flags: Flags, depth = 0): string {
  const start = cursor.index - 1;
  if (depth > MAX_DEPTH) fail(cursor, start, "classes nested too deeply");
  const negated = takeIf(cursor, "^");
  let whole: string | undefined;
  let operator = "";
  let union = "";
  const join = (): void => {
    whole = whole === undefined ? `[${union}]` : combine(whole, operator, `[${union}]`);
    union = "";
  };
  // A bracket or dashes right at the start are members.
  while (takeIf(cursor, "-")) union += "\\-";
  if (union === "" && takeIf(cursor, "]")) union = "\\]";
  for (;;) {
    if (flags.verbose) skipVerbose(cursor);
    if (peek(cursor) === "") fail(cursor, start, "an unclosed character class");
    if (takeIf(cursor, "]")) break;
    const found = takeMatch(cursor, /&&|--|~~/y)?.[0];
    if (found === undefined) {
      union += member(cursor, flags, depth);
    } else {
      join();
      operator = found;
    }
  }
  join();
  return negated ? `[^${whole}]` : (whole ?? "[]");
}

function combine(left: string, operator: string, right: string): string {
  if (operator === "~~") return `[[${left}--${right}][${right}--${left}]]`;
  return `[${left}${operator}${right}]`;
}

function member(cursor: Cursor, flags: Flags, depth: number): string {
  const start = cursor.index;
  const first = item(cursor, flags, depth);
  if (flags.verbose) skipVerbose(cursor);
  // A dash is a range unless the class ends behind it or it begins an operator.
  if (!/^-(?![-\]])/.test(cursor.pattern.slice(cursor.index, cursor.index + 2))) return sourceOf(first);
  cursor.index += 1;
  if (flags.verbose) skipVerbose(cursor);
  if (peek(cursor) === "") fail(cursor, start, "an unclosed character class");
  const last = item(cursor, flags, depth);
  if (!("code" in first) || !("code" in last)) fail(cursor, start, "a range whose end is not a single character");
  if (first.code > last.code) fail(cursor, start, "a range whose start is above its end");
  return `${codeSource(first.code)}-${codeSource(last.code)}`;
}

function item(cursor: Cursor, flags: Flags, depth: number): Item {
  const start = cursor.index;
  const posix = takeMatch(cursor, /\[:(\^?)([a-z]+):\]/y);
  if (posix !== undefined) {
    const members = POSIX[posix[2] ?? ""];
    if (members !== undefined) return { source: posix[1] === "^" ? `[^${members}]` : `[${members}]` };
    cursor.index = start;
  }
  const char = take(cursor);
  if (char === "[") return { source: parseClass(cursor, flags, depth + 1) };
  if (char !== "\\") return { code: char.codePointAt(0) ?? 0 };
  const escaped = parseEscape(cursor, flags);
  if (escaped.kind === "char") return { code: escaped.code };
  if (escaped.kind === "members") return { source: `[${escaped.negated ? "^" : ""}${escaped.source}]` };
  return fail(cursor, start, "an escape that has no meaning inside a class");
}

function sourceOf(item: Item): string {
  return "code" in item ? codeSource(item.code) : item.source;
}
