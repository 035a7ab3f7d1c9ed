import { type Budget, type Capture, createCapture, truncate } from "@spillway/limits";
import { createFold } from "./fold.ts";

/** The last output of a command that still runs, as a status shows it. */
export interface Tail {
  push(chunk: Uint8Array): void;
  show(spillPath?: string): TailView;
}

export interface TailView {
  readonly text: string;
  readonly truncated: boolean;
  readonly keptBytes: number;
  readonly keptLines: number;
  readonly totalBytes: number;
  readonly totalLines: number;
}

/** What a status shows of each stream: enough to see whether a server is up, little enough to ask for often. */
const BUDGET: Budget = { maxBytes: 8_192, maxLines: 100, keep: "tail" };
const CAPTURE_BYTES = 4 * BUDGET.maxBytes;
const LINE_FEED = 10;

export function createTail(): Tail {
  const held: Capture = createCapture({ maxBytes: CAPTURE_BYTES, maxLines: CAPTURE_BYTES, keep: "tail" });
  let totalBytes = 0;
  let lineFeeds = 0;
  let insideLine = false;

  return {
    push: (chunk) => {
      held.push(chunk);
      totalBytes += chunk.length;
      lineFeeds += lineFeedsIn(chunk);
      insideLine = chunk.length > 0 && chunk[chunk.length - 1] !== LINE_FEED;
    },
    show: (spillPath) => {
      const fold = createFold();
      const kept = held.bytes();
      const folded = Buffer.concat([fold.push(kept), fold.finish()]);
      const totalLines = lineFeeds + (insideLine ? 1 : 0);
      const dropped = kept.length < totalBytes;
      const capture = {
        keptBytes: kept.length,
        keptLines: Math.min(lineFeedsIn(kept) + 1, totalLines),
        totalBytes,
        totalLines,
      };
      const shown = truncate(folded.toString("utf8"), BUDGET, {
        ...(dropped && { capture, spillIsWhole: true }),
        ...(spillPath !== undefined && { spillPath }),
      });
      return { ...viewOf(shown), totalBytes, totalLines };
    },
  };
}

function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === LINE_FEED) count += 1;
  return count;
}

function viewOf({ text, truncated, keptBytes, keptLines }: TailView): Omit<TailView, "totalBytes" | "totalLines"> {
  return { text, truncated, keptBytes, keptLines };
}
