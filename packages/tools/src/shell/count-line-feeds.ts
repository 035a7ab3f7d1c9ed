import { vectorBuffer } from "../worker/kernel/count.ts";

/** Counts the line feeds of a chunk with vector code; undefined where the machine has none. */
export function vectorLineFeedCounter(): ((chunk: Uint8Array) => number) | undefined {
  const buffer = vectorBuffer();
  if (buffer === undefined) return undefined;
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
