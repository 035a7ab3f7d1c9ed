// Large files are searched in pieces that several threads can take.
import { fstatSync, readSync } from "node:fs";
import { encodingOfBom } from "../encoding.ts";
import { judgedEncoding, readHead } from "./file-text.ts";

/**
 * From the start of a line up to the start of another (or the end of the file), and the file's modification time when it
 * was cut: the one that all its pieces go by, also where the file changes meanwhile.
 */
export type Segment = readonly [start: number, end: number, mtimeMs: number];

const SEGMENT_BYTES = 16 * 1024 * 1024;
/** Longer lines are not looked through for their end. */
const MAX_LOOK_BYTES = 1024 * 1024;
const LOOK_BYTES = 64 * 1024;
const LINE_FEED = 10;

/** The pieces of a file of more than two of them that is UTF-8 as far as its first bytes tell; none for any other. */
export function segmentsOf(fd: number): readonly Segment[] {
  const { size, mtimeMs } = fstatSync(fd);
  if (size <= 2 * SEGMENT_BYTES) return [];
  const head = readHead(fd);
  if (encodingOfBom(head) !== undefined || judgedEncoding(head, false).name !== "utf-8") return [];
  const segments: Segment[] = [];
  let start = 0;
  for (let wanted = SEGMENT_BYTES; wanted < size; wanted = start + SEGMENT_BYTES) {
    const border = lineStartFrom(fd, wanted);
    if (border === undefined || border >= size) break;
    segments.push([start, border, mtimeMs]);
    start = border;
  }
  return [...segments, [start, size, mtimeMs]];
}

function lineStartFrom(fd: number, from: number): number | undefined {
  const bytes = Buffer.allocUnsafe(LOOK_BYTES);
  for (let at = from; at < from + MAX_LOOK_BYTES; at += LOOK_BYTES) {
    const read = readSync(fd, bytes, 0, bytes.length, at);
    const feed = bytes.subarray(0, read).indexOf(LINE_FEED);
    if (feed !== -1) return at + feed + 1;
    if (read === 0) return undefined;
  }
  return undefined;
}
