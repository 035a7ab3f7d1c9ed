// The only importer of piscina.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { ToolError, type ToolErrorCode } from "../error.ts";
import { shareOne } from "../shared.ts";
import type { Envelope, Reply } from "./job-context.ts";
import type { JobInput, JobName, JobOutput, RunOptions, Workers } from "./jobs.ts";
import { createLane } from "./lanes.ts";
import { threadFlags } from "./thread-flags.ts";

export interface WorkersOptions {
  /** How many long jobs run at once. Default: the cores the process may use. */
  readonly threads?: number;
  /** The thread's entry, a file URL; tests name broken ones. */
  readonly entry?: string;
}

/** After an abort a job has this long to notice it before its thread is ended. */
const GRACE_MS = 250;
/** Idle threads go after this time, so a quiet host holds no memory for them. */
const IDLE_MS = 30_000;

/**
 * A pool of worker threads that starts with the first job. Long jobs never take every thread, a crashed thread is an
 * error of the one call it served, and a thread that cannot even load fails the calls that wait for it instead of
 * leaving them pending (piscina alone would).
 * @throws RangeError for a number of threads that there cannot be.
 */
export function createWorkers(options: WorkersOptions = {}): Workers {
  const threads = options.threads ?? availableParallelism();
  if (!Number.isSafeInteger(threads) || threads < 1) {
    throw new RangeError(`Invalid threads ${String(threads)}: give a whole number, 1 or more`);
  }
  const lane = createLane(threads);
  const pending = new Set<(error: Error) => void>();
  let pool: Piscina | undefined;
  let closed = false;

  const open = (): Piscina => {
    const opened = new Piscina({
      execArgv: threadFlags(process.execArgv),
      // As a path: piscina would turn a URL into one with every call.
      filename: fileURLToPath(options.entry ?? import.meta.resolve("#worker")),
      minThreads: 0,
      maxThreads: 2 * threads + 2,
      idleTimeout: IDLE_MS,
      concurrentTasksPerWorker: 1,
      recordTiming: false,
    });
    const giveUp = (error: Error): void => {
      if (pool === opened) pool = undefined;
      // First the reason, then the end of the threads, which rejects as well.
      for (const fail of pending) fail(error);
      void opened.destroy();
    };
    // Emitted only for a thread without a task: one that failed to load or died idle, or an answer that crossed an abort.
    opened.on("error", (error: Error) => {
      if (!error.message.startsWith("Unexpected message from Worker")) giveUp(error);
    });
    replaceLostThreads(opened, () => giveUp(new Error("its threads end before they have started")));
    return opened;
  };

  const run = async <Name extends JobName>(
    name: Name,
    input: JobInput<Name>,
    { signal, transfer = [], lane: laneName = "short", deadlineMs, onAbort = "kill" }: RunOptions = {},
  ): Promise<JobOutput<Name>> => {
    signal?.throwIfAborted();
    if (closed) throw new Error("The worker pool is closed");
    const leave = laneName === "long" ? await lane.enter(signal) : undefined;
    const cancel = new SharedArrayBuffer(4);
    const kill = new AbortController();
    const timers: NodeJS.Timeout[] = [];
    const after = (ms: number, act: () => void): void => {
      timers.push(setTimeout(act, ms));
    };
    let deadlinePassed = false;
    const giveUp = (): void => {
      Atomics.store(new Int32Array(cancel), 0, 1);
      if (onAbort === "kill") after(GRACE_MS, () => kill.abort());
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    // While it waited for the lane nobody listened.
    if (signal?.aborted) giveUp();
    if (deadlineMs !== undefined) {
      after(deadlineMs, () => {
        deadlinePassed = true;
        kill.abort();
      });
    }
    let drop: ((error: Error) => void) | undefined;
    try {
      pool ??= open();
      const lost = new Promise<never>((_, reject) => {
        drop = reject;
        pending.add(reject);
      });
      const envelope: Envelope = { input, cancel };
      const answered: Promise<Reply> = pool.run(envelope, {
        name,
        signal: kill.signal,
        transferList: [...transfer],
      });
      answered.catch(() => undefined);
      return value<Name>(await Promise.race([answered, lost]), signal);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      if (signal?.aborted && (onAbort === "kill" || error === signal.reason)) throw signal.reason;
      throw crashed(name, error, deadlinePassed ? "deadline" : "crash");
    } finally {
      if (drop !== undefined) pending.delete(drop);
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      leave?.();
    }
  };

  return {
    threads,
    run,
    close: async () => {
      closed = true;
      const closing = pool;
      pool = undefined;
      await closing?.destroy();
    },
  };
}

/** Threads in a row that may end before they were ready; an entry that ends them all must not be started for ever. */
const MAX_FAILED_STARTS = 8;

/** Piscina starts no thread in place of one that was ended, so what waits in its queue would wait until the next call. */
function replaceLostThreads(pool: Piscina, giveUp: () => void): void {
  const ready = new Set<number>();
  let failedStarts = 0;
  pool.on("workerCreate", ({ id }: { readonly id: number }) => {
    ready.add(id);
    failedStarts = 0;
  });
  pool.on("workerDestroy", ({ id }: { readonly id: number }) => {
    if (!ready.delete(id)) failedStarts += 1;
    // The pool counts the thread until this turn is over.
    setImmediate(() => {
      if (pool.queueSize === 0) return;
      if (failedStarts >= MAX_FAILED_STARTS) giveUp();
      else startThread(pool);
    });
  });
}

/** A call makes the pool start a thread where it has room; this one is gone again before it could be run. */
function startThread(pool: Piscina): void {
  const withdrawn = new AbortController();
  pool.run(undefined, { signal: withdrawn.signal }).catch(() => undefined);
  withdrawn.abort();
}

function value<Name extends JobName>(reply: Reply, signal: AbortSignal | undefined): JobOutput<Name> {
  // The job map types both ends of the thread; this is the boundary where the value is taken over.
  if (reply.ok) return reply.value as JobOutput<Name>;
  if (reply.cancelled) throw signal?.reason ?? new Error("A job was cancelled that nobody cancelled");
  const { code, message, next, details, stack } = reply.error;
  if (code === undefined) throw new Error(message, { cause: stack });
  throw new ToolError(code as ToolErrorCode, message, {
    ...(next !== undefined && { next }),
    ...(details !== undefined && { details }),
  });
}

function crashed(job: string, cause: unknown, reason: "crash" | "deadline"): ToolError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const what = reason === "deadline" ? "The worker was stopped at its time limit" : `The worker failed (${text})`;
  return new ToolError("WORKER_CRASHED", what, {
    next: "repeat the call, or narrow it if it fails again",
    details: { job, reason },
    cause,
  });
}

const share = shareOne(
  () => createWorkers(),
  (workers) => workers.close(),
);

/** The process's one pool for toolboxes that bring none: made with the first user, closed with the last. */
export function shareWorkers(): Workers {
  const { thing, release } = share();
  return { ...thing, close: async () => release() };
}
