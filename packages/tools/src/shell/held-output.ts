import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

/** Both output streams of a command: when the last bytes came, when they are closed. */
export interface HeldOutput {
  /** Bytes have come. */
  touch(): void;
  /** Waits for the end, but no longer than this; gives whether it came. */
  closedWithin(ms: number): Promise<boolean>;
  /** Waits for the end while output still comes: until `quietMs` pass without any, `maxMs` in all, or the signal. */
  settled(options: { quietMs: number; maxMs: number; signal: AbortSignal }): Promise<boolean>;
  /** No data is taken after it. */
  abandon(): void;
}

export function holdOutput(streams: readonly Readable[]): HeldOutput {
  let lastDataAt = performance.now();
  // One without a byte may have ended before it got here.
  const stillOpen = streams.filter((stream) => !stream.closed);
  let open = stillOpen.length;
  const closed = new Promise<void>((resolve) => {
    if (open === 0) resolve();
    for (const stream of stillOpen) {
      // A broken pipe ends the stream like any other end: what came is kept.
      stream.on("error", () => undefined);
      stream.once("close", () => {
        open -= 1;
        if (open === 0) resolve();
      });
    }
  });
  const closedWithin = async (ms: number, signal?: AbortSignal): Promise<boolean> => {
    if (open === 0) return true;
    const timer = new AbortController();
    const waits = [timer.signal, ...(signal === undefined ? [] : [signal])];
    const waited = delay(ms, undefined, { signal: AbortSignal.any(waits) }).catch(() => undefined);
    await Promise.race([closed, waited]);
    timer.abort();
    return open === 0;
  };

  return {
    touch: () => {
      lastDataAt = performance.now();
    },
    closedWithin,
    settled: async ({ quietMs, maxMs, signal }) => {
      const begin = performance.now();
      for (;;) {
        const now = performance.now();
        const waitMs = Math.min(Math.max(lastDataAt, begin) + quietMs, begin + maxMs) - now;
        if (open === 0 || waitMs <= 0 || signal.aborted) return open === 0;
        await closedWithin(waitMs, signal);
      }
    },
    abandon: () => {
      for (const stream of streams) {
        stream.removeAllListeners("data");
        stream.destroy();
      }
    },
  };
}
