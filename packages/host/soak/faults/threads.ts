import type { Worker } from "node:worker_threads";

/** The living threads of this process that began after the call. */
export interface ThreadWatch {
  readonly threads: ReadonlySet<Worker>;
  close(): void;
}

export function watchThreads(): ThreadWatch {
  const threads = new Set<Worker>();
  const watch = (thread: Worker): void => {
    threads.add(thread);
    thread.once("exit", () => threads.delete(thread));
  };
  process.on("worker", watch);
  return { threads, close: () => process.off("worker", watch) };
}
