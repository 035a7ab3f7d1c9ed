import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { createLane } from "../../src/worker/lanes.ts";

const HOLD_FOREVER = 2 ** 30;

describe("createLane", () => {
  test("lets as many in as there are slots, the rest in call order", async () => {
    const lane = createLane(2, HOLD_FOREVER);
    const leave = await lane.enter();
    await lane.enter();
    const order: string[] = [];
    const third = lane.enter().then(() => order.push("third"));
    const fourth = lane.enter().then((release) => {
      order.push("fourth");
      release();
    });
    leave();
    leave();
    await third;
    expect(order).toEqual(["third"]);
    void fourth;
  });

  test("frees a slot that was held too long", async () => {
    const lane = createLane(1, 20);
    await lane.enter();
    await lane.enter();
  });

  test("forgets a waiter whose signal aborts and leaves no listener", async () => {
    const lane = createLane(1, HOLD_FOREVER);
    const leave = await lane.enter();
    const abort = new AbortController();
    const waiting = lane.enter(abort.signal);
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    leave();
    await lane.enter(abort.signal);
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  });
});
