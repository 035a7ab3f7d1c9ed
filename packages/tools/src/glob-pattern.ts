// File patterns in fast-glob's dialect (its matcher is micromatch), as tests of paths. Pure.
import { fastGlob, micromatch } from "./glob-libraries.ts";
import { hasGlobSyntax } from "./glob-syntax.ts";
import { invalidPattern } from "./pattern/invalid.ts";

export interface GlobPattern {
  /** @param path relative to the search root, with `/`; `name` is its last part. */
  matches(path: string, name: string): boolean;
  /** False when no file below this folder can match. @param folder relative to the search root, without a slash at its end. */
  mayMatchBelow(folder: string): boolean;
}

const MAX_PATTERN_CHARS = 4096;
/** Patterns that one with braces is written out as. */
const MAX_COPIES = 1000;
/** Numbers that one `{1..n}` may stand for. */
const MAX_RANGE = 1000;

/**
 * A pattern below a folder that is meant by its very name, whatever characters it has.
 * @param folder without a slash at its end.
 */
export function compileGlobBelow(folder: string, pattern: string): GlobPattern {
  const inside = `${folder}/`;
  const rest = compileGlob(pattern, { ofPath: true });
  return {
    matches: (path) => path.startsWith(inside) && rest.matches(path.slice(inside.length), ""),
    mayMatchBelow: (path) =>
      inside.startsWith(`${path}/`) || (path.startsWith(inside) && rest.mayMatchBelow(path.slice(inside.length))),
  };
}

/**
 * @param options.ofPath a pattern without a slash is no name at any depth but a path as well.
 * @throws ToolError INVALID_PATTERN.
 */
export function compileGlob(pattern: string, { ofPath = false }: { ofPath?: boolean } = {}): GlobPattern {
  const plain = normalized(pattern);
  if (plain === "") throw invalidPattern(pattern, undefined, "it names no file", 'use "**" for all files');
  if (plain.length > MAX_PATTERN_CHARS) {
    throw invalidPattern(pattern.slice(0, 100), undefined, "it is too long", "use a shorter one");
  }
  const expressions = expanded(plain).map(expressionOf);
  const isPath = ofPath || pattern.includes("/");
  return {
    matches: (path, name) => expressions.some((expression) => expression.test(isPath ? path : name)),
    mayMatchBelow: isPath ? reach(plain) : () => true,
  };
}

/** `./a//b/` as `a/b/**`. */
function normalized(pattern: string): string {
  const negated = pattern.startsWith("!") && pattern[1] !== "(" ? "!" : "";
  const plain = pattern
    .slice(negated.length)
    .replaceAll(/\/{2,}/g, "/")
    .replace(/^(?:\.\/)+/, "");
  return plain === "" ? "" : negated + (plain.endsWith("/") ? `${plain}**` : plain);
}

/** Braces written out, as fast-glob does; where that would be too much the matcher takes them as they are. */
function expanded(pattern: string): readonly string[] {
  const copies = copiesOf(pattern);
  if (copies === 1 || copies > MAX_COPIES) return [pattern];
  return micromatch().braces(pattern, { expand: true, nodupes: true, keepEscaping: true });
}

/** How many patterns the braces stand for, or a little more. */
function copiesOf(pattern: string): number {
  let copies = 1;
  for (const [, inside = ""] of pattern.matchAll(/\{([^{}]*)/g)) {
    const range = /^(-?\d+)\.\.(-?\d+)/.exec(inside);
    copies *= range === null ? inside.split(",").length + 1 : Math.abs(Number(range[1]) - Number(range[2])) + 1;
  }
  return copies;
}

function expressionOf(pattern: string): RegExp {
  try {
    const expression = micromatch().makeRe(pattern, {
      dot: true,
      posix: true,
      // Only files are matched: `a/**` is none called "a".
      strictSlashes: true,
      // Names may hold line feeds; without `expandRange` a range of several digits would be taken for text.
      ...({ flags: "s", expandRange: numbers } as object),
    });
    if (expression instanceof RegExp) return expression;
  } catch (error) {
    throw invalidPattern(pattern, undefined, error instanceof Error ? error.message : String(error));
  }
  throw invalidPattern(pattern, undefined, "it cannot be read");
}

function numbers(first: string, last: string, step?: string | object): string {
  const [from, to] = [Number(first), Number(last)];
  const by = Math.max(1, Math.abs(typeof step === "string" ? Number(step) : 1));
  if (Number.isSafeInteger(from) && Number.isSafeInteger(to) && Math.abs(to - from) / by < MAX_RANGE) {
    const width = /^-?0\d|^-?\d+,-?0\d/.test(`${first},${last}`) ? Math.max(first.length, last.length) : 0;
    const values: string[] = [];
    for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? by : -by) {
      values.push(String(value).padStart(width, "0"));
    }
    return `(?:${values.join("|")})`;
  }
  if (/^[A-Za-z]$/.test(first) && /^[A-Za-z]$/.test(last))
    return first <= last ? `[${first}-${last}]` : `[${last}-${first}]`;
  throw new RangeError(`the range {${first}..${last}} is too large`);
}

/** Folders outside those that fast-glob would begin in, or deeper than the pattern reaches, need not be walked. */
function reach(pattern: string): (folder: string) => boolean {
  // fast-glob would write all the braces out.
  if (pattern.startsWith("!") || copiesOf(pattern) > MAX_COPIES) return () => true;
  const areas = fastGlob()
    .generateTasks(pattern, { dot: true })
    .flatMap(({ base, positive }) => positive.map((part) => areaOf(part, base)));
  return (folder) => {
    const inside = `${folder}/`;
    const depth = folder.split("/").length;
    return areas.some(({ start, maxDepth }) => {
      return depth <= maxDepth && (inside.startsWith(start) || start.startsWith(inside));
    });
  };
}

interface Area {
  /** Path that all files of it begin with; empty or with a slash at its end. */
  readonly start: string;
  readonly maxDepth: number;
}

function areaOf(pattern: string, base: string): Area {
  // A group in parentheses counts as a plain name there, though it matches as a group.
  const start = base === "." || hasGlobSyntax(base) ? "" : `${base}/`;
  const parts = pattern.split("/");
  const isOpen = parts.some((part) => part.includes("**") || /[\\[\]{}()|]/.test(part));
  return { start, maxDepth: isOpen ? Number.POSITIVE_INFINITY : parts.length - 1 };
}
