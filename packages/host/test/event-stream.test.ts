import { describe, expect, test } from "vitest";
import { createEventStream, MAX_WAITING_EVENTS } from "../src/event-stream.ts";

const never = new AbortController().signal;

describe("createEventStream", () => {
  test("gives the events in order, those from before the reader came included", async () => {
    const stream = createEventStream<number>(() => undefined, never);
    stream.emit(1);
    stream.emit(2);
    const read = (async () => {
      const seen: number[] = [];
      for await (const event of stream.events) seen.push(event);
      return seen;
    })();
    await Promise.resolve();
    stream.emit(3);
    stream.end();
    expect(await read).toEqual([1, 2, 3]);
  });

  test("without a reader the producer is never held up and the newest events stay", async () => {
    const stream = createEventStream<number>(() => undefined, never);
    for (let n = 0; n < MAX_WAITING_EVENTS + 10; n += 1) stream.emit(n);
    await stream.ready();
    stream.end();
    const seen: number[] = [];
    for await (const event of stream.events) seen.push(event);
    expect(seen).toHaveLength(MAX_WAITING_EVENTS);
    expect(seen[0]).toBe(10);
  });

  test("a slow reader holds the producer up until it has caught up, and loses nothing", async () => {
    const stream = createEventStream<number>(() => undefined, never);
    const iterator = stream.events[Symbol.asyncIterator]();
    for (let n = 0; n < MAX_WAITING_EVENTS; n += 1) stream.emit(n);
    let ready = false;
    const waiting = stream.ready().then(() => {
      ready = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ready).toBe(false);
    for (let n = 0; n < MAX_WAITING_EVENTS; n += 1) expect((await iterator.next()).value).toBe(n);
    await waiting;
  });

  test("a reader that leaves early is reported once and held-up producers go on", async () => {
    let left = 0;
    const stream = createEventStream<number>(() => {
      left += 1;
    }, never);
    stream.emit(1);
    for await (const _ of stream.events) break;
    expect(left).toBe(1);
    for (let n = 0; n < MAX_WAITING_EVENTS * 2; n += 1) stream.emit(n);
    await stream.ready();
  });

  test("a reader that reads to the end has not left", async () => {
    let left = 0;
    const stream = createEventStream<number>(() => {
      left += 1;
    }, never);
    stream.end();
    for await (const _ of stream.events);
    expect(left).toBe(0);
  });

  test("a second reader is refused", () => {
    const stream = createEventStream<number>(() => undefined, never);
    stream.events[Symbol.asyncIterator]();
    expect(() => stream.events[Symbol.asyncIterator]()).toThrow(
      "The events of a run can be read once: collect them in an array",
    );
  });

  test("an abort lets the producer go, though the reader has stopped reading", async () => {
    const stop = new AbortController();
    const stream = createEventStream<number>(() => undefined, stop.signal);
    const reader = stream.events[Symbol.asyncIterator]();
    for (let n = 0; n < MAX_WAITING_EVENTS + 10; n += 1) stream.emit(n);
    await reader.next();
    let isReady = false;
    const ready = stream.ready().then(() => {
      isReady = true;
    });
    await new Promise(setImmediate);
    expect(isReady).toBe(false);
    stop.abort();
    await ready;
  });
});
