// Git's pattern matching for ignore files, translated to a RegExp over bytes (one character a byte). Pure.

const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "a-z",
  print: "\\x20-\\x7e",
  punct: "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
  space: " \\t\\n\\v\\f\\r",
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
};

/**
 * Undefined for a pattern that can match nothing (an unclosed bracket, a backslash at the end).
 * @param pattern bytes as characters, see `toBytes`.
 */
export function wildmatch(pattern: string, { ignoreCase }: { readonly ignoreCase: boolean }): RegExp | undefined {
  let source = "";
  let at = 0;
  // Git compares the plain beginning by itself: stars behind it open a pattern of their own.
  const plain = pattern.search(/[*?[\\]/);
  while (at < pattern.length) {
    const char = pattern.charAt(at);
    if (char === "*") {
      const stars = starsAt(pattern, at, at === plain);
      source += stars.source;
      at = stars.end;
    } else if (char === "?") {
      source += "[^/]";
      at += 1;
    } else if (char === "[") {
      const bracket = bracketAt(pattern, at, ignoreCase);
      if (bracket === undefined) return undefined;
      source += bracket.source;
      at = bracket.end;
    } else {
      if (char === "\\") at += 1;
      if (at === pattern.length) return undefined;
      source += quoted(pattern.charAt(at));
      at += 1;
    }
  }
  return new RegExp(`^${source}$`, ignoreCase ? "is" : "s");
}

/** A name or path with one character for each byte of its UTF-8, as git compares them. */
export function toBytes(text: string): string {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) return Buffer.from(text).toString("latin1");
  }
  return text;
}

interface Piece {
  readonly source: string;
  readonly end: number;
}

/** Two stars or more between slashes (or ends) cross folders; any others stay within a name. */
function starsAt(pattern: string, at: number, first: boolean): Piece {
  let end = at;
  while (pattern[end] === "*") end += 1;
  const opens = first || pattern[at - 1] === "/";
  if (end - at < 2 || !opens) return { source: "[^/]*", end };
  if (end === pattern.length) return { source: ".*", end };
  if (pattern[end] === "/") return { source: "(?:.*/)?", end: end + 1 };
  return { source: pattern.startsWith("\\/", end) ? ".*" : "[^/]*", end };
}

function bracketAt(pattern: string, at: number, ignoreCase: boolean): Piece | undefined {
  let end = at + 1;
  const negated = pattern[end] === "!" || pattern[end] === "^";
  if (negated) end += 1;
  let members = "";
  let previous: string | undefined;
  // A bracket right at the start is a member.
  for (let first = true; first || pattern[end] !== "]"; first = false) {
    if (end >= pattern.length) return undefined;
    if (pattern.startsWith("[:", end)) {
      const close = pattern.indexOf("]", end + 2);
      if (close === -1) return undefined;
      if (pattern[close - 1] === ":" && close - 1 >= end + 2) {
        const name = pattern.slice(end + 2, close - 1);
        const known = name === "upper" && ignoreCase ? POSIX.alpha : POSIX[name];
        if (known === undefined) return undefined;
        members += known;
        previous = undefined;
        end = close + 1;
        continue;
      }
    }
    if (pattern[end] === "-" && previous !== undefined && end + 1 < pattern.length && pattern[end + 1] !== "]") {
      const last = memberAt(pattern, end + 1);
      if (last === undefined) return undefined;
      if (previous <= last.source) members += `${quoted(previous)}-${quoted(last.source)}`;
      previous = undefined;
      end = last.end;
      continue;
    }
    const member = memberAt(pattern, end);
    if (member === undefined) return undefined;
    previous = member.source;
    members += quoted(previous);
    end = member.end;
  }
  // No bracket ever matches a slash.
  const source = negated ? `[^/${members}]` : `(?!/)[${members}]`;
  return { source, end: end + 1 };
}

function memberAt(pattern: string, at: number): Piece | undefined {
  const from = pattern[at] === "\\" ? at + 1 : at;
  return from >= pattern.length ? undefined : { source: pattern.charAt(from), end: from + 1 };
}

function quoted(char: string): string {
  return /[0-9A-Za-z_/]/.test(char) ? char : `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
