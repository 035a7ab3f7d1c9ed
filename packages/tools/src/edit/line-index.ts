// Where the lines of a file begin, in memory that does not grow beyond 16 bytes for 8 KB of it. Pure.
import { bomBytes, type FileEncoding } from "../encoding/names.ts";

/** A file's bytes, wherever they are. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from `start` to `end`; valid until the next call. */
  read(start: number, end: number): Uint8Array;
}

/** A line's bytes: its text ends at `textEnd`, its line ending at `end`. */
export interface LineBytes {
  readonly start: number;
  readonly textEnd: number;
  readonly end: number;
}

export interface LineIndex {
  readonly source: ByteSource;
  readonly encoding: FileEncoding;
  readonly totalLines: number;
  /** First byte after the byte order mark. */
  readonly textStart: number;
  line(number: number): LineBytes;
}

export interface LineIndexer {
  /** The file's bytes, first to last, in pieces of any size. */
  update(bytes: Uint8Array): void;
  finish(source: ByteSource): LineIndex;
}

const CHECKPOINT_BYTES = 8 * 1024;
const PIECE_BYTES = 64 * 1024;
const LF = 10;
const CR = 13;

/** Starts of lines some way apart: the number of each, and its position. */
interface Checkpoints {
  readonly numbers: number[];
  readonly starts: number[];
}

/** Only LF and CRLF end a line; in UTF-16 both are two bytes a unit. */
export function createLineIndexer(encoding: FileEncoding): LineIndexer {
  const unit = unitOf(encoding);
  const textStart = bomBytes(encoding).length;
  const checkpoints: Checkpoints = { numbers: [1], starts: [textStart] };
  let position = 0;
  let ended = 0;
  let lastEnd = textStart;
  let due = textStart + CHECKPOINT_BYTES;
  return {
    update: (bytes) => {
      for (let at = afterLineFeed(bytes, 0, unit); at !== -1; at = afterLineFeed(bytes, at, unit)) {
        ended += 1;
        lastEnd = position + at;
        if (lastEnd < due) continue;
        checkpoints.numbers.push(ended + 1);
        checkpoints.starts.push(lastEnd);
        due = lastEnd + CHECKPOINT_BYTES;
      }
      position += bytes.length;
    },
    finish: (source) => {
      const totalLines = ended + (position > lastEnd ? 1 : 0);
      return indexOver(source, encoding, checkpoints, totalLines);
    },
  };
}

export function indexLines(source: ByteSource, encoding: FileEncoding): LineIndex {
  const indexer = createLineIndexer(encoding);
  for (let at = 0; at < source.size; at += PIECE_BYTES)
    indexer.update(source.read(at, Math.min(source.size, at + PIECE_BYTES)));
  return indexer.finish(source);
}

export function memorySource(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

function indexOver(
  source: ByteSource,
  encoding: FileEncoding,
  { numbers, starts }: Checkpoints,
  totalLines: number,
): LineIndex {
  const unit = unitOf(encoding);
  const textStart = bomBytes(encoding).length;
  // The line asked for last: neighbours are asked for in turn.
  let known = { number: 1, start: textStart };

  const startOf = (number: number): number => {
    if (number > totalLines) return source.size;
    const slot = lastUpTo(numbers, number);
    const checkpoint = { number: numbers[slot] ?? 1, start: starts[slot] ?? textStart };
    const from = known.number <= number && known.number > checkpoint.number ? known : checkpoint;
    const start = skipLines(source, from.start, number - from.number, unit);
    known = { number, start };
    return start;
  };

  return {
    source,
    encoding,
    totalLines,
    textStart,
    line: (number) => {
      if (number < 1 || number > totalLines)
        throw new RangeError(`Line ${number} is not among the ${totalLines} lines`);
      const start = startOf(number);
      const end = startOf(number + 1);
      return { start, textEnd: end - endingLength(source, start, end, unit), end };
    },
  };
}

/** Index of the last of the rising `numbers` that is not above `number`. */
function lastUpTo(numbers: readonly number[], number: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the line begins that is `count` below the one at `start`. */
function skipLines(source: ByteSource, start: number, count: number, unit: Unit): number {
  let missing = count;
  let size = CHECKPOINT_BYTES;
  for (let at = start; missing > 0; size = PIECE_BYTES) {
    const piece = source.read(at, Math.min(source.size, at + size));
    // The file was cut short since it was indexed; the check before the write will say so.
    if (piece.length === 0) return source.size;
    for (let end = afterLineFeed(piece, 0, unit); end !== -1; end = afterLineFeed(piece, end, unit)) {
      missing -= 1;
      if (missing === 0) return at + end;
    }
    at += piece.length;
  }
  return start;
}

interface Unit {
  readonly bytes: 1 | 2;
  /** Which of the unit's bytes holds a small character's code. */
  readonly low: 0 | 1;
}

function unitOf({ name }: FileEncoding): Unit {
  if (name === "utf-16le") return { bytes: 2, low: 0 };
  return name === "utf-16be" ? { bytes: 2, low: 1 } : { bytes: 1, low: 0 };
}

/**
 * The position after the next LF at or after `from`, -1 when there is none. In UTF-16 pieces begin at even positions:
 * all sizes of pieces are even, and so is every line start.
 */
function afterLineFeed(bytes: Uint8Array, from: number, { bytes: width, low }: Unit): number {
  if (width === 1) {
    for (let at = from; at < bytes.length; at++) if (bytes[at] === LF) return at + 1;
    return -1;
  }
  for (let at = from; at + 1 < bytes.length; at += 2) {
    if (bytes[at + low] === LF && bytes[at + 1 - low] === 0) return at + 2;
  }
  return -1;
}

function endingLength(source: ByteSource, start: number, end: number, unit: Unit): number {
  const tail = source.read(Math.max(start, end - 2 * unit.bytes), end);
  if (!isUnit(tail, tail.length - unit.bytes, LF, unit)) return 0;
  return isUnit(tail, tail.length - 2 * unit.bytes, CR, unit) ? 2 * unit.bytes : unit.bytes;
}

function isUnit(bytes: Uint8Array, at: number, code: number, { bytes: width, low }: Unit): boolean {
  if (at < 0 || bytes[at + low] !== code) return false;
  return width === 1 || bytes[at + 1 - low] === 0;
}
