import { describe, expect, test } from "vitest";
import { inCallOrder, takeTurn, untilReady } from "../src/path-locks.ts";

/** What has happened so far, in order; a step is noted when its promise settles. */
function journal(): { readonly steps: string[]; note(step: string, promise: Promise<unknown>): Promise<void> } {
  const steps: string[] = [];
  return { steps, note: (step, promise) => promise.then(() => void steps.push(step)) };
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("takeTurn", () => {
  test("lets the turns of one path in one after the other, in call order, also past one that was given up", async () => {
    const { steps, note } = journal();
    const turns = [1, 2, 3].map(() => takeTurn(["/a"]));
    for (const [index, turn] of turns.entries()) void note(String(index), turn.ready);
    await settled();
    expect(steps).toEqual(["0"]);
    turns[1]?.end();
    await settled();
    expect(steps).toEqual(["0"]);
    turns[0]?.end();
    await settled();
    expect(steps).toEqual(["0", "1", "2"]);
    turns[2]?.end();
  });

  test("does not hold up another path", async () => {
    const first = takeTurn(["/a"]);
    const other = takeTurn(["/b"]);
    await other.ready;
    first.end();
    other.end();
  });

  test("cannot block itself with two turns on the same two paths in either order", async () => {
    const one = takeTurn(["/a", "/b"]);
    const two = takeTurn(["/b", "/a", "/b"]);
    const three = takeTurn(["/a"]);
    await one.ready;
    one.end();
    one.end();
    await two.ready;
    two.end();
    await three.ready;
    three.end();
  });

  test("keeps nothing of a path when its last turn is over", async () => {
    const turn = takeTurn(["/gone"]);
    turn.end();
    await settled();
    const registry = Reflect.get(globalThis, Symbol.for("spillway.tools.pathLocks"));
    expect(registry.tails.has("/gone")).toBe(false);
  });
});

describe("inCallOrder", () => {
  test("queues in the order of the calls, although the first look-up takes longer", async () => {
    const { steps, note } = journal();
    let finish: (path: string) => void = () => undefined;
    const slow = inCallOrder(
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
      (path) => takeTurn([path]),
    );
    const fast = inCallOrder(
      async () => "/a",
      (path) => takeTurn([path]),
    );
    const both = [slow, fast].map(async (pending, index) => {
      const [, turn] = await pending;
      await note(String(index), turn.ready);
      turn.end();
    });
    await settled();
    expect(steps).toEqual([]);
    finish("/a");
    await Promise.all(both);
    expect(steps).toEqual(["0", "1"]);
  });

  test("passes the failure of a look-up on and lets the next call in", async () => {
    const failing = inCallOrder(
      () => Promise.reject(new Error("nothing there")),
      () => takeTurn([]),
    );
    const next = inCallOrder(
      async () => "/a",
      (path) => takeTurn([path]),
    );
    await expect(failing).rejects.toThrow("nothing there");
    const [, turn] = await next;
    await turn.ready;
    turn.end();
  });
});

describe("untilReady", () => {
  test("rejects with the abort reason while it waits", async () => {
    const first = takeTurn(["/a"]);
    const second = takeTurn(["/a"]);
    const controller = new AbortController();
    const waiting = untilReady(second, controller.signal);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    second.end();
    first.end();
    await untilReady(takeTurn(["/b"]), new AbortController().signal);
  });
});
