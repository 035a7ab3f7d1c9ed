// Pure: two texts as hunks.
import { UTF8 } from "../encoding/names.ts";
import { countChanges, type Hunk, hunksOf } from "./hunks.ts";
import { indexLines, memorySource } from "./line-index.ts";
import { mapLines } from "./line-map.ts";
import type { LineEdit } from "./ops.ts";

export interface TextDiff {
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
  /** Hunks beyond those that are listed. */
  readonly omittedHunks: number;
}

/** What turns `before` into `after`, line by line; a missing final line end makes no difference. */
export function diffTexts(before: string, after: string): TextDiff {
  const [left, right] = [splitLines(before), splitLines(after)];
  const edits = editsBetween(left, right);
  return { ...countChanges(edits), ...hunksOf(edits, indexLines(memorySource(Buffer.from(before)), UTF8)) };
}

function splitLines(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function editsBetween(left: readonly string[], right: readonly string[]): readonly LineEdit[] {
  const map = mapLines(left, right);
  const edits: LineEdit[] = [];
  let at = 0;
  let other = 0;
  const close = (leftEnd: number, rightEnd: number): void => {
    if (at < leftEnd || other < rightEnd) {
      edits.push({ first: at + 1, last: leftEnd, rows: right.slice(other, rightEnd), op: edits.length });
    }
    at = leftEnd + 1;
    other = rightEnd + 1;
  };
  for (const [index, to] of map.entries()) if (to >= 0) close(index, to);
  close(left.length, right.length);
  return edits;
}
