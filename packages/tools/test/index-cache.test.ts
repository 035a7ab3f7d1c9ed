import { describe, expect, test } from "vitest";
import { createIndexCache, sharedIndexCache } from "../src/index-cache.ts";
import type { FileIndex } from "../src/worker/file-index.ts";

function indexOf(bytes: number, checkpointBytes = 24): FileIndex {
  return {
    identity: "1:2:3:4:5",
    trusted: true,
    asked: undefined,
    encoding: { name: "utf-8", bom: false },
    plainUtf8: true,
    bytes,
    hash: "0".repeat(16),
    totalLines: 1,
    endings: { lf: 1, crlf: 0, loneCr: 0 },
    undecodable: 0,
    checkpoints: new SharedArrayBuffer(checkpointBytes),
  };
}

const LARGE = 1024 * 1024;

describe("createIndexCache", () => {
  test("gives back what was set last", () => {
    const cache = createIndexCache();
    const [first, second] = [indexOf(LARGE), indexOf(2 * LARGE)];
    cache.set("/a", first);
    expect(cache.get("/a")).toBe(first);
    cache.set("/a", second);
    expect(cache.get("/a")).toBe(second);
    expect(cache.get("/b")).toBeUndefined();
  });

  test("keeps nothing of files that are scanned in no time, and drops what it kept when a file became one", () => {
    const cache = createIndexCache();
    cache.set("/a", indexOf(LARGE));
    cache.set("/a", indexOf(1000));
    expect(cache.get("/a")).toBeUndefined();
  });

  test("drops the least recently used file beyond its number", () => {
    const cache = createIndexCache(2);
    cache.set("/a", indexOf(LARGE));
    cache.set("/b", indexOf(LARGE));
    cache.get("/a");
    cache.set("/c", indexOf(LARGE));
    expect(["/a", "/b", "/c"].filter((path) => cache.get(path) !== undefined)).toEqual(["/a", "/c"]);
  });

  test("drops the least recently used files beyond its bytes", () => {
    const cache = createIndexCache(100, 1000);
    cache.set("/a", indexOf(LARGE, 400));
    cache.set("/b", indexOf(LARGE, 400));
    cache.set("/a", indexOf(LARGE, 400));
    cache.set("/c", indexOf(LARGE, 400));
    expect(["/a", "/b", "/c"].filter((path) => cache.get(path) !== undefined)).toEqual(["/a", "/c"]);
  });
});

describe("sharedIndexCache", () => {
  test("is one for the process", () => {
    expect(sharedIndexCache()).toBe(sharedIndexCache());
  });
});
