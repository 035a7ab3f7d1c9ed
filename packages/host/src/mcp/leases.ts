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

/** A value in use. */
export interface Lease<Value> {
  readonly value: Value;
  /** The use is over; a second time does nothing. */
  readonly release: () => void;
}

export interface Leases<Value extends Leased> {
  /** Holds what there is under the key; undefined when there is nothing. */
  hold(key: string): Promise<Lease<Value>> | undefined;
  /**
   * Holds what there is under the key, else makes it.
   * @throws Error when all are in use, or after `close`; what `make` throws.
   */
  holdOrMake(key: string, make: () => Promise<Value>): Promise<Lease<Value>>;
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
  // In the order of their last use. Looking, reserving and holding happen in one go, without an await in between: two
  // requests never make the same thing, and none loses what it has just got.
  const entries = new Map<string, Entry<Value>>();
  let closed = false;

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

  const leaseOf = async (key: string, entry: Entry<Value>): Promise<Lease<Value>> => {
    entries.delete(key);
    entries.set(key, entry);
    entry.inUse += 1;
    clearTimeout(entry.timer);
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      entry.inUse -= 1;
      if (entry.inUse > 0 || entries.get(key) !== entry) return;
      entry.timer = setTimeout(() => void end(key), idleMs).unref();
    };
    try {
      return { value: await entry.value, release };
    } catch (error) {
      if (entries.get(key) === entry) entries.delete(key);
      throw error;
    }
  };

  const newEntry = (make: () => Promise<Value>): Entry<Value> => {
    if (closed) throw new Error("The server is closed");
    if (entries.size < max) return { value: make(), inUse: 0 };
    const idle = [...entries].find(([, { inUse }]) => inUse === 0);
    if (idle === undefined) throw new Error(`All ${max} sessions are in use: end one first`);
    return { value: end(idle[0]).then(make), inUse: 0 };
  };

  return {
    hold: (key) => {
      const entry = entries.get(key);
      return entry === undefined ? undefined : leaseOf(key, entry);
    },
    holdOrMake: async (key, make) => leaseOf(key, entries.get(key) ?? newEntry(make)),
    end,
    close: async () => {
      closed = true;
      await Promise.all([...entries.keys()].map(end));
    },
  };
}
