import { createStreamDecoder } from "../encoding.ts";
import { type ByteSource, PIECE_BYTES } from "./byte-source.ts";
import type { FileIndex } from "./file-index.ts";

/** Text of a file piece by piece. */
export interface TextCursor {
  /** The next piece, never empty; undefined at the end. */
  next(): string | undefined;
}

/** @param from a character border. @param to where to stop, also one; default: the end of the file. */
export function createTextCursor(
  source: ByteSource,
  { encoding }: Pick<FileIndex, "encoding">,
  from: number,
  to: number = source.size,
): TextCursor {
  const decoder = createStreamDecoder({ name: encoding.name, bom: false });
  let at = from;
  let ended = false;
  return {
    next: () => {
      while (!ended) {
        const bytes = source.read(at, Math.min(to, at + PIECE_BYTES));
        at += bytes.length;
        ended = bytes.length === 0;
        const text = ended ? decoder.end() : decoder.write(bytes);
        if (text !== "") return text;
      }
      return undefined;
    },
  };
}
