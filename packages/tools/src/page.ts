// How much of the lines that were asked for goes on one page. Pure.
import type { LineRange } from "./line-ranges.ts";
import { QUARTERS_PER_TOKEN, type TextCost, textCost } from "./text-cost.ts";

/** Everything that bounds one page, counted over its content: header and line prefixes included. */
export interface PageCaps {
  readonly maxChars: number;
  readonly maxTokens: number;
  readonly maxBytes: number;
  readonly maxLines: number;
}

export type Bound = "characters" | "tokens" | "bytes" | "lines";

/** One line as it was read; `text` has no line ending and at most `MAX_LINE_CHARS` characters. */
export interface Row {
  readonly line: number;
  readonly text: string;
  readonly clipped: boolean;
}

export interface Fitted {
  readonly rows: readonly Row[];
  /** What kept the next line off the page; null when every row fits. */
  readonly endedBy: Bound | null;
}

export function formatRow(row: Pick<Row, "line" | "text">): string {
  return `${row.line}:${row.text}`;
}

/** Takes rows in order until a bound ends the page. Rows past the end are never looked at twice. */
export interface PageFitter {
  /** False: the row does not fit and the page is over. */
  add(row: Row): boolean;
  finish(): Fitted;
}

/** @param fromEnd rows come last line first, and the page lists them in the file's order all the same. */
export function createPageFitter(header: string, caps: PageCaps, fromEnd = false): PageFitter {
  const rows: Row[] = [];
  let endedBy: Bound | null = null;
  let sum = textCost(header);
  return {
    add: (row) => {
      const next = plusRow(sum, row);
      endedBy = rows.length >= caps.maxLines ? "lines" : brokenBound(next, caps);
      if (endedBy !== null) return false;
      sum = next;
      rows.push(row);
      return true;
    },
    finish: () => ({ rows: fromEnd ? rows.toReversed() : rows, endedBy }),
  };
}

/** How many of the rows fit, counted from the first (`fromEnd`: the last) one. */
export function countFitting(header: string, rows: readonly Row[], caps: PageCaps, fromEnd: boolean): number {
  const fitter = createPageFitter(header, caps, fromEnd);
  for (const row of fromEnd ? rows.toReversed() : rows) if (!fitter.add(row)) break;
  return fitter.finish().rows.length;
}

/** What a page has left for the text of one line after its header and the line's prefix. */
export function roomForPiece(header: string, line: number, caps: PageCaps): PageCaps {
  const used = plusRow(textCost(header), { line, text: "" });
  return {
    maxChars: Math.max(1, caps.maxChars - used.chars),
    maxBytes: Math.max(1, caps.maxBytes - used.bytes),
    maxTokens: Math.max(1, caps.maxTokens - Math.ceil(used.quarters / QUARTERS_PER_TOKEN)),
    maxLines: 1,
  };
}

/** The lines that were shown in full. */
export function rangesInFull(rows: readonly Row[]): readonly LineRange[] {
  const ranges: [number, number][] = [];
  for (const { line, clipped } of rows) {
    if (clipped) continue;
    const previous = ranges.at(-1);
    if (previous !== undefined && previous[1] === line - 1) previous[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

function plusRow(sum: TextCost, row: Pick<Row, "line" | "text">): TextCost {
  const cost = textCost(row.text);
  // The line feed in front, the number and the colon are ASCII.
  const prefix = String(row.line).length + 2;
  return {
    chars: sum.chars + prefix + cost.chars,
    bytes: sum.bytes + prefix + cost.bytes,
    quarters: sum.quarters + prefix + cost.quarters,
  };
}

function brokenBound(cost: TextCost, caps: PageCaps): Bound | null {
  if (cost.chars > caps.maxChars) return "characters";
  if (cost.bytes > caps.maxBytes) return "bytes";
  return cost.quarters > caps.maxTokens * QUARTERS_PER_TOKEN ? "tokens" : null;
}
