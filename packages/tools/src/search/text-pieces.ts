// A file as pieces of whole lines in UTF-8, in memory that does not grow with the file.
import { readSync } from "node:fs";
import { createStreamDecoder, type FileEncoding } from "../encoding.ts";
import { searchKernel, TEXT_BYTES } from "../worker/kernel/search.ts";

/** Lines of a file. The buffer is the thread's own: it holds the next piece later on. */
export interface Piece {
  readonly bytes: Buffer;
  /** What lies in front was already in the piece before. */
  readonly from: number;
  readonly isLast: boolean;
}

export interface TextPieces {
  /**
   * The next piece; undefined at the end.
   * @param keepFrom index in the last piece: what lies from there on opens the next one.
   */
  next(keepFrom?: number): Piece | undefined;
}

/** Most files fit; stays in the second-level cache. */
export const PIECE_BYTES: number = TEXT_BYTES;
/** A longer line is searched in pieces of this size. */
export const MAX_LINE_BYTES: number = 32 * 1024 * 1024;
const RAW_BYTES = 64 * 1024;
const LINE_FEED = 10;

let small: Buffer | undefined;

/** The buffer that the files of this thread are read into. */
export function pieceBuffer(): Buffer {
  small ??= searchKernel()?.text ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
  return small;
}

export interface PiecesOptions {
  /** Is shown every byte of the file once, in order. */
  readonly onRaw?: (bytes: Buffer) => void;
  /** Where to begin and to end: starts of lines. Only for UTF-8. */
  readonly range?: readonly [start: number, end: number];
}

/** @param encoding of the file; its byte order mark is left out. */
export function openPieces(fd: number, encoding: FileEncoding, { onRaw, range }: PiecesOptions = {}): TextPieces {
  const fill = encoding.name === "utf-8" ? rawFiller(fd, encoding, onRaw, range) : decodedFiller(fd, encoding, onRaw);
  let buffer = pieceBuffer();
  let given = 0;
  let end = 0;
  let ended = false;

  return {
    next: (keepFrom = given) => {
      if (ended && given === end) return undefined;
      buffer.copyWithin(0, keepFrom, end);
      const from = given - keepFrom;
      end -= keepFrom;
      let searched = from;
      for (;;) {
        if (end === buffer.length) {
          if (end - from >= MAX_LINE_BYTES) break;
          buffer = grown(buffer, end);
        }
        const read = fill(buffer.subarray(end));
        end += read;
        ended = read === 0;
        if (ended || buffer.lastIndexOf(LINE_FEED, end - 1) >= searched) break;
        searched = end;
      }
      const feed = buffer.lastIndexOf(LINE_FEED, end - 1);
      given = ended || feed < from ? end : feed + 1;
      if (given === from) return undefined;
      return { bytes: buffer.subarray(0, given), from, isLast: ended };
    },
  };
}

function grown(buffer: Buffer, used: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(buffer.length * 2);
  buffer.copy(larger, 0, 0, used);
  return larger;
}

/** Reads bytes into a buffer; 0 at the end. */
type Filler = (into: Buffer) => number;

function rawFiller(
  fd: number,
  { bom }: FileEncoding,
  onRaw: PiecesOptions["onRaw"],
  [start, end]: readonly [number, number] = [0, Number.POSITIVE_INFINITY],
): Filler {
  let position = start;
  return (into) => {
    const read = readSync(fd, into, 0, Math.min(into.length, end - position), position);
    onRaw?.(into.subarray(0, read));
    const mark = position === 0 && bom ? 3 : 0;
    position += read;
    if (mark === 0) return read;
    into.copyWithin(0, mark, read);
    // A file that is nothing but its mark ends here as well: there is no more to read.
    return Math.max(0, read - mark);
  };
}

function decodedFiller(fd: number, encoding: FileEncoding, onRaw: ((bytes: Buffer) => void) | undefined): Filler {
  const raw = Buffer.allocUnsafe(RAW_BYTES);
  const decoder = createStreamDecoder(encoding);
  let position = 0;
  let ready = Buffer.alloc(0);
  let ended = false;
  return (into) => {
    while (ready.length === 0 && !ended) {
      const read = readSync(fd, raw, 0, raw.length, position);
      onRaw?.(raw.subarray(0, read));
      position += read;
      ended = read === 0;
      ready = Buffer.from(ended ? decoder.end() : decoder.write(raw.subarray(0, read)));
    }
    const copied = ready.copy(into);
    ready = ready.subarray(copied);
    return copied;
  };
}
