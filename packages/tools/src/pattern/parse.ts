import { asciiFolded } from "./char-set.ts";
import { type Cursor, fail, peek, skipVerbose, take, takeIf, takeMatch } from "./cursor.ts";
import { parseClass } from "./parse-class.ts";
import { parseEscape } from "./parse-escape.ts";
import { type CharNode, type ClassNode, EMPTY, type Flags, type PatternNode } from "./syntax.ts";

export interface ParsedPattern {
  readonly node: PatternNode;
  readonly captures: number;
}

/** Groups nested deeper than this are refused before they exhaust the stack; ripgrep's limit. */
const MAX_DEPTH = 250;
const FLAG_NAMES: Readonly<Record<string, keyof Flags>> = {
  i: "ignoreCase",
  m: "multiLine",
  s: "dotAll",
  U: "swapGreed",
  u: "unicode",
  x: "verbose",
};

interface Reading extends Cursor {
  readonly names: Map<string, number>;
  readonly backs: { readonly index: number; readonly group: number | string }[];
  captures: number;
  depth: number;
}

/**
 * Reads a pattern in the syntax of ripgrep's default engine; look-around and back references are read as well.
 * @throws ToolError INVALID_PATTERN.
 */
export function parsePattern(pattern: string, { ignoreCase }: { readonly ignoreCase: boolean }): ParsedPattern {
  const reading: Reading = { pattern, index: 0, names: new Map(), backs: [], captures: 0, depth: 0 };
  const flags = { ignoreCase, multiLine: true, dotAll: false, swapGreed: false, unicode: true, verbose: false };
  const node = alternation(reading, flags);
  if (reading.index < pattern.length) fail(reading, reading.index, "an unopened group");
  for (const { index, group } of reading.backs) {
    if (groupIndex(reading, group) === undefined) fail(reading, index, `no group "${group}" to refer to`);
  }
  return { node, captures: reading.captures };
}

function groupIndex(reading: Reading, group: number | string): number | undefined {
  if (typeof group === "string") return reading.names.get(group);
  return group <= reading.captures ? group : undefined;
}

/** Reads up to the closing parenthesis or the end; flags set inside end with it. */
function alternation(reading: Reading, outer: Flags): PatternNode {
  let flags = outer;
  const options: PatternNode[] = [];
  let parts: PatternNode[] = [];
  for (;;) {
    if (flags.verbose) skipVerbose(reading);
    const char = peek(reading);
    if (char === "" || char === ")") break;
    if (char === "|") {
      reading.index += 1;
      options.push(sequence(parts));
      parts = [];
      continue;
    }
    const set = inlineFlags(reading, flags);
    if (set === undefined) parts.push(repeated(reading, atom(reading, flags), flags));
    else flags = set;
  }
  options.push(sequence(parts));
  return options.length === 1 ? (options[0] ?? EMPTY) : { kind: "alternate", options };
}

function sequence(parts: readonly PatternNode[]): PatternNode {
  return parts.length === 1 ? (parts[0] ?? EMPTY) : parts.length === 0 ? EMPTY : { kind: "concat", parts };
}

/** `(?i)`: the flags from here to the end of the group. Undefined when something else comes next. */
function inlineFlags(reading: Reading, flags: Flags): Flags | undefined {
  const start = reading.index;
  const found = takeMatch(reading, /\(\?([A-Za-z-]*)\)/y);
  if (found === undefined) return undefined;
  return withFlags(reading, start, found[1] ?? "", flags);
}

function withFlags(reading: Reading, start: number, letters: string, flags: Flags): Flags {
  const changed = { ...flags };
  const [on = "", off, more] = letters.split("-");
  if (more !== undefined || off === "" || letters === "") fail(reading, start, "a group of flags without flags");
  for (const [letters, value] of [
    [on, true],
    [off ?? "", false],
  ] as const) {
    for (const letter of letters) {
      const name = FLAG_NAMES[letter];
      // R (CRLF ends lines) holds for every pattern.
      if (name === undefined && letter !== "R") fail(reading, start, `the unknown flag "${letter}"`);
      if (name !== undefined) changed[name] = value;
    }
  }
  return changed;
}

function atom(reading: Reading, flags: Flags): PatternNode {
  const start = reading.index;
  const char = take(reading);
  switch (char) {
    case "(":
      return group(reading, start, flags);
    case "[":
      return oneOf({ kind: "class", source: parseClass(reading, flags), ignoreCase: flags.ignoreCase }, flags);
    case ".":
      return { kind: "class", source: flags.dotAll ? "[\\p{Any}]" : "[^\\n]", ignoreCase: false };
    case "^":
      return { kind: "assert", at: flags.multiLine ? "lineStart" : "textStart", ascii: false };
    case "$":
      return { kind: "assert", at: flags.multiLine ? "lineEnd" : "textEnd", ascii: false };
    case "\\":
      return escaped(reading, start, flags);
    case "*":
    case "+":
    case "?":
      return fail(reading, start, `nothing to repeat before "${char}"`);
    default:
      return oneOf({ kind: "char", code: char.codePointAt(0) ?? 0, ignoreCase: flags.ignoreCase }, flags);
  }
}

function oneOf(node: CharNode | ClassNode, { unicode }: Flags): PatternNode {
  return unicode ? node : asciiFolded(node);
}

function escaped(reading: Reading, start: number, flags: Flags): PatternNode {
  const found = parseEscape(reading, flags);
  switch (found.kind) {
    case "char":
      return oneOf({ kind: "char", code: found.code, ignoreCase: flags.ignoreCase }, flags);
    case "members": {
      const source = `[${found.negated ? "^" : ""}${found.source}]`;
      return oneOf({ kind: "class", source, ignoreCase: flags.ignoreCase }, flags);
    }
    case "assert":
      return { kind: "assert", at: found.at, ascii: !flags.unicode };
    case "back":
      return backReference(reading, start, found.group, flags);
  }
}

function backReference(reading: Reading, start: number, group: number | string, flags: Flags): PatternNode {
  reading.backs.push({ index: start, group });
  const index = typeof group === "number" ? group : (reading.names.get(group) ?? 0);
  return { kind: "back", index, ignoreCase: flags.ignoreCase };
}

function group(reading: Reading, start: number, flags: Flags): PatternNode {
  reading.depth += 1;
  if (reading.depth > MAX_DEPTH) fail(reading, start, "groups nested too deeply");
  const node = groupNode(reading, start, flags);
  reading.depth -= 1;
  return node;
}

function groupNode(reading: Reading, start: number, flags: Flags): PatternNode {
  if (!takeIf(reading, "?")) return captured(reading, start, undefined, flags);
  const named = takeMatch(reading, /P?<([A-Za-z_][\w.[\]]*)>/y);
  if (named !== undefined) return captured(reading, start, named[1], flags);
  const back = takeMatch(reading, /P=(\w+)\)/y);
  if (back !== undefined) return backReference(reading, start, back[1] ?? "", flags);
  const look = takeMatch(reading, /(<?)([=!])/y);
  if (look !== undefined) {
    return { kind: "look", behind: look[1] === "<", negative: look[2] === "!", of: closed(reading, start, flags) };
  }
  const set = takeMatch(reading, /([A-Za-z-]*):/y);
  if (set !== undefined) {
    const letters = set[1] ?? "";
    return closed(reading, start, letters === "" ? flags : withFlags(reading, start, letters, flags));
  }
  if (takeIf(reading, ">")) return fail(reading, start, "an atomic group, which is not supported");
  if (/^P?</.test(reading.pattern.slice(reading.index))) return fail(reading, start, "a bad group name");
  if (!reading.pattern.includes(")", reading.index)) return fail(reading, start, "an unclosed group");
  return fail(reading, start, "an unknown kind of group");
}

function captured(reading: Reading, start: number, name: string | undefined, flags: Flags): PatternNode {
  reading.captures += 1;
  const index = reading.captures;
  if (name !== undefined) {
    if (reading.names.has(name)) fail(reading, start, `a second group with the name "${name}"`);
    reading.names.set(name, index);
  }
  return { kind: "capture", index, of: closed(reading, start, flags) };
}

function closed(reading: Reading, start: number, flags: Flags): PatternNode {
  const node = alternation(reading, flags);
  if (!takeIf(reading, ")")) fail(reading, start, "an unclosed group");
  return node;
}

function repeated(reading: Reading, of: PatternNode, flags: Flags): PatternNode {
  let node = of;
  for (;;) {
    if (flags.verbose) skipVerbose(reading);
    const bounds = quantifier(reading);
    if (bounds === undefined) return node;
    const lazy = takeIf(reading, "?") !== flags.swapGreed;
    node = { kind: "repeat", of: node, min: bounds[0], max: bounds[1], lazy };
  }
}

/** Braces that are no quantifier are text: models write `interface{}`. */
function quantifier(reading: Reading): readonly [min: number, max: number] | undefined {
  const start = reading.index;
  if (takeIf(reading, "*")) return [0, Number.POSITIVE_INFINITY];
  if (takeIf(reading, "+")) return [1, Number.POSITIVE_INFINITY];
  if (takeIf(reading, "?")) return [0, 1];
  if (takeMatch(reading, /\{\s*,\s*\d+\s*\}/y) !== undefined) {
    fail(reading, start, "a repetition without its lower bound (write {0,n})");
  }
  const counted = takeMatch(reading, /\{\s*(\d+)\s*(?:(,)\s*(\d+)?\s*)?\}/y);
  if (counted === undefined) return undefined;
  const min = Number(counted[1]);
  const max = counted[2] === undefined ? min : counted[3] === undefined ? Number.POSITIVE_INFINITY : Number(counted[3]);
  if (min > max) fail(reading, start, "a repetition whose lower bound is above its upper one");
  return [min, max];
}
