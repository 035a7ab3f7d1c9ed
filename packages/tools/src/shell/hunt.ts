import { MARK_VARIABLE } from "./mark.ts";
import { isAlive, type ProcessId, type ProcessStat, readProcess, readProcFile } from "./process-id.ts";
import { eachProcess, holdsAny, isProcess, listPids, newestPid } from "./process-list.ts";

/** How the processes of a call are told from all others. */
export interface Quarry {
  /** Processes with one of these in their environment belong to it. */
  readonly marks: readonly string[];
  /** The shell; whoever is in its session belongs to it, and nothing older does. */
  readonly leader?: ProcessId;
  /** Whether the shell's pid is still its own (alive, or not yet waited for), so that its group may be signalled unseen. */
  readonly leaderIsHeld?: () => boolean;
  /** What the call's output descriptors lead to. */
  readonly pipes: ReadonlySet<string>;
}

export type Place = "session" | "outside" | "pipe";

/** A process that belongs to the call. */
export interface Target extends ProcessStat {
  /** In the shell's session; outside of it; or unmarked, but holding the call's pipes. */
  readonly place: Place;
}

export interface Pass {
  /** Every living process of the call that was seen. */
  readonly alive: readonly Target[];
  /** How many of them no earlier pass had seen. */
  readonly fresh: number;
  /** Processes that ended before it could be seen whose they are. */
  readonly missed: number;
}

export interface PassOptions {
  /** Sent to each process once. */
  readonly signal?: NodeJS.Signals;
  /** Also to every group of a process that was seen. One call in the kernel: no fork of a member escapes it. */
  readonly groups?: boolean;
  /** Also look through the descriptors of unmarked processes for the call's pipes. */
  readonly searchPipes?: boolean;
  /** Only pids above this one: where no pid can have been given out a second time, nothing of the call has a lower one. */
  readonly above?: number;
  /** Only these are signalled; the rest is left alone. */
  readonly only?: (target: Target) => boolean;
}

/** Follows the processes of one call over several passes. */
export interface Hunt {
  pass(options?: PassOptions): Promise<Pass>;
  /** Processes that were signalled. */
  signalled(): readonly Target[];
  /** It is another user's: no signal reaches it. */
  isDenied(target: Target): boolean;
}

interface Sent {
  readonly start: number;
  readonly signals: Set<NodeJS.Signals>;
  denied: boolean;
}

/** Rounds of looking for processes that were forked while a pass went on. */
const CHASE_ROUNDS = 64;
/** So many of them without meeting anybody are enough. */
const VAIN_ROUNDS = 16;
/** Pids looked at one by one after a pass before the next pass has to do it. */
const CHASE_PIDS = 4_096;

export function createHunt(quarry: Quarry): Hunt {
  const { leader, leaderIsHeld = () => false, pipes } = quarry;
  const since = leader?.start ?? 0;
  const marks = quarry.marks.map((mark) => Buffer.from(mark));
  const targets = new Map<number, Target>();
  const sent = new Map<number, Sent>();

  const known = (found: ProcessStat): Target | undefined => {
    const target = targets.get(found.pid);
    return target?.start === found.start ? target : undefined;
  };

  /** undefined: it ended before that could be seen. */
  const placeOf = (found: ProcessStat, parentBelongs: boolean, searchPipes: boolean): Place | "none" | undefined => {
    if (leader !== undefined && found.session === leader.pid) return "session";
    const before = known(found);
    if (before !== undefined) return before.place === "session" ? "outside" : before.place;
    if (parentBelongs) return "outside";
    const environ = readProcFile(found.pid, "environ");
    if (environ === undefined) return readProcess(found.pid) === undefined ? undefined : "none";
    if (environ.includes(MARK_VARIABLE) && marks.some((mark) => environ.includes(mark))) return "outside";
    return searchPipes && holdsAny(found.pid, pipes) ? "pipe" : "none";
  };

  const send = (target: Target, signal: NodeJS.Signals): void => {
    const before = sent.get(target.pid);
    const entry: Sent =
      before?.start === target.start ? before : { start: target.start, signals: new Set(), denied: false };
    if (entry.signals.has(signal)) return;
    entry.signals.add(signal);
    sent.set(target.pid, entry);
    entry.denied = signalProcess(target.pid, signal) === "denied";
    // A stopped process acts on a request to end only once it goes on.
    if (signal === "SIGTERM" && target.state === "T") signalProcess(target.pid, "SIGCONT");
  };

  return {
    pass: async ({ signal, groups = false, searchPipes = false, above = 0, only = () => true } = {}) => {
      const alive = new Map<number, Target>();
      const strangers: ProcessStat[] = [];
      let fresh = 0;
      let missed = 0;
      // A parent that ends before its children were seen no longer says whose they are; a stopped one does.
      let signalAtOnce = signal === "SIGSTOP";

      const act = (target: Target): void => {
        if (signal === undefined || !only(target)) return;
        send(target, signal);
        // The process may be over by now; in its group the signal also meets the one that it has forked meanwhile.
        if (groups && signalAtOnce) signalProcess(-target.group, signal);
      };
      const take = (found: ProcessStat, place: Place): void => {
        const target: Target = { ...found, place };
        if (known(found) === undefined) fresh += 1;
        targets.set(found.pid, target);
        alive.set(found.pid, target);
        if (signalAtOnce) act(target);
      };
      const look = (found: ProcessStat): void => {
        if (found.start < since || found.pid === process.pid || alive.has(found.pid)) return;
        const place = placeOf(found, alive.has(found.parent), searchPipes);
        if (place === undefined) missed += 1;
        else if (place === "none") strangers.push(found);
        else take(found, place);
      };
      /** In rounds: once pids have been used again, a child's can be lower than its parent's. */
      const takeDescendants = (): void => {
        for (let before = -1; before !== alive.size; ) {
          before = alive.size;
          for (const found of strangers) {
            if (!alive.has(found.pid) && alive.has(found.parent)) take(found, "outside");
          }
        }
      };

      const begun = newestPid();
      await eachProcess(look, above === 0 ? undefined : listPids().filter((pid) => pid > above));
      takeDescendants();
      for (const target of alive.values()) act(target);
      // Of a chain of processes that each fork the next and end, only the newest link can be met.
      signalAtOnce = true;
      await followNewest(begun, (found) => {
        const before = alive.size;
        if (found === undefined) missed += 1;
        else look(found);
        takeDescendants();
        return alive.size > before;
      });
      if (signal !== undefined && groups) {
        const reached = new Set([...alive.values()].filter(only).map((target) => target.group));
        if (leader !== undefined && leaderIsHeld()) reached.add(leader.pid);
        for (const group of reached) signalProcess(-group, signal);
      }
      return { alive: [...alive.values()], fresh, missed };
    },
    signalled: () => [...targets.values()].filter((target) => sent.get(target.pid)?.start === target.start),
    isDenied: (target) => {
      const entry = sent.get(target.pid);
      return entry?.start === target.start && entry.denied;
    },
  };
}

/**
 * Looks at the processes that were made since `begun` was the newest, and at those made meanwhile, until none are made or
 * too many rounds met nobody. `look` gets undefined for one that has ended.
 */
async function followNewest(
  begun: number | undefined,
  look: (found: ProcessStat | undefined) => boolean,
): Promise<void> {
  let before = begun;
  let vain = 0;
  for (let round = 0; round < CHASE_ROUNDS && vain < VAIN_ROUNDS && before !== undefined; round++) {
    const newest = newestPid() ?? before;
    if (newest === before) return;
    let met = false;
    // After the highest pid the low ones come round again.
    if (newest < before || newest - before > CHASE_PIDS) await eachProcess((found) => look(found));
    else {
      for (let pid = before + 1; pid <= newest; pid++) {
        const found = readProcess(pid);
        if (found !== undefined && !(isAlive(found) && isProcess(pid))) continue;
        if (look(found)) met = true;
      }
    }
    vain = met ? 0 : vain + 1;
    before = newest;
  }
}

export type Delivery = "sent" | "gone" | "denied";

export function signalProcess(pid: number, signal: NodeJS.Signals): Delivery {
  try {
    process.kill(pid, signal);
    return "sent";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM" ? "denied" : "gone";
  }
}
