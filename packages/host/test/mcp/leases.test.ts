import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLeases } from "../../src/mcp/leases.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp(max = 2) {
  const ended: string[] = [];
  const leases = createLeases<{ name: string; close(): Promise<void> }>({ max, idleMs: 1_000 });
  const add = (name: string) => leases.add(name, async () => ({ name, close: async () => void ended.push(name) }));
  return { ended, leases, add };
}

describe("createLeases", () => {
  test("ends what was idle for its time, and not what is in use", async () => {
    const { ended, leases, add } = setUp();
    await Promise.all([add("idle"), add("used")]);
    const release = leases.hold("used");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ended).toEqual(["idle"]);
    release();
    await vi.advanceTimersByTimeAsync(999);
    expect(leases.get("used")).toBeDefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(["idle", "used"]);
  });

  test("with too many ends the one that was idle longest", async () => {
    const { ended, leases, add } = setUp();
    await add("a");
    await add("b");
    leases.hold("a")();
    await add("c");
    expect(ended).toEqual(["b"]);
  });

  test("refuses one more while all are in use", async () => {
    const { leases, add } = setUp(1);
    await add("a");
    leases.hold("a");
    await expect(add("b")).rejects.toThrow("All 1 sessions are in use: end one first");
  });

  test("forgets what could not be made", async () => {
    const { leases } = setUp();
    await expect(leases.add("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(leases.get("a")).toBeUndefined();
  });

  test("tells of one that could not be ended in order, and forgets it", async () => {
    const errors: string[] = [];
    const onError = ({ message }: Error): void => void errors.push(message);
    const leases = createLeases<{ close(): Promise<void> }>({ max: 1, idleMs: 1_000, onError });
    await leases.add("a", async () => ({ close: () => Promise.reject(new Error("stuck")) }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(errors).toEqual(["stuck"]);
    expect(leases.get("a")).toBeUndefined();
  });

  test("ends all at the end, each once", async () => {
    const { ended, leases, add } = setUp();
    await Promise.all([add("a"), add("b")]);
    await Promise.all([leases.close(), leases.close()]);
    await leases.end("a");
    expect(ended.sort()).toEqual(["a", "b"]);
  });
});
