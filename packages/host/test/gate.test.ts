import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CallClass, createGate, GATE_LIMITS, type GateLimits } from "../src/gate.ts";

const SMALL: GateLimits = {
  total: 4,
  byClass: { read: 3, shell: 2, mutation: 1 },
  perSession: 2,
  queuePerSession: 3,
};

/** Resolves after everything that is already due. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("createGate", () => {
  test("admits 16 calls in all, 8 reads, 4 shells, 2 mutations, 4 of a session, 64 waiting", () => {
    expect(GATE_LIMITS).toEqual({
      total: 16,
      byClass: { read: 8, shell: 4, mutation: 2 },
      perSession: 4,
      queuePerSession: 64,
    });
  });

  test("a fifth call of a session waits until one of its four is over", async () => {
    const gate = createGate();
    const releases = await Promise.all([1, 2, 3, 4].map(() => gate.acquire("a", "read")));
    let admitted = false;
    const fifth = gate.acquire("a", "read").then((release) => {
      admitted = true;
      return release;
    });
    await settled();
    expect(admitted).toBe(false);
    releases[0]?.();
    expect(await fifth).toBeTypeOf("function");
  });

  test("answers undefined only when the session's own queue is full", async () => {
    const gate = createGate(SMALL);
    await Promise.all([gate.acquire("a", "read"), gate.acquire("a", "read")]);
    const waiting = [1, 2, 3].map(() => gate.acquire("a", "read"));
    expect(await gate.acquire("a", "read")).toBeUndefined();
    expect(await gate.acquire("b", "read")).toBeTypeOf("function");
    expect(waiting).toHaveLength(3);
  });

  test("serves waiting sessions in turn", async () => {
    const gate = createGate({ ...SMALL, total: 1, perSession: 1 });
    const release = await gate.acquire("first", "read");
    const order: string[] = [];
    const enter = async (session: string): Promise<void> => {
      const leave = await gate.acquire(session, "read");
      order.push(session);
      leave?.();
    };
    const all = ["a", "a", "a", "b", "b", "c"].map(enter);
    release?.();
    await Promise.all(all);
    expect(order).toEqual(["a", "b", "c", "a", "b", "a"]);
  });

  test("a call of a free class passes one whose class is full", async () => {
    const gate = createGate(SMALL);
    await gate.acquire("a", "mutation");
    const blocked = gate.acquire("b", "mutation");
    expect(await gate.acquire("b", "read")).toBeTypeOf("function");
    expect(await Promise.race([blocked, settled()])).toBeUndefined();
  });

  test("giving a slot back twice frees one slot", async () => {
    const gate = createGate({ ...SMALL, total: 1 });
    const release = await gate.acquire("a", "read");
    release?.();
    release?.();
    await gate.acquire("a", "read");
    expect(await Promise.race([gate.acquire("b", "read").then(() => "in"), settled()])).toBeUndefined();
  });

  test("an aborted wait rejects with the reason and leaves no listener and no place in the queue", async () => {
    const gate = createGate({ ...SMALL, total: 1 });
    const release = await gate.acquire("a", "read");
    const controller = new AbortController();
    const waiting = gate.acquire("b", "read", controller.signal);
    const behind = gate.acquire("c", "read");
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    release?.();
    expect(await behind).toBeTypeOf("function");
  });

  test("never exceeds a limit and serves everybody, whatever the mix", async () => {
    const call = fc.record({
      session: fc.constantFrom("a", "b", "c"),
      callClass: fc.constantFrom<CallClass>("read", "shell", "mutation"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 30 }), fc.nat(3), async (calls, slowness) => {
        const gate = createGate({ ...SMALL, queuePerSession: 30 });
        const running: { session: string; callClass: CallClass }[] = [];
        const served = await Promise.all(
          calls.map(async (one) => {
            const release = await gate.acquire(one.session, one.callClass);
            running.push(one);
            expect(running.length).toBeLessThanOrEqual(SMALL.total);
            expect(running.filter(({ callClass }) => callClass === one.callClass).length).toBeLessThanOrEqual(
              SMALL.byClass[one.callClass],
            );
            expect(running.filter(({ session }) => session === one.session).length).toBeLessThanOrEqual(
              SMALL.perSession,
            );
            for (let n = 0; n < slowness; n += 1) await Promise.resolve();
            running.splice(running.indexOf(one), 1);
            release?.();
            return release !== undefined;
          }),
        );
        expect(served.every(Boolean)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
