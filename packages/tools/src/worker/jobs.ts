// The thread protocol in one place: job name -> input and output. Structured-clone values only.
import type { cleanPagesJob } from "./clean-pages.ts";
import type { countTokens } from "./count-tokens.ts";
import type { editFileJob } from "./edit-file.ts";
import type { listFilesJob } from "./list-files.ts";
import type { locateJob } from "./locate.ts";
import type { readFileJob } from "./read-file.ts";
import type { recoverWritesJob } from "./recover-writes.ts";
import type { searchFilesJob } from "./search-files.ts";
import type { showMatchesJob } from "./show-matches.ts";
import type { writeFileJob } from "./write-file.ts";

/** The jobs a worker knows. A new job: its file in this folder, one line here, one line in `main.ts`. */
export interface Jobs {
  listFiles: typeof listFilesJob;
  searchFiles: typeof searchFilesJob;
  showMatches: typeof showMatchesJob;
  locate: typeof locateJob;
  countTokens: typeof countTokens;
  readFile: typeof readFileJob;
  writeFile: typeof writeFileJob;
  editFile: typeof editFileJob;
  cleanPages: typeof cleanPagesJob;
  recoverWrites: typeof recoverWritesJob;
}

export type JobName = keyof Jobs;
export type JobInput<Name extends JobName> = Parameters<Jobs[Name]>[0];
export type JobOutput<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>;

/** What a job sees of its caller. Jobs are synchronous loops: they ask between files and between chunks. */
export interface JobContext {
  /** True once the caller gave up; the flag is shared memory, so a loop that never yields sees it. */
  cancelled(): boolean;
  /** @throws the abort marker that the pool turns back into the caller's abort reason. */
  throwIfCancelled(): void;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Values of the input that are moved, not copied. */
  readonly transfer?: readonly Transferable[];
  /** `long` jobs (searches, whole-file scans) never take every thread: short ones always find one. Default `short`. */
  readonly lane?: "short" | "long";
  /** The thread is ended and the call fails with `WORKER_CRASHED` (`details.reason: "deadline"`) if the job has not settled by then. */
  readonly deadlineMs?: number;
  /** After an abort: end the thread when the job does not stop by itself within 250 ms (`kill`, the default), or let it finish (`wait`: jobs that change files). */
  readonly onAbort?: "kill" | "wait";
}

/** The pool as tools see it. A `ToolError` thrown in a job arrives as a `ToolError`; a crashed thread is `WORKER_CRASHED` of that one call. */
export interface Workers {
  /** How many `long` jobs run at once. */
  readonly threads: number;
  run<Name extends JobName>(name: Name, input: JobInput<Name>, options?: RunOptions): Promise<JobOutput<Name>>;
  close(): Promise<void>;
}

/** Piscina's `Transferable`, without its types in the public surface. */
export type Transferable = ArrayBuffer | import("node:worker_threads").MessagePort;
