// How many rows of a search result fit. Pure.
import { byteLength } from "@spillway/limits";
import type { AddRow, Row } from "./cut-rows.ts";

/** What the rows of all files of a result may still take. */
export interface RowBudget {
  /** Rows of one more file; `finish` gives those that fit. */
  open(path: string, after: number): { readonly add: AddRow; finish(): Row[] };
  /** Nothing more fits. */
  isFull(): boolean;
}

/** Bytes of a row besides its text: number, separator, line end; and of a file besides its rows. */
const ROW_BYTES = 9;
const FILE_BYTES = 12;

export function createRowBudget(maxBytes: number, maxRows: number): RowBudget {
  let bytes = maxBytes;
  let rows = maxRows;
  let full = false;
  let any = false;
  return {
    isFull: () => full,
    open: (path, after) => {
      const kept: Row[] = [];
      bytes -= byteLength(path) + FILE_BYTES;
      rows -= 2;
      const add = (row: Row): boolean => {
        const cost = byteLength(row.text) + ROW_BYTES;
        const lines = (row.lastLine ?? row.line) - row.line + 1;
        if (cost > bytes || lines > rows) {
          full = true;
          // The very first match is shown in any case, or the search could not go on.
          if (!any && !row.context) {
            kept.splice(0, kept.length, cutToFit(row, maxBytes));
            any = true;
          }
          return false;
        }
        bytes -= cost;
        rows -= lines;
        any ||= !row.context;
        kept.push(row);
        return true;
      };
      const finish = (): Row[] => {
        if (!full) return kept;
        // Lines in front of a match that had no room itself tell nothing.
        const last = kept.findLast((row) => !row.context);
        return last === undefined ? [] : kept.filter(({ line }) => line <= (last.lastLine ?? last.line) + after);
      };
      return { add, finish };
    },
  };
}

function cutToFit(row: Row, maxBytes: number): Row {
  const chars = Array.from(row.text);
  const most = Math.max(1, Math.floor(maxBytes / 8));
  if (chars.length <= most) return row;
  return {
    ...row,
    text: chars.slice(0, most).join(""),
    column: row.column ?? 1,
    lineChars: row.lineChars ?? chars.length,
  };
}
