import { setTimeout as delay } from "node:timers/promises";
import { type EndReport, endProcesses } from "../kill.ts";
import { describeProcess } from "./describe-process.ts";
import type { HeldOutput } from "./held-output.ts";
import type { Hunt, Pass, Target } from "./hunt.ts";
import { hasProcfs } from "./process-id.ts";
import { holdsAny, newestPid } from "./process-list.ts";
import { endTree } from "./tree-kill.ts";

/** A call whose shell has ended or has to. */
export interface EndingCall {
  /** The shell's: also the number of its session and group. */
  readonly pid: number;
  readonly hunt: Hunt;
  readonly output: HeldOutput;
  /** The spawn, by `performance.now()`. */
  readonly begin: number;
  /** What the call's output descriptors lead to. */
  readonly pipes: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

export interface Ended {
  readonly endedProcesses: number;
  readonly survivors: readonly string[];
}

/** How long the streams may take to report their end once nobody holds them. */
const CLOSE_MS = 100;
/** The shell is gone, its pipes are held: how long they may be silent, and how long all that may take. */
const HELD_QUIET_MS = 750;
const HELD_MAX_MS = 1_500;
/** How long what is left in the session without the pipes may take to end by itself, as a process substitution does. */
const LINGER_MS = 250;
/** In this time no machine forks so often that pids are given out a second time. */
const FIRST_ROUND_MS = 500;
/** For leftovers, after SIGTERM, until SIGKILL. */
const LEFTOVER_GRACE_MS = 250;

/** Ends every process of a call that timed out or was aborted. */
export async function endWholeTree(call: EndingCall, graceMs: number): Promise<Ended & { readonly forced: boolean }> {
  if (!hasProcfs()) return endGroup(call, graceMs);
  const report = await endProcesses(call.hunt, { graceMs });
  if (await call.output.closedWithin(CLOSE_MS)) return reportOf(report);
  // Somebody without the mark has the pipes.
  const holders = await endProcesses(call.hunt, { graceMs: 0, searchPipes: true });
  return reportOf({ ...holders, forced: report.forced });
}

/** After the shell's exit: waits for output that may still come, then ends what is in the session or holds the pipes. */
export async function endLeftovers(call: EndingCall): Promise<Ended & Leftovers> {
  const { output, signal, pid, hunt, pipes } = call;
  const closed = await output.settled({ quietMs: HELD_QUIET_MS, maxMs: HELD_MAX_MS, signal });
  if (!hasProcfs()) {
    const rest = closed ? { endedProcesses: 0, survivors: [] } : await endGroup(call, LEFTOVER_GRACE_MS);
    return { ...rest, leftovers: [], daemons: [] };
  }
  const newest = newestPid() ?? 0;
  // Nothing was forked since: there is nobody to look for.
  if (closed && newest === pid) return { endedProcesses: 0, survivors: [], leftovers: [], daemons: [] };
  const above = newest > pid && performance.now() - call.begin < FIRST_ROUND_MS ? pid : 0;

  const belongs = (target: Target): boolean => target.place !== "outside" || holdsAny(target.pid, pipes);
  let pass = closed ? await afterLinger(hunt, belongs, above) : await hunt.pass();
  if (!closed && !pass.alive.some(belongs)) pass = await hunt.pass({ searchPipes: true });
  const left = pass.alive.filter(belongs);
  const leftovers = left.map(describeProcess);
  let report: Ended = { endedProcesses: 0, survivors: [] };
  if (left.length > 0) {
    report = reportOf(
      await endProcesses(hunt, { graceMs: LEFTOVER_GRACE_MS, only: belongs, searchPipes: !closed, hurry: signal }),
    );
    pass = await hunt.pass();
  }
  await output.closedWithin(CLOSE_MS);
  return { ...report, leftovers, daemons: pass.alive.filter((target) => !belongs(target)).map(describeProcess) };
}

export interface Leftovers {
  /** What the shell had left behind and was ended. */
  readonly leftovers: readonly string[];
  /** What left the session and closed the pipes: it goes on running. */
  readonly daemons: readonly string[];
}

async function afterLinger(hunt: Hunt, belongs: (target: Target) => boolean, above: number): Promise<Pass> {
  const end = performance.now() + LINGER_MS;
  for (let waitMs = 4; ; waitMs *= 2) {
    const pass = await hunt.pass({ above });
    if (!pass.alive.some(belongs) || performance.now() >= end) return pass;
    await delay(Math.min(waitMs, end - performance.now()));
  }
}

function reportOf({ ended, survivors, forced }: EndReport): Ended & { readonly forced: boolean } {
  return { endedProcesses: ended, survivors: survivors.map(describeProcess), forced };
}

/** Without procfs nobody can be counted but the shell's group as one. */
async function endGroup({ pid }: EndingCall, graceMs: number): Promise<Ended & { readonly forced: boolean }> {
  const gone = await endTree(pid, graceMs);
  return gone
    ? { endedProcesses: 1, survivors: [], forced: false }
    : { endedProcesses: 0, survivors: [`the group of pid ${pid}`], forced: true };
}
