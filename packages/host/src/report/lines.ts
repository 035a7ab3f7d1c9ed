// Reads a file by lines without ever holding more of it than one line.
import { open } from "node:fs/promises";

export interface Line {
  /** Without its end; absent for a line that is longer than may be held. */
  readonly text?: string;
  readonly bytes: number;
  /** False for a last line that nothing ends. */
  readonly ended: boolean;
}

/** Longer lines are counted and passed over. */
export const MAX_LINE_BYTES: number = 16 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 10;

export interface ReadLinesOptions {
  readonly maxLineBytes?: number;
  readonly signal?: AbortSignal;
  /** Called with the bytes of each chunk that was read. */
  readonly onBytes?: (bytes: number) => void;
}

/** @throws the errors of the file system, the abort reason */
export async function* readLines(path: string, options: ReadLinesOptions = {}): AsyncGenerator<Line> {
  const { maxLineBytes = MAX_LINE_BYTES, signal, onBytes } = options;
  const file = await open(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let held: Buffer[] = [];
    let heldBytes = 0;
    const finish = (last: Buffer, ended: boolean): Line => {
      const bytes = heldBytes + last.length;
      const fits = bytes <= maxLineBytes;
      const whole = heldBytes === 0 ? last : Buffer.concat([...held, last]);
      held = [];
      heldBytes = 0;
      return fits ? { text: whole.toString("utf8"), bytes, ended } : { bytes, ended };
    };
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      onBytes?.(bytesRead);
      const read = chunk.subarray(0, bytesRead);
      let start = 0;
      for (let end = read.indexOf(LINE_FEED); end !== -1; end = read.indexOf(LINE_FEED, start)) {
        const line = finish(read.subarray(start, end), true);
        if (line.bytes > 0) yield line;
        start = end + 1;
      }
      const rest = read.subarray(start);
      heldBytes += rest.length;
      // Past the limit only the length is of interest.
      if (heldBytes <= maxLineBytes) held.push(Buffer.from(rest));
      else held = [];
    }
    if (heldBytes > 0) yield finish(Buffer.alloc(0), false);
  } finally {
    await file.close();
  }
}
