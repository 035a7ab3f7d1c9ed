import fc from "fast-check";

/** Building blocks of files: words of several scripts, every kind of separator, lines of any length. */
const PART = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("word ", "汉字", "é", "🎈", "\t", "の", "한국 ") },
  { weight: 4, arbitrary: fc.constantFrom("\n", "\r\n") },
  { weight: 1, arbitrary: fc.constantFrom("\r", "\f", "\v", "\u2028", "\u0085", "\n\n\n", "\0") },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(700), "汉".repeat(300), "🎈".repeat(90), "line\n".repeat(60)) },
);

/** Texts of a few hundred characters up to some ten thousand, with or without a last line end. */
export const randomText: fc.Arbitrary<string> = fc.array(PART, { maxLength: 60 }).map((parts) => parts.join(""));

/** How a long text is made; short enough to be printed when a property fails. */
export interface LongText {
  readonly unit: string;
  readonly copies: number;
  readonly rest: string;
}

/** Texts longer than the distance of two checkpoints; `written` makes them. */
export const longText: fc.Arbitrary<LongText> = fc
  .tuple(randomText, randomText, fc.nat(20), fc.constantFrom("", "\n", "\r\n"))
  .map(([first, second, extra, separator]) => {
    const unit = `${first}${separator}${second}漢x`;
    return { unit, copies: Math.ceil(100_000 / unit.length) + extra, rest: first };
  });

export function written({ unit, copies, rest }: LongText): string {
  return unit.repeat(copies) + rest;
}

/** The lines as the tools count them: LF ends a line, a CR before it is not text, a last line without LF counts. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  // The part behind the last LF ends with no LF: its CR is text.
  const last = text.slice(text.lastIndexOf("\n") + 1);
  lines.pop();
  return last === "" ? lines : [...lines, last];
}

/** The same text without the characters that can make a file binary. */
export function printable(text: string): string {
  return text.replaceAll(/[\0\u0085]/g, ".");
}
