// Lines of an indexed file as text. Only LF and CRLF end a line.
import { takeWithin } from "@spillway/limits";
import type { Bound, PageCaps, Row } from "../page.ts";
import { charCount, QUARTERS_PER_TOKEN, type TextCost, textCost, unitIndex } from "../text-cost.ts";
import type { ByteSource } from "./byte-source.ts";
import { type FileIndex, lastCheckpoint } from "./file-index.ts";
import { charsBefore, lineChars, lineStart } from "./line-lookup.ts";
import { createTextCursor } from "./text-cursor.ts";

export interface LineFile {
  readonly source: ByteSource;
  readonly index: FileIndex;
  /** A longer line is clipped to its first characters. */
  readonly maxLineChars: number;
}

/** Visits the lines `first` to `last` in order until the visitor answers false. A line longer than the clip costs its clip. */
export function visitRows(file: LineFile, first: number, last: number, visit: (row: Row) => boolean): void {
  let cursor = cursorAt(file, first);
  let text = "";
  let at = 0;
  for (let line = first; line <= last; line++) {
    const found = nextLine();
    if (!visit(clip(line, found.text, file.maxLineChars))) return;
    if (found.isCutOff && line < last) {
      cursor = cursorAt(file, line + 1);
      text = "";
      at = 0;
    }
  }

  function nextLine(): { text: string; isCutOff: boolean } {
    let line = "";
    for (;;) {
      const end = text.indexOf("\n", at);
      if (end !== -1) {
        line += text.slice(at, end);
        at = end + 1;
        return { text: line.endsWith("\r") ? line.slice(0, -1) : line, isCutOff: false };
      }
      line += text.slice(at);
      // Two code units a character, and a CR that may not be text.
      if (line.length > 2 * file.maxLineChars + 2) return { text: line, isCutOff: true };
      text = cursor.next() ?? "";
      at = 0;
      if (text === "") return { text: line, isCutOff: false };
    }
  }
}

/** Visits the lines from `last` back to `first`. */
export function visitRowsBackwards(file: LineFile, first: number, last: number, visit: (row: Row) => boolean): void {
  let size = FIRST_BATCH_LINES;
  for (let end = last; end >= first; end -= size, size = Math.min(2 * size, MAX_BATCH_LINES)) {
    const rows: Row[] = [];
    visitRows(file, Math.max(first, end - size + 1), end, (row) => {
      rows.push(row);
      return true;
    });
    for (const row of rows.toReversed()) if (!visit(row)) return;
  }
}

const FIRST_BATCH_LINES = 32;
const MAX_BATCH_LINES = 512;

/** A stretch of one line. */
export interface Piece {
  readonly line: number;
  /** 1-based character the piece begins at. */
  readonly column: number;
  readonly text: string;
  readonly chars: number;
  /** Characters of the whole line. */
  readonly lineChars: number;
  /** null: the piece reaches the end of the line. */
  readonly endedBy: Bound | null;
}

/** As much of a line from `column` on as there is room for, at least one character; empty when the line ends before. */
export function readPiece(file: LineFile, line: number, column: number, room: PageCaps): Piece {
  const { source, index } = file;
  const total = lineChars(source, index, line);
  const left = total - column + 1;
  if (left <= 0) return { line, column, text: "", chars: 0, lineChars: total, endedBy: null };
  const wanted = Math.min(left, room.maxChars);
  const rest = charsFrom(file, line, column, wanted);
  const { maxChars, maxBytes, maxTokens } = room;
  const fitting = takeWithin(rest, { maxChars, maxBytes, maxTokens }, "head");
  const text = fitting === "" ? rest.slice(0, unitIndex(rest, 1)) : fitting;
  const cost = textCost(text);
  return {
    line,
    column,
    text,
    chars: cost.chars,
    lineChars: total,
    endedBy: cost.chars < left ? full(cost, room) : null,
  };
}

/** The bound that the next character would break. */
function full({ chars, quarters }: TextCost, { maxChars, maxTokens }: PageCaps): Bound {
  if (chars >= maxChars) return "characters";
  return quarters + QUARTERS_PER_TOKEN > maxTokens * QUARTERS_PER_TOKEN ? "tokens" : "bytes";
}

/** `chars` characters of the line, which has that many from `column` on. */
function charsFrom({ source, index }: LineFile, line: number, column: number, chars: number): string {
  const start = lineStart(source, index, line);
  const target = charsBefore(source, index, start) + column - 1;
  const checkpoint = lastCheckpoint(index, (candidate) => candidate.chars <= target);
  const from = checkpoint.offset > start ? checkpoint : { offset: start, chars: target - column + 1 };
  const cursor = createTextCursor(source, index, from.offset);
  let toSkip = target - from.chars;
  let toTake = chars;
  const parts: string[] = [];
  while (toTake > 0) {
    const text = cursor.next();
    if (text === undefined) break;
    const begin = unitIndex(text, toSkip);
    toSkip -= charCount(text.slice(0, begin));
    const part = text.slice(begin, begin + unitIndex(text.slice(begin), toTake));
    toTake -= charCount(part);
    parts.push(part);
  }
  return parts.join("");
}

function cursorAt({ source, index }: LineFile, line: number): ReturnType<typeof createTextCursor> {
  return createTextCursor(source, index, lineStart(source, index, line));
}

function clip(line: number, text: string, maxLineChars: number): Row {
  if (text.length <= maxLineChars || charCount(text) <= maxLineChars) return { line, text, clipped: false };
  return { line, text: text.slice(0, unitIndex(text, maxLineChars)), clipped: true };
}
