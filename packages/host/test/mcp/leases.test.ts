import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLeases } from "../../src/mcp/leases.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp(max = 2) {
  const made: string[] = [];
  const ended: string[] = [];
  const leases = createLeases<{ close(): Promise<void> }>({ max, idleMs: 1_000 });
  const make = (name: string) =>
    leases.holdOrMake(name, async () => {
      made.push(name);
      return { close: async () => void ended.push(name) };
    });
  /** Made, and not in use. */
  const add = async (name: string) => (await make(name)).release();
  return { made, ended, leases, make, add };
}

describe("createLeases", () => {
  test("ends what was idle for its time, and not what is in use", async () => {
    const { ended, leases, make, add } = setUp();
    const [, used] = await Promise.all([add("idle"), make("used")]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ended).toEqual(["idle"]);
    used.release();
    used.release();
    await vi.advanceTimersByTimeAsync(999);
    const again = await leases.hold("used");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ended).toEqual(["idle"]);
    again?.release();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toEqual(["idle", "used"]);
    expect(leases.hold("used")).toBeUndefined();
  });

  test("with too many ends the one that was idle longest", async () => {
    const { ended, leases, add } = setUp();
    await add("a");
    await add("b");
    (await leases.hold("a"))?.release();
    await add("c");
    expect(ended).toEqual(["b"]);
  });

  test("refuses one more while all are in use", async () => {
    const { make } = setUp(1);
    await make("a");
    await expect(make("b")).rejects.toThrow("All 1 sessions are in use: end one first");
  });

  test("two that ask at once for the same share it, also where another one has to end first", async () => {
    const { made, ended, leases, make, add } = setUp(1);
    await add("old");
    const [one, other] = await Promise.all([make("new"), make("new")]);
    expect(one.value).toBe(other.value);
    expect(made).toEqual(["old", "new"]);
    await leases.close();
    expect(ended).toEqual(["old", "new"]);
  });

  test("what is being made is in use already", async () => {
    const { ended, make } = setUp(1);
    const [first, second] = await Promise.allSettled([make("a"), make("b")]);
    expect([first.status, second.status]).toEqual(["fulfilled", "rejected"]);
    expect(ended).toEqual([]);
  });

  test("forgets what could not be made", async () => {
    const { leases } = setUp();
    await expect(leases.holdOrMake("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(leases.hold("a")).toBeUndefined();
  });

  test("tells of one that could not be ended in order, and forgets it", async () => {
    const errors: string[] = [];
    const onError = ({ message }: Error): void => void errors.push(message);
    const leases = createLeases<{ close(): Promise<void> }>({ max: 1, idleMs: 1_000, onError });
    const { release } = await leases.holdOrMake("a", async () => ({ close: () => Promise.reject(new Error("stuck")) }));
    release();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(errors).toEqual(["stuck"]);
    expect(leases.hold("a")).toBeUndefined();
  });

  test("ends all at the end, each once, and makes no more", async () => {
    const { ended, leases, make, add } = setUp();
    await Promise.all([add("a"), make("b")]);
    await Promise.all([leases.close(), leases.close()]);
    await leases.end("a");
    expect(ended.sort()).toEqual(["a", "b"]);
    await expect(add("c")).rejects.toThrow("The server is closed");
  });
});
