// Pure: carries edits from the text that was tagged over to the text that is there now, or declines (spec 3.6).
import { type LineRange, normalizeRanges } from "../line-ranges.ts";
import type { SeenLines } from "../snapshots.ts";
import { mapLines } from "./line-map.ts";
import type { LineEdit } from "./ops.ts";

export interface Drift {
  /** How far every anchor moved; negative: towards the head. */
  readonly offset: number;
  readonly edits: readonly LineEdit[];
  /** For each line of the tagged text (index 0 is line 1) the index of the same line in the live one, or -1. */
  readonly map: Int32Array;
}

/**
 * The edits on the numbers of `live`, if every anchor is an unchanged line, its neighbours stand by it and all moved by
 * one same offset; undefined for anything else.
 */
export function carryOver(
  edits: readonly LineEdit[],
  anchors: readonly LineRange[],
  tagged: readonly string[],
  live: readonly string[],
): Drift | undefined {
  const map = mapLines(tagged, live);
  const ranges = normalizeRanges(anchors);
  const offset = commonOffset(ranges, map);
  if (offset === undefined) return undefined;
  const stands = ranges.every((range) => neighboursStand(range, offset, map, tagged, live));
  if (!stands) return undefined;
  return { offset, edits: edits.map((edit) => shift(edit, offset, live.length)), map };
}

/** The lines of the live text that are the ones seen in the tagged text. */
export function carrySeen(seen: SeenLines, map: Int32Array): SeenLines {
  if (seen === undefined) return undefined;
  const carried: LineRange[] = [];
  for (const [first, last] of seen === "all" ? [[1, map.length] as const] : seen) {
    for (let line = first; line <= Math.min(last, map.length); line++) {
      const to = (map[line - 1] ?? -1) + 1;
      if (to > 0) carried.push([to, to]);
    }
  }
  return normalizeRanges(carried);
}

/** 0 without anchors: such edits are at the head or the tail. */
function commonOffset(ranges: readonly LineRange[], map: Int32Array): number | undefined {
  let offset: number | undefined;
  for (const [first, last] of ranges) {
    for (let line = first; line <= last; line++) {
      const to = map[line - 1] ?? -1;
      if (to < 0) return undefined;
      const moved = to + 1 - line;
      offset ??= moved;
      if (moved !== offset) return undefined;
    }
  }
  return offset ?? 0;
}

function neighboursStand(
  range: LineRange,
  offset: number,
  map: Int32Array,
  tagged: readonly string[],
  live: readonly string[],
): boolean {
  const [first, last] = range;
  const stands = (line: number): boolean => {
    // The ends of the file are neighbours as well.
    if (line === 0) return offset === 0;
    if (line === tagged.length + 1) return live.length - tagged.length === offset;
    return map[line - 1] === line - 1 + offset;
  };
  const standing = Number(stands(first - 1)) + Number(stands(last + 1));
  if (standing === 2) return true;
  return standing === 1 && isUnique(range, tagged, tagged) && isUnique(range, tagged, live);
}

/** Whether the lines of `range` stand in a row only once in `lines`; linear, however often they nearly do. */
function isUnique([first, last]: LineRange, tagged: readonly string[], lines: readonly string[]): boolean {
  const wanted = tagged.slice(first - 1, last);
  const fallback = borders(wanted);
  let found = 0;
  let matched = 0;
  for (const line of lines) {
    while (matched > 0 && wanted[matched] !== line) matched = fallback[matched - 1] ?? 0;
    if (wanted[matched] === line) matched += 1;
    if (matched < wanted.length) continue;
    found += 1;
    if (found > 1) return false;
    matched = fallback[matched - 1] ?? 0;
  }
  return found === 1;
}

/** For each prefix the length of the longest shorter one that it also ends with (Knuth, Morris, Pratt). */
function borders(lines: readonly string[]): Int32Array {
  const lengths = new Int32Array(lines.length);
  let length = 0;
  for (let at = 1; at < lines.length; at++) {
    while (length > 0 && lines[at] !== lines[length]) length = lengths[length - 1] ?? 0;
    if (lines[at] === lines[length]) length += 1;
    lengths[at] = length;
  }
  return lengths;
}

function shift(edit: LineEdit, offset: number, liveLines: number): LineEdit {
  if (edit.atEnd) return { ...edit, first: liveLines + 1, last: liveLines };
  const isAtHead = edit.first === 1 && edit.last === 0;
  return isAtHead ? edit : { ...edit, first: edit.first + offset, last: edit.last + offset };
}
