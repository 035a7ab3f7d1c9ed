/** How long a long job holds its lane: an older one is stuck or huge, and must not hold up other sessions. */
const LANE_HOLD_MS = 1_000;

export interface Lane {
  /** Resolves when a slot is free; the returned function gives it back (at most once). Rejects with the abort reason. */
  enter(signal?: AbortSignal): Promise<() => void>;
}

/** A counting gate in call order whose slots free themselves after a second. */
export function createLane(slots: number, holdMs: number = LANE_HOLD_MS): Lane {
  let free = slots;
  const waiting: { start: () => void; drop: () => void }[] = [];

  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next.start();
  };
  const hold = (): (() => void) => {
    let held = true;
    const release = (): void => {
      if (!held) return;
      held = false;
      clearTimeout(timer);
      leave();
    };
    const timer = setTimeout(release, holdMs);
    timer.unref();
    return release;
  };

  return {
    enter: (signal) => {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(hold());
      }
      return new Promise((resolve, reject) => {
        const entry = {
          start: () => {
            signal?.removeEventListener("abort", entry.drop);
            resolve(hold());
          },
          drop: () => {
            waiting.splice(waiting.indexOf(entry), 1);
            reject(signal?.reason);
          },
        };
        signal?.addEventListener("abort", entry.drop, { once: true });
        waiting.push(entry);
      });
    },
  };
}
