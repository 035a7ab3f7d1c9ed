import { type CountingBuffer, vectorBuffer } from "../worker/kernel/count.ts";

/** Compiled once, with the first command; null where the machine has no vectors. */
let compiled: CountingBuffer | null | undefined;

/** Counts the line feeds of a chunk with vector code; undefined where the machine has none. */
export function vectorLineFeedCounter(): ((chunk: Uint8Array) => number) | undefined {
  if (compiled === undefined) compiled = vectorBuffer() ?? null;
  return compiled === null ? undefined : counterIn(compiled);
}

function counterIn(buffer: CountingBuffer): (chunk: Uint8Array) => number {
  return (chunk) => {
    let lineFeeds = 0;
    for (let at = 0; at < chunk.length; at += buffer.bytes.length) {
      const piece = chunk.subarray(at, at + buffer.bytes.length);
      buffer.bytes.set(piece);
      lineFeeds += buffer.count(0, piece.length).lineFeeds;
    }
    return lineFeeds;
  };
}
