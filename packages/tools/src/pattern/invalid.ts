import { ToolError } from "../error.ts";

/** Longest piece of a pattern that an error message repeats. */
const SHOWN_CHARS = 200;

/**
 * The error for a pattern that cannot be understood.
 * @param index UTF-16 index in the pattern where the fault lies; undefined when it is the whole of it.
 */
export function invalidPattern(pattern: string, index: number | undefined, reason: string, next?: string): ToolError {
  const position = index === undefined ? undefined : [...pattern.slice(0, index)].length + 1;
  const place = position === undefined ? "" : ` at character ${position}`;
  const shown = pattern.length > SHOWN_CHARS ? `${pattern.slice(0, SHOWN_CHARS)}…` : pattern;
  return new ToolError("INVALID_PATTERN", `The pattern "${shown}" cannot be used, ${reason}${place}`, {
    next: next ?? advice(pattern),
    details: { pattern, reason, ...(position !== undefined && { position }) },
  });
}

function advice(pattern: string): string {
  if (looksLikeGlob(pattern)) {
    return `to find files by name use Glob with this pattern, or Grep with include "${pattern}"; for the text itself set literal: true`;
  }
  return "escape the special character with \\, or set literal: true to search for the text as it is";
}

// A wildcard where a regular expression has nothing to repeat, as in *.ts.
function looksLikeGlob(pattern: string): boolean {
  return /^[*?][\w*?./{},[\]-]*$/.test(pattern) && /[\w.]/.test(pattern);
}
