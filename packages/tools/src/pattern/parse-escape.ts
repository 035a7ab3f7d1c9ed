import { type Cursor, fail, take, takeIf, takeMatch } from "./cursor.ts";
import type { Assertion, Flags } from "./syntax.ts";
import { ASCII_DIGIT, ASCII_SPACE, ASCII_WORD, DIGIT, SPACE, unicodeProperty, WORD } from "./unicode-class.ts";

export type Escape =
  | { readonly kind: "char"; readonly code: number }
  | { readonly kind: "members"; readonly source: string; readonly negated: boolean }
  | { readonly kind: "assert"; readonly at: Assertion }
  | { readonly kind: "back"; readonly group: number | string };

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const BOUNDARIES: Readonly<Record<string, Assertion>> = {
  start: "wordStart",
  end: "wordEnd",
  "start-half": "wordStartHalf",
  "end-half": "wordEndHalf",
};
const REASONS: Readonly<Record<string, string>> = {
  h: "\\h is not supported (use [ \\t])",
  H: "\\H is not supported (use [^ \\t])",
  Z: "\\Z is not supported (use $ or \\z)",
  K: "\\K is not supported",
  G: "\\G is not supported",
  R: "\\R is not supported (use \\r?\\n with multiline: true)",
  X: "\\X is not supported",
  Q: "\\Q…\\E quoting is not supported",
  E: "\\Q…\\E quoting is not supported",
};

/** Reads what follows a backslash; the cursor stands behind it. */
export function parseEscape(cursor: Cursor, flags: Flags): Escape {
  const start = cursor.index - 1;
  const char = take(cursor);
  if (char === "") fail(cursor, start, "a backslash with nothing behind it");
  const control = CONTROLS[char];
  if (control !== undefined) return { kind: "char", code: control };
  const members = perlClass(char, flags.unicode);
  if (members !== undefined) return members;
  switch (char) {
    case "p":
    case "P":
      return property(cursor, start, char === "P");
    case "x":
    case "u":
    case "U":
      return { kind: "char", code: hexCode(cursor, start, char) };
    case "A":
      return { kind: "assert", at: "textStart" };
    case "z":
      return { kind: "assert", at: "textEnd" };
    case "b":
      return { kind: "assert", at: boundary(cursor) };
    case "B":
      return { kind: "assert", at: "notWord" };
    case "<":
      return { kind: "assert", at: "wordStart" };
    case ">":
      return { kind: "assert", at: "wordEnd" };
    case "k":
      return { kind: "back", group: groupName(cursor, start) };
  }
  if (/[1-9]/.test(char)) return { kind: "back", group: Number(char + (takeMatch(cursor, /\d/y)?.[0] ?? "")) };
  // Only ASCII punctuation may be escaped for nothing; letters are kept free for a meaning.
  if (/^[\x20-\x7e]$/.test(char) && !/[0-9A-Za-z]/.test(char)) return { kind: "char", code: char.charCodeAt(0) };
  return fail(cursor, start, REASONS[char] ?? `the unknown escape "\\${char}"`);
}

function perlClass(char: string, unicode: boolean): Escape | undefined {
  const source = { d: [DIGIT, ASCII_DIGIT], s: [SPACE, ASCII_SPACE], w: [WORD, ASCII_WORD] }[char.toLowerCase()];
  if (source === undefined) return undefined;
  return { kind: "members", source: source[unicode ? 0 : 1] ?? "", negated: char !== char.toLowerCase() };
}

function property(cursor: Cursor, start: number, negated: boolean): Escape {
  const name = takeMatch(cursor, /\{(\^?)([^{}]*)\}/y) ?? takeMatch(cursor, /()([A-Za-z])/y);
  if (name === undefined) fail(cursor, start, "a Unicode property without its name");
  const source = unicodeProperty(name[2] ?? "");
  if (source === undefined) fail(cursor, start, `the unknown Unicode property "${name[2]}"`);
  return { kind: "members", source, negated: negated !== (name[1] === "^") };
}

function hexCode(cursor: Cursor, start: number, letter: string): number {
  const fixed = { x: /([0-9A-Fa-f]{2})/y, u: /([0-9A-Fa-f]{4})/y, U: /([0-9A-Fa-f]{8})/y }[letter] ?? /(?!)/y;
  const digits = takeMatch(cursor, /\{([0-9A-Fa-f]+)\}/y) ?? takeMatch(cursor, fixed);
  if (digits === undefined) fail(cursor, start, `"\\${letter}" without hexadecimal digits`);
  const code = Number.parseInt(digits[1] ?? "", 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) fail(cursor, start, "a number that is no character");
  return code;
}

function boundary(cursor: Cursor): Assertion {
  const start = cursor.index;
  const named = takeMatch(cursor, /\{([a-z-]+)\}/y);
  if (named === undefined) return "word";
  return (
    BOUNDARIES[named[1] ?? ""] ?? fail(cursor, start, "an unknown word boundary (start, end, start-half, end-half)")
  );
}

function groupName(cursor: Cursor, start: number): string {
  const name = takeIf(cursor, "<") ? takeMatch(cursor, /([^>]+)>/y) : takeMatch(cursor, /\{([^}]+)\}/y);
  return name?.[1] ?? fail(cursor, start, "\\k without the name of a group");
}
