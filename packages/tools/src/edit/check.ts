// Pure: the gates in front of an edit (spec 3.5), version and provenance.
import { clipRanges, type LineRange, missingRanges, normalizeRanges } from "../line-ranges.ts";
import { type FileVersion, type SeenLines, sameVersion } from "../snapshots.ts";
import { isHeadOrTail } from "./lower.ts";
import type { LineEdit, LineOp } from "./ops.ts";

/** A version under the tag of the call. */
export interface TaggedVersion extends FileVersion {
  readonly seen: SeenLines;
  /** The file's raw bytes, where they are kept. */
  readonly text?: Uint8Array;
}

/**
 * The record that the live file is, byte for byte where its text is kept, else by full hash and size: the tag alone is
 * 16 bits and proves nothing.
 */
export function matchVersion<Version extends TaggedVersion>(
  versions: readonly Version[],
  live: FileVersion,
  bytes: Uint8Array | undefined,
): Version | undefined {
  return versions.find((version) => {
    if (!sameVersion(version, live)) return false;
    return version.text === undefined || bytes === undefined || Buffer.compare(version.text, bytes) === 0;
  });
}

/** The anchors that were not shown in full. What is unknown is not asked for. */
export function unseenAnchors(anchors: readonly LineRange[], seen: SeenLines): readonly LineRange[] {
  return seen === undefined || seen === "all" ? [] : missingRanges(anchors, seen);
}

const CONTEXT_LINES = 2;

/** The lines around what the ops name, as far as the file has them. */
export function linesAround(ops: readonly LineOp[], totalLines: number): readonly LineRange[] {
  const around = (line: number): LineRange => [line - CONTEXT_LINES, line + CONTEXT_LINES];
  const wanted = ops.flatMap(({ target }) => {
    if (target.kind === "range") return [around(target.first), around(target.last)];
    return target.kind === "end" || isHeadOrTail(target) ? [] : [around(target.line)];
  });
  return clipRanges(normalizeRanges(wanted), 1, totalLines);
}

/**
 * The lines of the edited file that the session knows: those it was shown, where the edits moved them, and those it
 * wrote. "All" stays "all" and unknown stays unknown.
 * @param edits sorted, without overlap.
 */
export function seenAfter(seen: SeenLines, edits: readonly LineEdit[], totalLines: number): SeenLines {
  if (seen === "all" || seen === undefined) return seen;
  const known = normalizeRanges(seen);
  const after: LineRange[] = [];
  let shift = 0;
  let next = 1;
  const keepTo = (end: number): void => {
    for (const [first, last] of clipRanges(known, next, end)) after.push([first + shift, last + shift]);
  };
  for (const { first, last, rows } of edits) {
    keepTo(first - 1);
    if (rows.length > 0) after.push([first + shift, first + shift + rows.length - 1]);
    shift += rows.length - (last - first + 1);
    next = last + 1;
  }
  keepTo(totalLines);
  return normalizeRanges(after);
}
