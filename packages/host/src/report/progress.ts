import type { Output } from "../cli/output.ts";
import { formatBytes } from "../cli/style.ts";

/** A line that says how far reading has come; only on a terminal. */
export interface Progress {
  show(read: number, total: number): void;
  /** Takes the line away. */
  clear(): Promise<void>;
}

const EVERY_MS = 100;
const BAR_CELLS = 30;

export function createProgress(output: Pick<Output, "isTerminal" | "write">, now: () => number = Date.now): Progress {
  let shownAt = now();
  let isShown = false;
  return {
    show(read, total) {
      if (!output.isTerminal || total === 0 || now() - shownAt < EVERY_MS) return;
      shownAt = now();
      isShown = true;
      void output.write(`\r${progressLine(read, total)}\u001b[K`);
    },
    async clear() {
      if (!isShown) return;
      isShown = false;
      await output.write("\r\u001b[K");
    },
  };
}

export function progressLine(read: number, total: number): string {
  const cells = Math.floor((BAR_CELLS * read) / total);
  const bar = "#".repeat(cells).padEnd(BAR_CELLS, ".");
  return `[${bar}] ${Math.floor((100 * read) / total)} %  ${formatBytes(read)} of ${formatBytes(total)}`;
}
