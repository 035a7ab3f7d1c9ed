import type { ReadResult } from "../read.ts";
import { type NextCall, readOn, shownLines } from "../read-range.ts";
import { charCount, unitIndex } from "../text-cost.ts";
import type { Rendering } from "../tool.ts";
import { rangeWasCut, splitNotice } from "./read-notice-parts.ts";

/** Content first, then the notice in brackets; it shrinks by whole lines, a tail page from its top. */
export const readRendering: Rendering<ReadResult> = {
  text: ({ content, notice }) => (notice === undefined ? content : `${content}\n\n[${notice}]`),
  size: ({ content }) => charCount(splitContent(content).payload),
  take: (result, maxChars) => {
    const { header, payload } = splitContent(result.content);
    if (charCount(payload) <= maxChars) return result;
    const rows = payload.split("\n");
    if (result.column !== undefined) return takePiece(result, header, payload, maxChars);
    if (isTail(result)) return takeTail(result, header, rows, maxChars);
    return takeHead(result, header, rows, maxChars);
  },
};

interface Content {
  readonly header: string;
  /** The rows; empty when none is shown. */
  readonly payload: string;
}

function splitContent(content: string): Content {
  const end = content.indexOf("\n");
  return end === -1
    ? { header: content, payload: "" }
    : { header: content.slice(0, end), payload: content.slice(end + 1) };
}

/** A page that kept its last lines: what it left out lies before it. */
function isTail({ next, offset }: ReadResult): boolean {
  return typeof next?.offset === "number" && next.offset < offset;
}

function takeHead(result: ReadResult, header: string, rows: readonly string[], maxChars: number): ReadResult {
  const kept = rows.slice(0, countWithin(rows, maxChars));
  const first = rows[0] ?? "";
  if (kept.length === 0 && first !== "") return takePiece(result, header, first, maxChars);
  const last = result.offset + kept.length - 1;
  const next = nextAfter(result, last);
  return rebuilt(result, header, kept, { offset: result.offset, next });
}

function takeTail(result: ReadResult, header: string, rows: readonly string[], maxChars: number): ReadResult {
  const count = countWithin(rows.toReversed(), maxChars);
  const kept = count === 0 ? [] : rows.slice(-count);
  const dropped = rows.length - count;
  const { next = {} } = result;
  const limit = (typeof next.limit === "number" ? next.limit : 0) + dropped;
  return rebuilt(result, header, kept, { offset: result.offset + dropped, next: { ...next, limit } });
}

/** One line that does not fit: its first characters, and the column to go on from. */
function takePiece(result: ReadResult, header: string, row: string, maxChars: number): ReadResult {
  const colon = row.indexOf(":") + 1;
  const text = row.slice(colon);
  const kept = text.slice(0, unitIndex(text, Math.max(0, maxChars - colon)));
  const chars = charCount(kept);
  const column = result.column ?? 1;
  const { clipped, encoding } = splitNotice(result.notice);
  const lineChars = result.lineChars ?? clipped.get(result.offset) ?? charCount(text);
  const next: NextCall = {
    ...keptArguments(result, encoding),
    offset: result.offset,
    limit: 1,
    column: column + chars,
  };
  const shown = `Line ${result.offset} of ${result.totalLines}, characters ${column}-${column + chars - 1} of ${lineChars}`;
  const range = chars === 0 ? `Line ${result.offset} of ${result.totalLines} does not fit here` : `${shown}: ${CUT}`;
  return {
    ...result,
    content: chars === 0 ? header : `${header}\n${row.slice(0, colon)}${kept}`,
    lineCount: chars === 0 ? 0 : 1,
    truncated: true,
    column,
    lineChars,
    next,
    // What was said about the line when it was clipped does not hold for a smaller piece of it.
    notice: noticeOf(result, result.offset, result.offset - 1, `${range}. ${readOn(next)}`),
  };
}

const CUT = "cut to the room that is left";

function rebuilt(
  result: ReadResult,
  header: string,
  rows: readonly string[],
  { offset, next }: { offset: number; next: NextCall },
): ReadResult {
  const last = offset + rows.length - 1;
  const shown = shownLines(offset, last, result.totalLines);
  const range = rows.length === 0 ? `No line of ${result.totalLines} fits here` : `${shown}: ${CUT}`;
  return {
    ...result,
    content: [header, ...rows].join("\n"),
    offset,
    lineCount: rows.length,
    truncated: true,
    next,
    notice: noticeOf(result, offset, last, `${range}. ${readOn(next)}`),
  };
}

function noticeOf({ notice }: ReadResult, first: number, last: number, range: string): string {
  const { facts, clippedLines } = splitNotice(notice);
  const shownClips = clippedLines.filter(({ line }) => line >= first && line <= last).map(({ text }) => text);
  return [...facts, ...shownClips, range].join("\n");
}

/** The call that goes on behind `last`, up to where the caller's own range ends. */
function nextAfter(result: ReadResult, last: number): NextCall {
  const { next, offset, lineCount, notice } = result;
  const left = offset + lineCount - 1 - last;
  const { encoding } = splitNotice(notice);
  if (next === undefined || next.column !== undefined) {
    return { ...keptArguments(result, encoding), offset: last + 1, limit: left };
  }
  if (typeof next.limit !== "number") return { ...next, offset: last + 1 };
  return { ...next, offset: last + 1, limit: rangeWasCut(notice) ? left + next.limit : left };
}

/** The caller's arguments that do not name a range, as far as the result still tells them. */
function keptArguments({ path, next }: ReadResult, encoding: string | undefined): NextCall {
  if (next === undefined) return { path, ...(encoding !== undefined && { encoding }) };
  const { offset: _offset, limit: _limit, column: _column, ...kept } = next;
  return kept;
}

/** How many of the rows fit with the line feeds between them. */
function countWithin(rows: readonly string[], maxChars: number): number {
  let left = maxChars + 1;
  let count = 0;
  for (const row of rows) {
    left -= charCount(row) + 1;
    if (left < 0) break;
    count += 1;
  }
  return count;
}
