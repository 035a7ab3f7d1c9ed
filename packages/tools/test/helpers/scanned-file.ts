import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EncodingName } from "../../src/encoding.ts";
import { type ByteSource, fileSource } from "../../src/worker/byte-source.ts";
import type { FileIndex } from "../../src/worker/file-index.ts";
import type { JobContext } from "../../src/worker/jobs.ts";
import { scanFile } from "../../src/worker/scan.ts";

/** A job's caller that never gives up. */
export const PATIENT: JobContext = { cancelled: () => false, throwIfCancelled: () => undefined };

export interface ScannedFile {
  readonly index: FileIndex;
  /** Reads the file by position, also where a scan has it whole in memory. */
  readonly source: ByteSource;
}

/** Writes the bytes into a file, scans it and hands index and file over; the file is removed afterwards. */
export function withScanned<Result>(
  bytes: Uint8Array,
  look: (file: ScannedFile) => Result,
  asked?: EncodingName,
): Result {
  const folder = mkdtempSync(join(tmpdir(), "spillway-scan-"));
  const path = join(folder, "file");
  writeFileSync(path, bytes);
  const fd = openSync(path, "r");
  try {
    const stat = fstatSync(fd, { bigint: true });
    const { index } = scanFile({ fd, stat, asked, inspect: () => undefined }, PATIENT);
    return look({ index, source: fileSource(fd, index.bytes) });
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
}
