import type { BigIntStats } from "node:fs";

/** Two stats with the same identity are of the same version of the same file, as far as the file system tells. */
export function fileIdentity({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** File systems that keep whole seconds (FAT: two) give the same time to two changes that far apart. */
const COARSE_NS = 2_000_000_000n;
/** Others take the time of the kernel's last tick, at most 10 ms ago. */
const FINE_NS = 20_000_000n;

/** Whether a change after `nowMs` must show in the file's times. A time in the future proves nothing. */
export function timesAreSettled({ mtimeNs, ctimeNs }: BigIntStats, nowMs: number): boolean {
  const youngest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  // Whole milliseconds or less in both times: the file system keeps no finer ones.
  const isFine = mtimeNs % 1_000_000n !== 0n || ctimeNs % 1_000_000n !== 0n;
  return BigInt(nowMs) * 1_000_000n - youngest > (isFine ? FINE_NS : COARSE_NS);
}
