/** What a call needs while it runs: a reader, a shell, or the right to change files. */
export type CallClass = "read" | "shell" | "mutation";

export interface GateLimits {
  /** Calls in flight over all sessions. */
  readonly total: number;
  /** Calls in flight of one class. */
  readonly byClass: Readonly<Record<CallClass, number>>;
  /** Calls in flight of one session. */
  readonly perSession: number;
  /** Calls of one session that may wait. */
  readonly queuePerSession: number;
}

export const GATE_LIMITS: GateLimits = {
  total: 16,
  byClass: { read: 8, shell: 4, mutation: 2 },
  perSession: 4,
  queuePerSession: 64,
};

/** Admission of calls: bounded in flight, first come first served within a session and class, round robin over sessions. */
export interface Gate {
  /** The function that gives the slot back (calling it again does nothing), or `undefined` when the session's queue is full. Rejects with the signal's reason. */
  acquire(session: string, callClass: CallClass, signal?: AbortSignal): Promise<(() => void) | undefined>;
}

interface Waiter {
  readonly callClass: CallClass;
  readonly admit: () => void;
}

export function createGate(limits: GateLimits = GATE_LIMITS): Gate {
  const running: Record<CallClass, number> = { read: 0, shell: 0, mutation: 0 };
  const inFlight = new Map<string, number>();
  // Insertion order is the turn order: a session that was served goes to the back.
  const queues = new Map<string, Waiter[]>();
  let total = 0;

  const fits = (session: string, callClass: CallClass): boolean =>
    total < limits.total &&
    running[callClass] < limits.byClass[callClass] &&
    (inFlight.get(session) ?? 0) < limits.perSession;

  const take = (session: string, callClass: CallClass): (() => void) => {
    total += 1;
    running[callClass] += 1;
    inFlight.set(session, (inFlight.get(session) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      total -= 1;
      running[callClass] -= 1;
      const left = (inFlight.get(session) ?? 1) - 1;
      if (left === 0) inFlight.delete(session);
      else inFlight.set(session, left);
      serve();
    };
  };

  const serveOne = (): boolean => {
    for (const [session, queue] of queues) {
      const index = queue.findIndex((waiter) => fits(session, waiter.callClass));
      const [waiter] = index === -1 ? [] : queue.splice(index, 1);
      if (waiter === undefined) continue;
      queues.delete(session);
      if (queue.length > 0) queues.set(session, queue);
      waiter.admit();
      return true;
    }
    return false;
  };

  const serve = (): void => {
    while (serveOne());
  };

  const drop = (session: string, waiter: Waiter): void => {
    const queue = queues.get(session);
    const index = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || index === -1) return;
    queue.splice(index, 1);
    if (queue.length === 0) queues.delete(session);
  };

  const wait = (session: string, callClass: CallClass, signal: AbortSignal | undefined): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        drop(session, waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        callClass,
        admit: () => {
          signal?.removeEventListener("abort", onAbort);
          resolve(take(session, callClass));
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const queue = queues.get(session);
      if (queue === undefined) queues.set(session, [waiter]);
      else queue.push(waiter);
    });

  return {
    async acquire(session, callClass, signal) {
      signal?.throwIfAborted();
      const queue = queues.get(session);
      // Whoever of the same class came first goes first, also when a slot is free right now.
      const behind = queue?.some((waiter) => waiter.callClass === callClass) ?? false;
      if (!behind && fits(session, callClass)) return take(session, callClass);
      if ((queue?.length ?? 0) >= limits.queuePerSession) return undefined;
      return wait(session, callClass, signal);
    },
  };
}

let shared: Gate | undefined;

/** The one gate of this process: every agent's calls go through it. */
export function processGate(): Gate {
  shared ??= createGate();
  return shared;
}
