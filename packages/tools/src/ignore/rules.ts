// One ignore file as a matcher. Plain names, endings and paths are looked up in maps; only the rest is matched one by one. Pure.
import { toBytes, wildmatch } from "./wildmatch.ts";

export type Verdict = "ignored" | "included";

export interface IgnoreRules {
  /**
   * What the last rule that matches an entry says; undefined when none does.
   * @param folder path of the entry's folder, empty or with a slash at its end.
   * @param skip how many characters of it lie in front of the part that the rules see.
   */
  verdict(folder: string, skip: number, name: string, isDirectory: boolean): Verdict | undefined;
}

interface Rule {
  /** Later rules win. */
  readonly index: number;
  readonly verdict: Verdict;
  readonly onlyDirectories: boolean;
}

/** Undefined when the text holds no rule. */
export function parseIgnoreRules(
  text: string,
  { ignoreCase = false }: { ignoreCase?: boolean } = {},
): IgnoreRules | undefined {
  const table: Table = { names: new Map(), endings: new Map(), paths: new Map(), expressions: [] };
  const lines = text.replace(/^\ufeff/, "").split("\n");
  for (const [index, line] of lines.entries()) addRule(table, line, index, ignoreCase);
  const isEmpty = table.names.size + table.endings.size + table.paths.size + table.expressions.length === 0;
  return isEmpty ? undefined : createRules(table, ignoreCase);
}

interface Table {
  readonly names: Map<string, Rule[]>;
  /** By what stands behind the last dot: `*.min.js` is under `js`. */
  readonly endings: Map<string, { readonly ending: string; readonly rule: Rule }[]>;
  /** By the last part: `/docs/dist` is under `dist`. */
  readonly paths: Map<string, { readonly path: string; readonly rule: Rule }[]>;
  /** Latest first. */
  readonly expressions: ExpressionRule[];
}

interface ExpressionRule {
  readonly expression: RegExp;
  readonly ofPath: boolean;
  /** Every path that matches holds this text, and no slash is in it. */
  readonly needle: string;
  readonly rule: Rule;
}

function createRules({ names, endings, paths, expressions }: Table, ignoreCase: boolean): IgnoreRules {
  return {
    verdict: (folder, skip, name, isDirectory) => {
      const plain = ignoreCase ? name.toLowerCase() : name;
      let best = better(undefined, names.get(plain), isDirectory);
      if (endings.size > 0) {
        for (const { ending, rule } of endings.get(plain.slice(plain.lastIndexOf(".") + 1)) ?? []) {
          if (plain.endsWith(ending)) best = better(best, [rule], isDirectory);
        }
      }
      if (paths.size > 0) {
        for (const { path, rule } of paths.get(plain) ?? []) {
          if (path === pathOf(folder, skip, name, ignoreCase)) best = better(best, [rule], isDirectory);
        }
      }
      for (const { expression, ofPath, needle, rule } of expressions) {
        if (best !== undefined && rule.index < best.index) break;
        if (rule.onlyDirectories && !isDirectory) continue;
        if (!ignoreCase && needle !== "" && !name.includes(needle) && !(ofPath && folder.includes(needle))) continue;
        if (expression.test(toBytes(ofPath ? folder.slice(skip) + name : name))) return rule.verdict;
      }
      return best?.verdict;
    },
  };
}

function pathOf(folder: string, skip: number, name: string, ignoreCase: boolean): string {
  const path = folder.slice(skip) + name;
  return ignoreCase ? path.toLowerCase() : path;
}

function better(best: Rule | undefined, rules: readonly Rule[] | undefined, isDirectory: boolean): Rule | undefined {
  if (rules === undefined) return best;
  const found = rules.findLast((rule) => isDirectory || !rule.onlyDirectories);
  return found !== undefined && (best === undefined || found.index > best.index) ? found : best;
}

function addRule(table: Table, line: string, index: number, ignoreCase: boolean): void {
  let pattern = trimmed(line);
  if (pattern.startsWith("#")) return;
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const onlyDirectories = pattern.endsWith("/");
  if (onlyDirectories) pattern = pattern.slice(0, -1);
  if (pattern === "") return;
  const rule: Rule = { index, verdict: negated ? "included" : "ignored", onlyDirectories };
  // In front of a single name "**/" says nothing.
  if (/^\*\*\/[^/]+$/.test(pattern)) pattern = pattern.slice(3);
  const ofPath = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  const text = literal(pattern);
  if (text !== undefined) {
    const plain = ignoreCase ? text.toLowerCase() : text;
    if (ofPath) append(table.paths, plain.slice(plain.lastIndexOf("/") + 1), { path: plain, rule });
    else append(table.names, plain, rule);
    return;
  }
  const ending = ofPath ? undefined : plainEnding(pattern);
  if (ending !== undefined) {
    const plain = ignoreCase ? ending.toLowerCase() : ending;
    append(table.endings, plain.slice(plain.lastIndexOf(".") + 1), { ending: plain, rule });
    return;
  }
  const expression = wildmatch(toBytes(pattern), { ignoreCase });
  if (expression !== undefined) table.expressions.unshift({ expression, ofPath, needle: needleOf(pattern), rule });
}

/** The longest piece of a pattern that stands for itself. */
function needleOf(pattern: string): string {
  const pieces = /[[\\]/.test(pattern) ? [] : pattern.split(/[*?/]/);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** Without the carriage return of the line's end and without trailing spaces that no backslash keeps. */
function trimmed(line: string): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  const kept = /^(?:[^\\ ]|\\.| +(?=[^ ]))*/s.exec(text)?.[0] ?? "";
  // A lone backslash at the end is part of the pattern.
  return text.startsWith("\\", kept.length) ? text : kept;
}

/** The text that the pattern stands for when nothing in it is special. */
function literal(pattern: string): string | undefined {
  if (/[*?[]/.test(pattern.replaceAll(/\\./gs, ""))) return undefined;
  return /(?:^|[^\\])(?:\\\\)*\\$/.test(pattern) ? undefined : pattern.replaceAll(/\\(.)/gs, "$1");
}

/** `.ext` of `*.ext`. */
function plainEnding(pattern: string): string | undefined {
  return /^\*\.[^*?[\\]+$/.test(pattern) ? pattern.slice(1) : undefined;
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
