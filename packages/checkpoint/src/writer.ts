import type { FileHandle } from "node:fs/promises";
import { CheckpointError } from "./error.ts";

/** Appends lines to an open file: one write and one sync for all that wait, each promise settled after its sync. */
export interface Writer {
  /** Bytes that are on the disk. */
  size(): number;
  write(line: string): Promise<void>;
  /** Resolves once nothing waits any more; never rejects. */
  settled(): Promise<void>;
}

interface Waiting {
  readonly bytes: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createWriter(file: string, handle: FileHandle, startSize: number): Writer {
  let size = startSize;
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let broken: unknown;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP);
      waiting = waiting.slice(MAX_GROUP);
      try {
        if (broken !== undefined) throw broken;
        await writeGroup(Buffer.concat(group.map(({ bytes }) => bytes)));
        for (const { resolve } of group) resolve();
      } catch (cause) {
        const error = writeError(file, cause, broken === undefined);
        for (const { reject } of group) reject(error);
      }
    }
    running = undefined;
  }

  async function writeGroup(bytes: Buffer): Promise<void> {
    try {
      for (let written = 0; written < bytes.length; ) {
        written += (await handle.write(bytes, written, bytes.length - written, size + written)).bytesWritten;
      }
      await handle.datasync();
      size += bytes.length;
    } catch (cause) {
      // Half a line must not stay: the next one would be glued to it.
      await handle.truncate(size).catch(() => {
        broken = cause;
      });
      throw cause;
    }
  }

  return {
    size: () => size,
    write(line) {
      return new Promise((resolve, reject) => {
        waiting.push({ bytes: Buffer.from(`${line}\n`), resolve, reject });
        running ??= run();
      });
    },
    settled: async () => {
      while (running !== undefined) await running;
    },
  };
}

function writeError(file: string, cause: unknown, retriable: boolean): CheckpointError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const next = retriable ? "free space and append again" : "open it again";
  return new CheckpointError("JOURNAL_WRITE_FAILED", `Cannot append to the journal "${file}": ${reason} — ${next}`, {
    retriable,
    cause,
    details: { file },
  });
}

const MAX_GROUP = 256;
