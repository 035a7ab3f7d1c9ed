// What goes wrong around a host, one thing at a time, in the middle of many sessions: each ends in a retry or a clear
// error, nothing that was acknowledged is lost, and every session comes to its end once the fault is over.

import { setMaxListeners } from "node:events";
import { tmpdir } from "node:os";
import { createToolbox } from "@spillway/tools";
import { markedPids } from "../test/helpers/call-marks.ts";
import { clockSetBack } from "./faults/clock-set-back.ts";
import { dataDiskFull, workDiskFull } from "./faults/disk-full.ts";
import { type Ledger, lostFacts } from "./faults/ledger.ts";
import { modelServerDown, streamsCut } from "./faults/model-server.ts";
import { permissionLost } from "./faults/permission-lost.ts";
import { makeWorkspaces, resumeAll, sessionId, startSquad, workspaceOf } from "./faults/squad.ts";
import { clearStage, type Fault, makeStage, type Prepared, type Stage, Unavailable } from "./faults/stage.ts";
import { effectsIn } from "./faults/steps.ts";
import { watchThreads } from "./faults/threads.ts";
import { countOf, endingsOf, unexplained, unfinishedProblems, wrongEffects } from "./faults/verdict.ts";
import { workerKilled } from "./faults/worker-killed.ts";
import { workspaceRemoved } from "./faults/workspace-removed.ts";

export interface FaultOptions {
  readonly sessions: number;
  /** Of each session: requests with three calls. */
  readonly steps: number;
  /** Of so many answers of a model one is cut. */
  readonly cutOneOf: number;
}

export interface FaultReport {
  readonly name: string;
  /** Why it could not be made here. */
  readonly skipped?: string;
  /** What the runs that met it ended in, and how often. */
  readonly endings: ReadonlyMap<string, number>;
  /** Results of calls, by "ok" or their code. */
  readonly calls: ReadonlyMap<string, number>;
  readonly retries: number;
  readonly fact: string;
  /** Whatever should not have been, in words. */
  readonly problems: readonly string[];
}

export function allFaults(cutOneOf: number): readonly Fault[] {
  return [
    ...[dataDiskFull, workDiskFull, permissionLost, workspaceRemoved, workerKilled, clockSetBack, modelServerDown],
    streamsCut(cutOneOf),
  ];
}

/** No fault and its repair take longer. */
const HANG_MS = 300_000;

export async function runFault(fault: Fault, options: FaultOptions): Promise<FaultReport> {
  const watch = watchThreads();
  // One pool from the first session to the last, as in a process that is never without one.
  const keeper = await createToolbox({ root: tmpdir() });
  try {
    const signal = AbortSignal.timeout(HANG_MS);
    setMaxListeners(0, signal);
    const stage = await makeStage({ steps: options.steps, threads: watch.threads, signal });
    try {
      return await playFault(fault, stage, options);
    } finally {
      await clearStage(stage);
    }
  } finally {
    await keeper.close({ remove: true });
    watch.close();
  }
}

async function playFault(fault: Fault, stage: Stage, { sessions }: FaultOptions): Promise<FaultReport> {
  let prepared: Prepared;
  try {
    prepared = await fault.prepare(stage);
  } catch (error) {
    if (error instanceof Unavailable) return skippedReport(fault.name, error.message);
    throw error;
  }
  try {
    await makeWorkspaces(stage, sessions);
    const squad = await startSquad(stage, sessions, prepared.modelFor);
    await squad.underWay();
    await prepared.inject(squad.retried);
    const during = (await prepared.duringFault?.()) ?? [];
    await squad.ended();
    const closing = await squad.close();
    await prepared.heal();
    const after = await afterwards(stage, squad.ledgers, prepared);
    const warnings = squad.ledgers.flatMap((ledger) => ledger.warnings);
    const retries = warnings.filter((code) => code === "MODEL_RETRY").length;
    const results = squad.ledgers.flatMap((ledger) => [...ledger.results.values()]);
    return {
      name: fault.name,
      endings: endingsOf(squad.ledgers),
      calls: countOf(results),
      retries,
      fact: prepared.fact?.() ?? "",
      problems: [
        ...squad.ledgers.flatMap((ledger) => unexplained(ledger, prepared)),
        ...(prepared.needsRetry === true && retries === 0 ? ["nobody met it"] : []),
        ...[...during, ...closing, ...after],
      ],
    };
  } finally {
    await prepared.heal();
    await prepared.dispose();
  }
}

/** Looks for what was lost, lets every session go on to its end, and looks again. */
async function afterwards(
  stage: Stage,
  ledgers: readonly Ledger[],
  { losesFiles = false }: Prepared,
): Promise<string[]> {
  const problems: string[] = [];
  const lose = async (told: readonly Ledger[]): Promise<void> => {
    for (const [session, ledger] of told.entries()) {
      const lost = await lostFacts(ledger, stage.dataDir, sessionId(session));
      problems.push(...lost.map((what) => `${sessionId(session)} has lost ${what}`));
    }
  };
  await lose(ledgers);
  if (losesFiles) await makeWorkspaces(stage, ledgers.length);
  const resumed = await resumeAll(stage, ledgers.length);
  problems.push(...resumed.problems, ...resumed.ledgers.flatMap(unfinishedProblems));
  await lose(resumed.ledgers);
  for (const [session, ledger] of ledgers.entries()) {
    const effects = await effectsIn(workspaceOf(stage, session), stage.steps);
    const told = [ledger, resumed.ledgers[session] ?? ledger];
    problems.push(...wrongEffects(told, effects, losesFiles).map((what) => `${sessionId(session)}: ${what}`));
  }
  if (markedPids().length > 0) problems.push(`${markedPids().length} processes have survived`);
  return problems;
}

function skippedReport(name: string, skipped: string): FaultReport {
  return { name, skipped, endings: new Map(), calls: new Map(), retries: 0, fact: "", problems: [] };
}
