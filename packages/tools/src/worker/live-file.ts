// A file as it is right now: opened, hashed, its lines found. Synchronous; the hasher is loaded.
import { type BigIntStats, closeSync, readSync } from "node:fs";
import {
  type ByteSource,
  createLineIndexer,
  indexLines,
  type LineIndex,
  type LineIndexer,
  memorySource,
} from "../edit/line-index.ts";
import {
  bomBytes,
  createEncodingDetector,
  type EncodingName,
  encodingOfBom,
  type FileEncoding,
  UTF8,
} from "../encoding.ts";
import { createHasher } from "../hash.ts";
import { openVerified } from "../open-file.ts";
import type { Located, PathPolicy } from "../path.ts";
import type { FileVersion } from "../snapshots.ts";
import { fileSource } from "./byte-source.ts";
import type { JobContext } from "./jobs.ts";
import { SNIFF_BYTES, sniffBinary } from "./sniff.ts";

export interface LiveFile {
  readonly stat: BigIntStats;
  readonly version: FileVersion;
  readonly encoding: FileEncoding;
  /** What kind of binary file it is; undefined for text. */
  readonly binary: string | undefined;
  readonly index: LineIndex;
  /** The whole content, for files up to 16 MiB. */
  readonly bytes: Uint8Array | undefined;
  close(): void;
}

const MAX_BYTES_IN_MEMORY = 16 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a file once, start to end. A larger one stays open and is read again in pieces where its lines are needed.
 * @param asked the encoding that the caller named when the file was shown.
 * @throws ToolError of `openVerified`.
 */
export function readLiveFile(
  located: Located,
  policy: PathPolicy,
  asked: EncodingName | undefined,
  context: JobContext,
): LiveFile {
  const { fd, stat } = openVerified(located, policy);
  try {
    const file =
      stat.size <= MAX_BYTES_IN_MEMORY
        ? readWhole(fd, Number(stat.size), asked, context)
        : readStreamed(fd, Number(stat.size), asked, context);
    const binary = sniffBinary(located.absolute, file.head, asked);
    if (file.bytes === undefined) return { ...file, stat, binary, close: () => closeSync(fd) };
    closeSync(fd);
    return { ...file, stat, binary, close: () => undefined };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

type Content = Omit<LiveFile, "stat" | "binary" | "close"> & { readonly head: Uint8Array };

function readWhole(fd: number, size: number, asked: EncodingName | undefined, context: JobContext): Content {
  const bytes = readAll(fd, size, context);
  const hasher = createHasher();
  const detector = createEncodingDetector();
  hasher.update(bytes);
  detector.update(bytes);
  const { encoding } = detector.finish(asked);
  const index = indexLines(memorySource(bytes), encoding);
  return {
    version: { hash: hasher.digest(), bytes: bytes.length },
    encoding,
    index,
    bytes,
    head: bytes.subarray(0, SNIFF_BYTES),
  };
}

/** All of the file, also when it grew since its size was asked. */
function readAll(fd: number, size: number, context: JobContext): Uint8Array {
  let buffer = Buffer.allocUnsafeSlow(size + 1);
  let length = 0;
  for (;;) {
    context.throwIfCancelled();
    const read = readSync(fd, buffer, length, buffer.length - length, length);
    if (read === 0) return buffer.subarray(0, length);
    length += read;
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafeSlow(buffer.length)]);
  }
}

function readStreamed(fd: number, size: number, asked: EncodingName | undefined, context: JobContext): Content {
  const source = fileSource(fd, size);
  const head = new Uint8Array(source.read(0, SNIFF_BYTES));
  const guess = encodingOfBom(head) ?? (asked === undefined ? UTF8 : { name: asked, bom: false });
  const hasher = createHasher();
  const detector = createEncodingDetector();
  const indexer = createLineIndexer(guess);
  let bytes = 0;
  for (let piece = source.read(0, CHUNK_BYTES); piece.length > 0; piece = source.read(bytes, bytes + CHUNK_BYTES)) {
    context.throwIfCancelled();
    hasher.update(piece);
    detector.update(piece);
    indexer.update(piece);
    bytes += piece.length;
  }
  const sized = { ...source, size: bytes };
  const { encoding } = detector.finish(asked);
  const index = sameLineUnits(guess, encoding) ? finishAs(indexer, sized, encoding) : indexLines(sized, encoding);
  return { version: { hash: hasher.digest(), bytes }, encoding, index, bytes: undefined, head };
}

/** Lines are found before the encoding is certain; only two-byte units would move them. */
function sameLineUnits(left: FileEncoding, right: FileEncoding): boolean {
  const wide = ({ name }: FileEncoding): string => (name.startsWith("utf-16") ? name : "");
  return wide(left) === wide(right) && bomBytes(left).length === bomBytes(right).length;
}

function finishAs(indexer: LineIndexer, source: ByteSource, encoding: FileEncoding): LineIndex {
  return { ...indexer.finish(source), encoding };
}
