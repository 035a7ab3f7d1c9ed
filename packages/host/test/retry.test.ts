import { describe, expect, test } from "vitest";
import { retryWait } from "../src/retry.ts";

describe("retryWait", () => {
  test("doubles from one second to a minute, eight times, then gives up", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((retry) => retryWait(retry, undefined, () => 0));
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, undefined]);
  });

  test("adds up to a quarter of jitter", () => {
    expect(retryWait(1, undefined, () => 1)).toBe(1250);
  });

  test("waits as long as the provider asks, without jitter", () => {
    expect(retryWait(1, 90_000, () => 1)).toBe(90_000);
    expect(retryWait(1, 0)).toBe(1);
  });

  test("gives up when the provider asks for more than a quarter of an hour", () => {
    expect(retryWait(1, 15 * 60_000 + 1)).toBeUndefined();
  });
});
