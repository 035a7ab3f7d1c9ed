// Finds lines and characters of an indexed file by reading no more than the stretch between two checkpoints.
import { bomBytes, decodePiece, isUtf16 } from "../encoding.ts";
import { charCount } from "../text-cost.ts";
import { type ByteSource, PIECE_BYTES } from "./byte-source.ts";
import { type FileIndex, lastCheckpoint } from "./file-index.ts";
import { createTextCursor } from "./text-cursor.ts";

/** The offset of the first byte of a line that exists. */
export function lineStart(source: ByteSource, index: FileIndex, line: number): number {
  if (line <= 1) return bomBytes(index.encoding).length;
  // The line feed that ends the line before lies behind this checkpoint.
  const { offset, lines } = lastCheckpoint(index, (checkpoint) => checkpoint.lines < line - 1);
  return afterLineFeed(source, index, offset, line - 1 - lines);
}

/** Characters in a line, its ending not counted. */
export function lineChars(source: ByteSource, index: FileIndex, line: number): number {
  const start = lineStart(source, index, line);
  const end = line < index.totalLines ? lineStart(source, index, line + 1) : source.size;
  const all = charsBefore(source, index, end) - charsBefore(source, index, start);
  return all - endingChars(source, index, start, end);
}

/** Characters of the file before an offset that is a character border, the byte order mark not counted. */
export function charsBefore(source: ByteSource, index: FileIndex, offset: number): number {
  const from = lastCheckpoint(index, (checkpoint) => checkpoint.offset <= offset);
  if (!index.plainUtf8) {
    const cursor = createTextCursor(source, index, from.offset, offset);
    let chars = from.chars;
    for (let text = cursor.next(); text !== undefined; text = cursor.next()) chars += charCount(text);
    return chars;
  }
  let chars = from.chars;
  for (let at = from.offset; at < offset; at += PIECE_BYTES) {
    chars += countLeads(source.read(at, Math.min(offset, at + PIECE_BYTES)));
  }
  return chars;
}

function countLeads(bytes: Uint8Array): number {
  let leads = 0;
  for (let index = 0; index < bytes.length; index++) if (((bytes[index] ?? 0) & 0xc0) !== 0x80) leads += 1;
  return leads;
}

function endingChars(source: ByteSource, { encoding }: FileIndex, start: number, end: number): number {
  const unit = isUtf16(encoding.name) ? 2 : 1;
  const tail = decodePiece(source.read(Math.max(start, end - 2 * unit), end), encoding.name);
  if (tail.endsWith("\r\n")) return 2;
  return tail.endsWith("\n") ? 1 : 0;
}

/** The offset behind the `nth` line feed from `from` on; the end of the file when there are fewer. */
function afterLineFeed(source: ByteSource, { encoding }: FileIndex, from: number, nth: number): number {
  const wide = isUtf16(encoding.name);
  let left = nth;
  for (let at = from; at < source.size; ) {
    const bytes = source.read(at, at + PIECE_BYTES);
    if (bytes.length === 0) break;
    const found = wide
      ? afterWideLineFeed(bytes, left, encoding.name === "utf-16be")
      : afterNarrowLineFeed(bytes, left);
    if (found.left === 0) return at + found.end;
    left = found.left;
    at += bytes.length;
  }
  return source.size;
}

interface Found {
  /** Behind the last line feed that was found. */
  readonly end: number;
  /** Line feeds that are still to be found. */
  readonly left: number;
}

function afterNarrowLineFeed(bytes: Uint8Array, nth: number): Found {
  let end = 0;
  let left = nth;
  while (left > 0) {
    const at = bytes.indexOf(0x0a, end);
    if (at === -1) break;
    end = at + 1;
    left -= 1;
  }
  return { end, left };
}

function afterWideLineFeed(bytes: Uint8Array, nth: number, isBigEndian: boolean): Found {
  let left = nth;
  const low = isBigEndian ? 1 : 0;
  for (let index = 0; index + 1 < bytes.length; index += 2) {
    if (bytes[index + low] !== 0x0a || bytes[index + 1 - low] !== 0) continue;
    left -= 1;
    if (left === 0) return { end: index + 2, left };
  }
  return { end: bytes.length, left };
}
