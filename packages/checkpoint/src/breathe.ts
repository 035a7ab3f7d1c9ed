/**
 * Long loops over a transcript give the event loop its turn: call the result between two pieces of work and await what
 * it returns, if it returns anything.
 */
export function createBreather(): () => Promise<void> | undefined {
  let started = performance.now();
  return () => {
    if (performance.now() - started < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        started = performance.now();
        resolve();
      });
    });
  };
}

/** Half of the 20 ms that no caller's event loop may be held. */
const SLICE_MS = 8;
