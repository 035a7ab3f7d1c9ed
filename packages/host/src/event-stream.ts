/** Events that may wait for a consumer; beyond it the producer is asked to wait, and without a consumer the oldest go. */
export const MAX_WAITING_EVENTS = 512;

/** One producer, one consumer. Nobody has to consume: events then fall away and the producer is never held up. */
export interface EventStream<Event> {
  /** Never waits; call `ready` between events where waiting is possible. */
  emit(event: Event): void;
  /** Resolves once the consumer has caught up, or there is none to wait for any more. */
  ready(): Promise<void>;
  /** No event follows. */
  end(): void;
  readonly events: AsyncIterable<Event>;
}

/** `onLeave` is called when the consumer stops before the end. Nobody waits for the consumer once `signal` is aborted. */
export function createEventStream<Event>(onLeave: () => void, signal: AbortSignal): EventStream<Event> {
  let waiting: Event[] = [];
  let consumer: "none" | "reading" | "left" = "none";
  let ended = false;
  let wakeConsumer = (): void => undefined;
  let wakeProducers: (() => void)[] = [];

  const releaseProducers = (): void => {
    const woken = wakeProducers;
    wakeProducers = [];
    for (const wake of woken) wake();
  };

  signal.addEventListener("abort", releaseProducers, { once: true });

  const next = async (): Promise<IteratorResult<Event, undefined>> => {
    while (waiting.length === 0 && !ended) {
      await new Promise<void>((resolve) => {
        wakeConsumer = resolve;
      });
    }
    const event = waiting.shift();
    if (waiting.length < MAX_WAITING_EVENTS / 2) releaseProducers();
    return event === undefined ? { done: true, value: undefined } : { done: false, value: event };
  };

  const leave = async (): Promise<IteratorResult<Event, undefined>> => {
    const early = !ended;
    consumer = "left";
    waiting = [];
    releaseProducers();
    if (early) onLeave();
    return { done: true, value: undefined };
  };

  return {
    emit: (event) => {
      if (consumer === "left" || ended) return;
      if (consumer === "none" && waiting.length >= MAX_WAITING_EVENTS) waiting.shift();
      waiting.push(event);
      wakeConsumer();
    },
    ready: async () => {
      while (consumer === "reading" && waiting.length >= MAX_WAITING_EVENTS && !signal.aborted) {
        await new Promise<void>((resolve) => wakeProducers.push(resolve));
      }
    },
    end: () => {
      ended = true;
      wakeConsumer();
      releaseProducers();
    },
    events: {
      [Symbol.asyncIterator]: () => {
        if (consumer !== "none") throw new TypeError("The events of a run can be read once: collect them in an array");
        consumer = "reading";
        return { next, return: leave };
      },
    },
  };
}
