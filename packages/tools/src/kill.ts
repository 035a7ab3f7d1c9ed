import { setTimeout as delay } from "node:timers/promises";
import type { Hunt, Pass, PassOptions, Target } from "./shell/hunt.ts";

export interface EndOptions {
  /** How long the processes may take to end after SIGTERM before SIGKILL, in milliseconds. */
  readonly graceMs: number;
  /** Only these are ended. */
  readonly only?: (target: Target) => boolean;
  /** Also what is unmarked and outside of the session, but holds the call's pipes. */
  readonly searchPipes?: boolean;
  /** Cuts the grace short. */
  readonly hurry?: AbortSignal;
}

export interface EndReport {
  /** How many processes were signalled and have ended. */
  readonly ended: number;
  /** Still alive: another user's, or stuck in the kernel. */
  readonly survivors: readonly Target[];
  /** SIGTERM was not enough. */
  readonly forced: boolean;
}

/** Grows after SIGTERM: beyond this many new processes it is no orderly end but a fork storm, and the grace is over. */
const STORM = 64;
/** SIGSTOP passes before SIGKILL: a stopped parent forks no more and still says whose its children are. */
const STOP_PASSES = 4;
/**
 * How long processes may take to vanish after SIGKILL before they count as survivors. It takes them a millisecond, but
 * on a machine that is short of processors they have to wait for their turn to end.
 */
const FORCE_MS = 5_000;
/** A pass that met nobody proves little while processes come and go faster than it looks; this many in a row do. */
const QUIET_PASSES = 8;

/**
 * Ends the processes of a call: SIGTERM, after the grace SIGKILL, again and again until a pass finds none.
 * Never rejects; what cannot be ended is in the report.
 */
export async function endProcesses(hunt: Hunt, options: EndOptions): Promise<EndReport> {
  const { graceMs, only = () => true, searchPipes = false, hurry } = options;
  const chosen = (pass: Pass): readonly Target[] => pass.alive.filter(only);
  const passOptions: PassOptions = { searchPipes, only };
  const forced = (await politely(hunt, passOptions, chosen, graceMs, hurry)) > 0;
  const survivors = forced ? await forcibly(hunt, passOptions, chosen) : [];
  return { ended: hunt.signalled().length - survivors.length, survivors, forced };
}

/** How many are left when the grace is over. */
async function politely(
  hunt: Hunt,
  passOptions: PassOptions,
  chosen: (pass: Pass) => readonly Target[],
  graceMs: number,
  hurry: AbortSignal | undefined,
): Promise<number> {
  const graceEnd = performance.now() + graceMs;
  const quiet = createQuiet();
  let started: number | undefined;
  let fresh = 0;
  for (let waitMs = 4; ; waitMs = Math.min(waitMs * 2, 100)) {
    const pass = await hunt.pass({ ...passOptions, signal: "SIGTERM" });
    const left = chosen(pass).length;
    if (quiet(left, pass)) return 0;
    started ??= left;
    fresh += pass.fresh;
    const remainingMs = graceEnd - performance.now();
    if (left > 0 && chosen(pass).every(hunt.isDenied)) return left;
    if (remainingMs <= 0 || hurry?.aborted === true || fresh > started + STORM) return Math.max(left, 1);
    await pause(Math.min(left === 0 ? 1 : waitMs, remainingMs), hurry);
  }
}

async function forcibly(
  hunt: Hunt,
  passOptions: PassOptions,
  chosen: (pass: Pass) => readonly Target[],
): Promise<readonly Target[]> {
  for (let round = 0; round < STOP_PASSES; round++) {
    const { fresh } = await hunt.pass({ ...passOptions, signal: "SIGSTOP", groups: true });
    if (round > 0 && fresh === 0) break;
  }
  const forceEnd = performance.now() + FORCE_MS;
  const quiet = createQuiet();
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 20)) {
    const pass = await hunt.pass({ ...passOptions, signal: "SIGKILL", groups: true });
    const left = chosen(pass);
    if (quiet(left.length, pass) || performance.now() >= forceEnd) return left;
    if (left.length > 0 && left.every(hunt.isDenied)) return left;
    await delay(pass.fresh > 0 ? 0 : waitMs);
  }
}

/** True once passes have shown that nobody is left. */
function createQuiet(): (left: number, pass: Pass) => boolean {
  let passes = 0;
  return (left, { missed }) => {
    passes = left > 0 ? 0 : passes + 1;
    return left === 0 && (missed === 0 || passes >= QUIET_PASSES);
  };
}

async function pause(ms: number, hurry: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, hurry === undefined ? {} : { signal: hurry }).catch(() => undefined);
}
