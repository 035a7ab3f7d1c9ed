// Process-wide on purpose: two toolboxes, or two installed copies of this package, must not interleave in one file.

/** A place in the queues of some paths. */
export interface Turn {
  /** Settles when every earlier turn on these paths is over. Never rejects. */
  readonly ready: Promise<void>;
  /** Lets the next one in; calling it twice does nothing. */
  end(): void;
}

interface Registry {
  readonly tails: Map<string, Promise<void>>;
  arrivals: Promise<unknown>;
}

const REGISTRY = Symbol.for("spillway.tools.pathLocks");

/**
 * Queues for canonical paths, in call order and without waiting. All queues are joined at once, so turns on several
 * paths cannot block each other in a circle.
 */
export function takeTurn(paths: readonly string[]): Turn {
  const { tails } = registry();
  const keys = [...new Set(paths)];
  const earlier = keys.map((key) => tails.get(key));
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  for (const key of keys) {
    // A turn that was given up while it waited must not let the next one in before its own time.
    const tail = Promise.all([over, tails.get(key)]).then(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
    tails.set(key, tail);
  }
  return { ready: Promise.all(earlier).then(() => undefined), end };
}

/**
 * Resolves paths and queues for them in the order of the calls to `inCallOrder`, whatever the time each `resolve` takes:
 * two spellings of one path keep their order although each has to be looked up first.
 */
export async function inCallOrder<Value>(
  resolve: () => Promise<Value>,
  take: (value: Value) => Turn,
): Promise<[Value, Turn]> {
  const shared = registry();
  const earlier = shared.arrivals;
  const arrival = (async (): Promise<[Value, Turn]> => {
    const value = resolve();
    // A failed look-up must not let a later call pass the earlier ones.
    await Promise.allSettled([value, earlier]);
    const resolved = await value;
    return [resolved, take(resolved)];
  })();
  shared.arrivals = Promise.allSettled([earlier, arrival]).then(() => undefined);
  return arrival;
}

/** Waits for a turn; an abort gives the place up. */
export async function untilReady(turn: Turn, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let giveUp = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp, { once: true });
  });
  try {
    await Promise.race([turn.ready, aborted]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function registry(): Registry {
  const holder = globalThis as { [REGISTRY]?: Registry };
  holder[REGISTRY] ??= { tails: new Map(), arrivals: Promise.resolve() };
  return holder[REGISTRY];
}
