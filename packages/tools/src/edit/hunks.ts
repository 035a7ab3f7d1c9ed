// Pure: what an edit changed, for people. Bounded whatever the edit.
import { decodePiece } from "../encoding/decode.ts";
import type { LineIndex } from "./line-index.ts";
import type { LineEdit, Row } from "./ops.ts";

/** A stretch of changes with the lines around it; lines are 1-based, an empty side has 0 lines. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each begins with a blank (kept), "-" or "+"; over 500 characters they are cut. */
  readonly lines: readonly string[];
  /** Lines of this hunk that are not listed. */
  readonly omittedLines?: number;
}

export interface Hunks {
  readonly hunks: readonly Hunk[];
  /** Whole hunks that are not listed. */
  readonly omittedHunks: number;
}

const CONTEXT_LINES = 3;
const MAX_HUNKS = 40;
const MAX_LINES = 400;
const MAX_LINE_CHARS = 500;

/** @param edits sorted, without overlap, on the lines of `index`. */
export function hunksOf(edits: readonly LineEdit[], index: LineIndex): Hunks {
  const groups = groupEdits(edits);
  const hunks: Hunk[] = [];
  let room = MAX_LINES;
  let shift = 0;
  for (const group of groups.slice(0, MAX_HUNKS)) {
    if (room <= 0) break;
    const hunk = hunkOf(group, index, shift, room);
    hunks.push(hunk);
    room -= hunk.lines.length;
    shift += hunk.newLines - hunk.oldLines;
  }
  return { hunks, omittedHunks: groups.length - hunks.length };
}

export function countChanges(edits: readonly LineEdit[]): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  for (const { first, last, rows } of edits) {
    added += rows.length;
    removed += last - first + 1;
  }
  return { added, removed };
}

function groupEdits(edits: readonly LineEdit[]): readonly (readonly LineEdit[])[] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (group !== undefined && previous !== undefined && edit.first - previous.last <= 2 * CONTEXT_LINES + 1)
      group.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function hunkOf(edits: readonly LineEdit[], index: LineIndex, shift: number, room: number): Hunk {
  const first = edits[0]?.first ?? 1;
  const last = edits.at(-1)?.last ?? 0;
  const from = Math.max(1, first - CONTEXT_LINES);
  const to = Math.min(index.totalLines, last + CONTEXT_LINES);
  const lines: string[] = [];
  let total = 0;
  const add = (mark: string, text: () => string): void => {
    total += 1;
    if (lines.length < room) lines.push(mark + clip(text()));
  };
  let at = from;
  const keepTo = (end: number): void => {
    for (; at < end; at++) {
      const number = at;
      add(" ", () => oldText(index, number));
    }
  };
  for (const edit of edits) {
    keepTo(edit.first);
    for (; at <= edit.last; at++) {
      const number = at;
      add("-", () => oldText(index, number));
    }
    for (const row of edit.rows) add("+", () => rowText(row, index));
  }
  keepTo(to + 1);
  const { added, removed } = countChanges(edits);
  const oldLines = to - from + 1;
  const newLines = oldLines + added - removed;
  const omitted = total - lines.length;
  return {
    oldStart: oldLines === 0 ? from - 1 : from,
    oldLines,
    newStart: newLines === 0 ? from + shift - 1 : from + shift,
    newLines,
    lines,
    ...(omitted > 0 && { omittedLines: omitted }),
  };
}

function oldText(index: LineIndex, number: number): string {
  const { start, textEnd } = index.line(number);
  return lineText(index, start, textEnd);
}

/** At most what a clipped line shows is read. */
function lineText(index: LineIndex, start: number, textEnd: number): string {
  const bytes = index.source.read(start, Math.min(textEnd, start + 4 * MAX_LINE_CHARS + 4));
  return decodePiece(bytes, index.encoding.name);
}

function rowText(row: Row, index: LineIndex): string {
  return typeof row === "string" ? row : decodePiece(row.subarray(0, 4 * MAX_LINE_CHARS + 4), index.encoding.name);
}

function clip(text: string): string {
  if (text.length <= MAX_LINE_CHARS) return text;
  const isSplit = (text.charCodeAt(MAX_LINE_CHARS - 1) & 0xfc00) === 0xd800;
  return `${text.slice(0, isSplit ? MAX_LINE_CHARS - 1 : MAX_LINE_CHARS)}…`;
}
