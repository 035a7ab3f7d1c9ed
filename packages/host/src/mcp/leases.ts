/** Something with a lifetime that several requests use: kept while one of them runs, and for a while after the last. */
export interface Leased {
  close(): Promise<void>;
}

export interface LeaseOptions {
  /** Kept at once; one more ends the one that was idle longest. */
  readonly max: number;
  /** Milliseconds without a request after which one is ended. */
  readonly idleMs: number;
  /** One that could not be ended in order; there is nobody else to tell. */
  readonly onError?: (error: Error) => void;
}

export interface Leases<Value extends Leased> {
  /** @throws Error when all are in use. */
  add(key: string, make: () => Promise<Value>): Promise<Value>;
  get(key: string): Promise<Value> | undefined;
  /** Marks it as in use until the returned function is called. */
  hold(key: string): () => void;
  /** Never rejects. */
  end(key: string): Promise<void>;
  close(): Promise<void>;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  inUse: number;
  timer?: NodeJS.Timeout;
}

export function createLeases<Value extends Leased>({ max, idleMs, onError }: LeaseOptions): Leases<Value> {
  // In the order of their last use.
  const entries = new Map<string, Entry<Value>>();

  const report = (error: unknown): void => onError?.(error instanceof Error ? error : new Error(String(error)));

  const end = async (key: string): Promise<void> => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    clearTimeout(entry.timer);
    // One that could not be made has told its maker.
    await entry.value.then(
      (value) => value.close().catch(report),
      () => undefined,
    );
  };

  const rest = (key: string, entry: Entry<Value>): void => {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => void end(key), idleMs).unref();
  };

  return {
    add: async (key, make) => {
      if (entries.size >= max) {
        const idle = [...entries].find(([, { inUse }]) => inUse === 0);
        if (idle === undefined) throw new Error(`All ${max} sessions are in use: end one first`);
        await end(idle[0]);
      }
      const entry: Entry<Value> = { value: make(), inUse: 0 };
      entries.set(key, entry);
      rest(key, entry);
      try {
        return await entry.value;
      } catch (error) {
        if (entries.get(key) === entry) await end(key);
        throw error;
      }
    },
    get: (key) => entries.get(key)?.value,
    hold: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return () => undefined;
      entries.delete(key);
      entries.set(key, entry);
      entry.inUse += 1;
      clearTimeout(entry.timer);
      return () => {
        entry.inUse -= 1;
        if (entry.inUse === 0 && entries.get(key) === entry) rest(key, entry);
      };
    },
    end,
    close: async () => {
      await Promise.all([...entries.keys()].map(end));
    },
  };
}
