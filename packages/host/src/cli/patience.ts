/** Tells how long work has taken that takes long. */
export interface Patience {
  begin(id: string, name: string): void;
  end(id: string): void;
  /** Says nothing more of anything that has begun. */
  clear(): void;
}

const FIRST_MS = 3000;

/** `say` is called after three seconds, six, twelve and so on. Keeps no process alive. */
export function createPatience(say: (name: string, elapsedMs: number) => void): Patience {
  const timers = new Map<string, NodeJS.Timeout>();
  const waitUntil = (id: string, name: string, dueMs: number, pastMs: number): void => {
    const tell = (): void => {
      waitUntil(id, name, dueMs * 2, dueMs);
      say(name, dueMs);
    };
    timers.set(id, setTimeout(tell, dueMs - pastMs).unref());
  };
  return {
    begin: (id, name) => waitUntil(id, name, FIRST_MS, 0),
    end: (id) => {
      clearTimeout(timers.get(id));
      timers.delete(id);
    },
    clear: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
