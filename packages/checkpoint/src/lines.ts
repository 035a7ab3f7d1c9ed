import type { FileHandle } from "node:fs/promises";
import { MAX_LINE_BYTES } from "./fact.ts";

/** One physical line. `text` is undefined if it is not UTF-8 or longer than a line may be. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly text: string | undefined;
  /** Position of its first byte. */
  readonly offset: number;
  /** False for a last line without a line feed. */
  readonly terminated: boolean;
}

/** Streams the lines of the first `size` bytes; holds one line and one block at a time. */
export async function* readLines(handle: FileHandle, size: number): AsyncGenerator<Line> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let pieces: Buffer[] = [];
  let number = 1;
  let offset = 0;
  let position = 0;
  while (position < size) {
    const { bytesRead } = await handle.read(block, 0, Math.min(block.length, size - position), position);
    if (bytesRead === 0) break;
    let from = 0;
    for (let end = block.indexOf(LINE_FEED); end >= 0 && end < bytesRead; end = block.indexOf(LINE_FEED, from)) {
      const last = block.subarray(from, end);
      yield { number, text: decode([...pieces, last]), offset, terminated: true };
      pieces = [];
      from = end + 1;
      number += 1;
      offset = position + from;
    }
    position += bytesRead;
    if (from < bytesRead && position - offset <= MAX_LINE_BYTES + BLOCK_BYTES)
      pieces.push(Buffer.from(block.subarray(from, bytesRead)));
  }
  if (offset < position) yield { number, text: decode(pieces), offset, terminated: false };
}

function decode(pieces: readonly Buffer[]): string | undefined {
  const bytes = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  if (bytes.length > MAX_LINE_BYTES) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    // Not UTF-8: what it said is lost, and the caller reports the line as damaged.
    return undefined;
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LINE_FEED = 10;
const BLOCK_BYTES = 256 * 1024;
