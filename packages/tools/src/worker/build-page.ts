import type { Limits } from "@spillway/limits";
import { ToolError } from "../error.ts";
import type { LineRange } from "../line-ranges.ts";
import {
  type Bound,
  countFitting,
  createPageFitter,
  type Fitted,
  formatRow,
  type PageCaps,
  rangesInFull,
  roomForPiece,
} from "../page.ts";
import { type ReadInput, resolveWindow, type Window, withRange } from "../window.ts";
import { lineChars } from "./line-lookup.ts";
import { type LineFile, readPiece, visitRows, visitRowsBackwards } from "./line-reader.ts";

export interface ClippedLine {
  readonly line: number;
  /** Characters of the whole line. */
  readonly chars: number;
}

/** A page's text with everything that notice and `next` are made of. */
export interface Page {
  readonly content: string;
  /** The lines that were asked for. */
  readonly window: Window;
  /** The first line shown; the asked one when none is. */
  readonly offset: number;
  readonly lineCount: number;
  readonly endedBy: Bound | null;
  readonly seen: readonly LineRange[];
  /** Clipped lines, the first ones with their length. */
  readonly clipped: readonly ClippedLine[];
  readonly clippedCount: number;
  /** Only for a part of one line. */
  readonly piece?: { readonly column: number; readonly chars: number; readonly lineChars: number };
}

export interface PageRequest {
  readonly input: ReadInput;
  readonly caps: PageCaps;
  readonly limits: Pick<Limits, "readDefaultLines" | "maxLineChars">;
}

/** Clipped lines whose length is looked up for the notice. */
const MAX_MEASURED_LINES = 3;

/** @throws ToolError RANGE_TOO_LARGE for a named range over the token cap (`details.maxLines`, `details.arguments`). */
export function buildPage(file: LineFile, header: string, request: PageRequest): Page {
  const window = resolveWindow(request.input, file.index.totalLines, request.limits);
  if (window.first > window.last) return emptyPage(header, window);
  if (window.single) return piecePage(file, header, window, request);
  const fitted = fitWindow(file, header, window, request);
  if (fitted.rows.length === 0) return piecePage(file, header, window, request);
  const clipped = fitted.rows.filter((row) => row.clipped);
  return {
    content: [header, ...fitted.rows.map(formatRow)].join("\n"),
    window,
    offset: fitted.rows[0]?.line ?? window.first,
    lineCount: fitted.rows.length,
    endedBy: fitted.endedBy,
    seen: rangesInFull(fitted.rows),
    clipped: clipped
      .slice(0, MAX_MEASURED_LINES)
      .map(({ line }) => ({ line, chars: lineChars(file.source, file.index, line) })),
    clippedCount: clipped.length,
  };
}

function emptyPage(header: string, window: Window): Page {
  return {
    content: header,
    window,
    offset: window.first,
    lineCount: 0,
    endedBy: null,
    seen: [],
    clipped: [],
    clippedCount: 0,
  };
}

function fitWindow(file: LineFile, header: string, window: Window, { input, caps }: PageRequest): Fitted {
  const { first, last, fromEnd, named } = window;
  const visit = fromEnd ? visitRowsBackwards : visitRows;
  const fitter = createPageFitter(header, named ? { ...caps, maxTokens: Number.POSITIVE_INFINITY } : caps, fromEnd);
  visit(file, first, last, fitter.add);
  const fitted = fitter.finish();
  if (named) refuseTooLarge(header, fitted, window, { input, caps });
  return fitted;
}

/** A range that was named is not silently cut by tokens: a part of it would be taken for the whole. */
function refuseTooLarge(
  header: string,
  { rows }: Fitted,
  { first, last, fromEnd }: Window,
  { input, caps }: Pick<PageRequest, "input" | "caps">,
): void {
  const fitting = countFitting(header, rows, caps, fromEnd);
  if (fitting === rows.length) return;
  const maxLines = Math.max(1, fitting);
  const { offset = 1 } = input;
  const args = withRange(input, fromEnd ? { offset: -maxLines } : { offset, limit: maxLines });
  const end = fromEnd ? "last" : "first";
  const fit = maxLines === 1 ? `only the ${end} line fits` : `the ${end} ${maxLines} lines fit`;
  const shown = fitting === 0 ? `not even the ${end} line fits, it comes in pieces` : fit;
  throw new ToolError(
    "RANGE_TOO_LARGE",
    `Lines ${first}-${last} of "${input.path}" hold more than ${caps.maxTokens} tokens, the most that one page may have`,
    {
      next: `${shown}: Read ${JSON.stringify(args)} and go on from there`,
      details: { maxLines, arguments: args },
    },
  );
}

function piecePage(file: LineFile, header: string, window: Window, { caps }: PageRequest): Page {
  const line = window.fromEnd ? window.last : window.first;
  const piece = readPiece(file, line, window.column, roomForPiece(header, line, caps));
  const { column, chars } = piece;
  const isWhole = column === 1 && chars === piece.lineChars;
  const isEmpty = chars === 0 && !isWhole;
  return {
    content: isEmpty ? header : `${header}\n${formatRow(piece)}`,
    window,
    offset: line,
    lineCount: isEmpty ? 0 : 1,
    endedBy: piece.endedBy,
    seen: isWhole ? [[line, line]] : [],
    clipped: [],
    clippedCount: 0,
    ...(!isWhole && { piece: { column, chars, lineChars: piece.lineChars } }),
  };
}
