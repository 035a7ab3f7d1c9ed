import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type { LanguageModel } from "ai";

/** Where the sessions of one fault play. */
export interface Stage {
  readonly base: string;
  /** Holds a workspace for each session. */
  readonly work: string;
  readonly dataDir: string;
  readonly steps: number;
  /** Of the worker pool. */
  readonly threads: ReadonlySet<Worker>;
  /** Aborted when everything has to end. */
  readonly signal: AbortSignal;
}

/** One thing that goes wrong. */
export interface Fault {
  readonly name: string;
  /** Before the sessions are opened. @throws Unavailable */
  prepare(stage: Stage): Promise<Prepared>;
}

export interface Prepared {
  /** The models of the sessions; by default scripted ones without a network. */
  readonly modelFor?: (session: number) => LanguageModel;
  /** In the middle of the sessions' runs; `retried` resolves once one of them had to send a request again. */
  inject(retried: () => Promise<void>): Promise<void>;
  /** After all runs have ended; then everything is as it was before. */
  heal(): Promise<void>;
  /** After the sessions were closed. */
  dispose(): Promise<void>;
  /** Codes of failed calls that the fault explains. */
  readonly callCodes?: readonly string[];
  /** Codes of runs that end with an error, which the fault explains. */
  readonly runCodes?: readonly string[];
  /** Codes of warnings that the fault explains. */
  readonly warningCodes?: readonly string[];
  /** Without a single retry the fault met nobody. */
  readonly needsRetry?: boolean;
  /** The files of the workspaces are gone afterwards. */
  readonly losesFiles?: boolean;
  /** What else has to be true while the fault lasts; problems in words. */
  readonly duringFault?: () => Promise<readonly string[]>;
  /** A fact for the table: retries, killed threads, … */
  readonly fact?: () => string;
}

/** The fault cannot be made on this machine. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}

export async function makeStage(options: Pick<Stage, "steps" | "threads" | "signal">): Promise<Stage> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "spillway-fault-")));
  const stage = { ...options, base, work: join(base, "work"), dataDir: join(base, "data") };
  await mkdir(stage.work);
  await mkdir(stage.dataDir);
  return stage;
}

export async function clearStage({ base }: Stage): Promise<void> {
  await rm(base, { recursive: true, force: true, maxRetries: 5 });
}
