// Class sources in the syntax of JavaScript's `v` flag, without brackets around them.

export const DIGIT = "\\p{Nd}";
export const SPACE = "\\p{White_Space}";
export const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
export const ASCII_DIGIT = "0-9";
export const ASCII_SPACE = "\\t\\n\\v\\f\\r\\x20";
export const ASCII_WORD = "0-9A-Z_a-z";

/** The bracket names of POSIX; ASCII only, as in Rust. */
export const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7f",
  blank: "\\t\\x20",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "a-z",
  print: "\\x20-\\x7e",
  punct: "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
  space: ASCII_SPACE,
  upper: "A-Z",
  word: ASCII_WORD,
  xdigit: "0-9A-Fa-f",
};

const KEYS: Readonly<Record<string, string>> = {
  gc: "General_Category",
  generalcategory: "General_Category",
  sc: "Script",
  script: "Script",
  scx: "Script_Extensions",
  scriptextensions: "Script_Extensions",
};

/**
 * The class of a Unicode property as patterns name it: `L`, `letter`, `Greek`, `sc=Greek`, `gc:Lu`.
 * Undefined when JavaScript knows no such property.
 */
export function unicodeProperty(name: string): string | undefined {
  const [left = "", right] = name.split(/[=:]/, 2);
  const plain = left.trim();
  const candidates =
    right === undefined
      ? [plain, titled(plain), `Script=${plain}`, `Script=${titled(plain)}`, spelled(plain)]
      : keyed(KEYS[squeezed(plain)], right.trim());
  return candidates.map((candidate) => `\\p{${candidate}}`).find(isClass);
}

/** One code point as a class member or an atom, whatever it means elsewhere. */
export function codeSource(code: number): string {
  const char = String.fromCodePoint(code);
  return /^[0-9A-Za-z]$/.test(char) ? char : `\\u{${code.toString(16)}}`;
}

function keyed(key: string | undefined, value: string): string[] {
  return key === undefined ? [] : [`${key}=${value}`, `${key}=${titled(value)}`, `${key}=${spelled(value)}`];
}

function titled(name: string): string {
  return name
    .split(/[_\s-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("_");
}

/** Names that models write in one word. */
function spelled(name: string): string {
  return (
    { whitespace: "White_Space", any: "Any", ascii: "ASCII", xidstart: "XID_Start", xidcontinue: "XID_Continue" }[
      squeezed(name)
    ] ?? name
  );
}

function squeezed(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, "");
}

function isClass(source: string): boolean {
  try {
    new RegExp(`[${source}]`, "v");
    return true;
  } catch {
    // JavaScript does not know the property; the caller says so.
    return false;
  }
}
