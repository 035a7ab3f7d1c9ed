import { bomBytes, encodingOfBom } from "../encoding.ts";
import { createCheckpointWriter, type FileIndex } from "./file-index.ts";
import type { CountingBuffer } from "./kernel/count.ts";

export type Totals = Pick<FileIndex, "totalLines" | "endings" | "undecodable" | "checkpoints">;

/** Counts valid UTF-8 by its bytes as they pass by, first to last. */
export interface PlainCounter {
  /**
   * @param bytes the beginning of the counting buffer.
   * @param position of their first byte in the file.
   * @returns true when all of them are ASCII.
   */
  add(bytes: Uint8Array, position: number): boolean;
  finish(): Totals;
}

const CR = 0x0d;
const LF = 0x0a;

export function createPlainCounter(count: CountingBuffer["count"]): PlainCounter {
  let checkpoints = createCheckpointWriter(0);
  let lineFeeds = 0;
  let carriageReturns = 0;
  let crlf = 0;
  let chars = 0;
  let last = LF;

  const addStretch = (bytes: Uint8Array, start: number, end: number): boolean => {
    const counts = count(start, end);
    lineFeeds += counts.lineFeeds;
    carriageReturns += counts.carriageReturns;
    crlf += counts.crlf + (last === CR && bytes[start] === LF ? 1 : 0);
    chars += end - start - counts.continuations;
    last = bytes[end - 1] ?? last;
    return counts.isAscii;
  };
  return {
    add: (bytes, position) => {
      let start = 0;
      let isAscii = true;
      if (position === 0) {
        start = utf8MarkLength(bytes);
        checkpoints = createCheckpointWriter(start);
      }
      while (start < bytes.length) {
        if (position + start >= checkpoints.wanted) {
          const border = characterBorder(bytes, start);
          if (border < bytes.length) checkpoints.add({ offset: position + border, lines: lineFeeds, chars });
        }
        const wanted = checkpoints.wanted - position;
        const end = wanted > start ? Math.min(bytes.length, wanted) : bytes.length;
        if (!addStretch(bytes, start, end)) isAscii = false;
        start = end;
      }
      return isAscii;
    },
    finish: () => ({
      totalLines: lineFeeds + (last === LF ? 0 : 1),
      endings: { lf: lineFeeds - crlf, crlf, loneCr: carriageReturns - crlf },
      undecodable: 0,
      checkpoints: checkpoints.finish(),
    }),
  };
}

function utf8MarkLength(head: Uint8Array): number {
  const encoding = encodingOfBom(head);
  return encoding?.name === "utf-8" ? bomBytes(encoding).length : 0;
}

/** The first index from `at` on that does not lie inside a character; a border has as many characters before it as `at`. */
function characterBorder(bytes: Uint8Array, at: number): number {
  let index = at;
  while (index < bytes.length && ((bytes[index] ?? 0) & 0xc0) === 0x80) index += 1;
  return index;
}
