import { describe, expect, test } from "vitest";
import { createTokenCache } from "../src/token-cache.ts";

describe("createTokenCache", () => {
  test("counts what a computation asks for, each text once", async () => {
    const asked: string[][] = [];
    const cache = createTokenCache(async (texts) => {
      asked.push(texts);
      return texts.map((text) => text.length);
    });
    const sum = (): Promise<number> => cache.counted((count) => count("one") + count("three") + count("one"));
    expect(await sum()).toBe(11);
    expect(await sum()).toBe(11);
    expect(asked).toEqual([["one", "three"]]);
    expect(cache.counter("three")).toBe(5);
  });

  test("a computation that turns up other texts when it knows more is run again", async () => {
    const cache = createTokenCache(async (texts) => texts.map((text) => text.length));
    const value = await cache.counted((count) => (count("long text") === 9 ? count("next") : 0));
    expect(value).toBe(4);
  });

  test("without a count it errs to the safe side", async () => {
    const cache = createTokenCache(() => Promise.reject(new Error("no worker")));
    expect(await cache.counted((count) => count("abcdefgh"))).toBe(3);
    expect(cache.counter("abcdefgh")).toBe(3);
  });

  test("forgets what was not looked at between two rotations", async () => {
    let counts = 0;
    const cache = createTokenCache(async (texts) => {
      counts += texts.length;
      return texts.map(() => 1);
    });
    await cache.counted((count) => count("kept") + count("dropped"));
    cache.rotate();
    cache.counter("kept");
    cache.rotate();
    await cache.counted((count) => count("kept") + count("dropped"));
    expect(counts).toBe(3);
  });
});
