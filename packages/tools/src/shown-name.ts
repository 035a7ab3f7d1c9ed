// How a path stands on a line of its own. Pure.

/** A control character would break the line or hide; a quotation mark in front is how a quoted path begins. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand in a line.
const NEEDS_QUOTES = /^"|[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** Those that JSON leaves as they are. */
const KEPT_BY_JSON = /[\u007f-\u009f\u2028\u2029]/g;

/** The path as it is, or as a JSON string where it would not stay one line. `readName` takes both. */
export function shownName(path: string): string {
  if (!NEEDS_QUOTES.test(path)) return path;
  return JSON.stringify(path).replace(KEPT_BY_JSON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The path that `shownName` showed. */
export function readName(shown: string): string {
  if (!shown.startsWith('"')) return shown;
  try {
    const path: unknown = JSON.parse(shown);
    return typeof path === "string" ? path : shown;
  } catch {
    return shown;
  }
}
