import { StringDecoder } from "node:string_decoder";
import { CAPTURE_MAX_BYTES, CAPTURE_MAX_LINES, createCapture } from "../src/index.ts";
import { chunks, log, shortLines } from "./corpus.ts";
import { table, type Variant } from "./rounds.ts";

const LINE_FEED = 10;

/** At what speed can a stream pass a capture that keeps 512 KB and counts every byte and line? */
export function benchCapture(quick: boolean): string {
  const megabytes = quick ? 8 : 128;
  const streams: [string, string][] = [
    ["lines of 2 bytes", shortLines(megabytes * 1_000_000)],
    ["lines of 110 bytes", log(megabytes * 1_000_000)],
  ];
  return streams
    .map(([name, text]) => table(`capture ${megabytes} MB, ${name}`, variants(chunks(text)), quick ? 3 : 5))
    .join("\n\n");
}

function variants(stream: readonly Uint8Array[]): Variant[] {
  return [
    { name: '`createCapture`, `keep: "head"`', run: () => captureAll(stream, "head") },
    { name: '`createCapture`, `keep: "tail"`', run: () => captureAll(stream, "tail") },
    { name: "loop over the bytes", run: () => countByLoop(stream) },
    { name: "`Buffer.indexOf` for each LF", run: () => countByIndexOf(stream) },
    { name: "`setEncoding` and split", run: () => countBySplit(stream) },
  ];
}

function captureAll(stream: readonly Uint8Array[], keep: "head" | "tail"): number {
  const capture = createCapture({ maxBytes: CAPTURE_MAX_BYTES, maxLines: CAPTURE_MAX_LINES, keep });
  for (const chunk of stream) capture.push(chunk);
  return capture.finish().totalLines;
}

function countByLoop(stream: readonly Uint8Array[]): number {
  let lines = 0;
  for (const chunk of stream)
    for (let index = 0; index < chunk.length; index++) if (chunk[index] === LINE_FEED) lines++;
  return lines;
}

function countByIndexOf(stream: readonly Uint8Array[]): number {
  let lines = 0;
  for (const chunk of stream) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    for (let at = buffer.indexOf(LINE_FEED); at >= 0; at = buffer.indexOf(LINE_FEED, at + 1)) lines++;
  }
  return lines;
}

function countBySplit(stream: readonly Uint8Array[]): number {
  const decoder = new StringDecoder("utf8");
  let lines = 0;
  for (const chunk of stream) lines += decoder.write(Buffer.from(chunk)).split("\n").length - 1;
  return lines;
}
