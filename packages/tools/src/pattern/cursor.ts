import { invalidPattern } from "./invalid.ts";

/** A place in a pattern that moves on while the pattern is read. */
export interface Cursor {
  readonly pattern: string;
  index: number;
}

/** The code point at the cursor as a string; empty at the end. */
export function peek(cursor: Cursor): string {
  const code = cursor.pattern.codePointAt(cursor.index);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** The code point at the cursor, which moves behind it; empty at the end. */
export function take(cursor: Cursor): string {
  const char = peek(cursor);
  cursor.index += char.length;
  return char;
}

/** Moves behind `text` if it is what comes next. */
export function takeIf(cursor: Cursor, text: string): boolean {
  if (!cursor.pattern.startsWith(text, cursor.index)) return false;
  cursor.index += text.length;
  return true;
}

/** Moves behind what the sticky expression matches here. */
export function takeMatch(cursor: Cursor, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = cursor.index;
  const match = expression.exec(cursor.pattern);
  if (match === null) return undefined;
  cursor.index += match[0].length;
  return match;
}

/** Skips what the `x` flag makes invisible: white space and comments. */
export function skipVerbose(cursor: Cursor): void {
  takeMatch(cursor, /(?:\p{White_Space}|#[^\n]*\n?)*/uy);
}

/** @throws ToolError INVALID_PATTERN that points at `index`. */
export function fail(cursor: Cursor, index: number, reason: string, next?: string): never {
  throw invalidPattern(cursor.pattern, index, reason, next);
}
