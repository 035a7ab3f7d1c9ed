import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPatience } from "../../src/cli/patience.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("createPatience", () => {
  test("tells of long work after 3, 6 and 12 seconds, and no more once it has ended", () => {
    const said: string[] = [];
    const patience = createPatience((name, ms) => said.push(`${name} ${ms}`));
    patience.begin("a", "Grep");
    vi.advanceTimersByTime(2999);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(10_000);
    expect(said).toEqual(["Grep 3000", "Grep 6000", "Grep 12000"]);
    patience.end("a");
    vi.advanceTimersByTime(100_000);
    expect(said).toHaveLength(3);
  });

  test("tells of each work by itself, and of none once cleared", () => {
    const said: string[] = [];
    const patience = createPatience((name) => said.push(name));
    patience.begin("a", "Grep");
    vi.advanceTimersByTime(2000);
    patience.begin("b", "Glob");
    vi.advanceTimersByTime(3000);
    expect(said).toEqual(["Grep", "Glob"]);
    patience.clear();
    vi.advanceTimersByTime(100_000);
    expect(said).toHaveLength(2);
  });
});
