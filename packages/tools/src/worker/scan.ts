// One streaming pass over a file: totals, hash, encoding and a sparse index, in memory that does not grow with the file.
import type { BigIntStats } from "node:fs";
import { createEncodingDetector, type EncodingName } from "../encoding.ts";
import { createHasher } from "../hash.ts";
import { fileSource, memorySource, readFully } from "./byte-source.ts";
import { decodedTotals } from "./decoded-totals.ts";
import { fileIdentity, timesAreSettled } from "./file-identity.ts";
import type { FileIndex } from "./file-index.ts";
import type { JobContext } from "./jobs.ts";
import { countingBuffer } from "./kernel/count.ts";
import { createPlainCounter } from "./plain-totals.ts";

export interface ScanRequest {
  readonly fd: number;
  readonly stat: BigIntStats;
  readonly asked: EncodingName | undefined;
  /** Called with the first bytes before anything else is read; it throws for a file that must not be shown. */
  readonly inspect: (head: Uint8Array) => void;
}

export interface Scan {
  readonly index: FileIndex;
  /** The whole file, where it fits into the buffer; valid until the next scan of this thread. */
  readonly bytes: Uint8Array | undefined;
}

/** Await `loadHasher` before. A file that grows meanwhile is read up to the size it had. */
export function scanFile({ fd, stat, asked, inspect }: ScanRequest, context: JobContext): Scan {
  const startedMs = Date.now();
  const counting = countingBuffer();
  const { bytes: buffer, count } = counting;
  // Files of procfs and sysfs say 0 (or a page) and have content all the same.
  const end = stat.size > 0n ? Number(stat.size) : Number.POSITIVE_INFINITY;
  const hasher = createHasher();
  const detector = createEncodingDetector();
  const totals = createPlainCounter(count);
  let size = 0;
  let length = 0;
  for (;;) {
    context.throwIfCancelled();
    length = readFully(fd, buffer.subarray(0, Math.min(buffer.length, end - size)), size);
    const bytes = buffer.subarray(0, length);
    if (size === 0) inspect(bytes);
    hasher.update(bytes);
    const plain = totals.add(bytes, size);
    detector.update(bytes, plain);
    size += length;
    if (length < buffer.length || size >= end) break;
  }
  const whole = size === length ? buffer.subarray(0, length) : undefined;
  const { encoding, validUtf8 } = detector.finish(asked);
  const source = whole === undefined ? fileSource(fd, size) : memorySource(whole);
  const counted = validUtf8 ? totals.finish() : decodedTotals(source, encoding, counting, context);
  const index: FileIndex = {
    identity: fileIdentity(stat),
    trusted: timesAreSettled(stat, startedMs),
    asked: validUtf8 || encoding.bom ? undefined : asked,
    encoding,
    plainUtf8: validUtf8,
    bytes: size,
    hash: hasher.digest(),
    ...counted,
  };
  return { index, bytes: whole };
}
