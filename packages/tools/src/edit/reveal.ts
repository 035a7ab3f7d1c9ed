// Pure: lines of a file as an error shows them.
import { decodePiece } from "../encoding/decode.ts";
import type { LineRange } from "../line-ranges.ts";
import type { LineIndex } from "./line-index.ts";

const MAX_LINES = 40;
const MAX_LINE_CHARS = 512;

export interface RevealedLine {
  readonly line: number;
  readonly text: string;
  /** The text is all of the line. */
  readonly whole: boolean;
}

export interface Revealed {
  readonly lines: readonly RevealedLine[];
  /** Every line that was asked for is there and whole. */
  readonly all: boolean;
}

/** Up to 40 lines, 512 characters each, within `maxChars` in all. */
export function revealLines(index: LineIndex, ranges: readonly LineRange[], maxChars: number): Revealed {
  const lines: RevealedLine[] = [];
  let chars = 0;
  for (const [first, last] of ranges) {
    for (let line = first; line <= last; line++) {
      const shown = lines.length < MAX_LINES ? revealLine(index, line) : undefined;
      chars += (shown?.text.length ?? 0) + String(line).length + 2;
      if (shown === undefined || chars > maxChars) return { lines, all: false };
      lines.push(shown);
    }
  }
  return { lines, all: lines.every(({ whole }) => whole) };
}

/** As Read shows them. */
export function formatRevealed({ lines }: Revealed): string {
  return lines.map(({ line, text, whole }) => `${line}:${text}${whole ? "" : " … (cut)"}`).join("\n");
}

function revealLine(index: LineIndex, line: number): RevealedLine {
  const { start, textEnd } = index.line(line);
  // No character takes more than four bytes.
  const bytes = index.source.read(start, Math.min(textEnd, start + 4 * MAX_LINE_CHARS + 4));
  const text = decodePiece(bytes, index.encoding.name);
  const chars = [...text];
  const whole = chars.length <= MAX_LINE_CHARS && bytes.length === textEnd - start;
  return { line, text: whole ? text : chars.slice(0, MAX_LINE_CHARS).join(""), whole };
}
