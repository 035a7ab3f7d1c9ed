import { once } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { holdOutput } from "../../src/shell/held-output.ts";

const never = new AbortController().signal;

function twoStreams(): [PassThrough, PassThrough] {
  const streams: [PassThrough, PassThrough] = [new PassThrough(), new PassThrough()];
  for (const stream of streams) stream.resume();
  return streams;
}

describe("holdOutput", () => {
  test("is settled once both streams have ended", async () => {
    const [stdout, stderr] = twoStreams();
    const output = holdOutput([stdout, stderr]);
    stdout.end();
    expect(await output.closedWithin(20)).toBe(false);
    const settled = output.settled({ quietMs: 60_000, maxMs: 60_000, signal: never });
    stderr.end();
    expect(await settled).toBe(true);
    expect(await output.closedWithin(0)).toBe(true);
  });

  test("knows a stream that was closed before", async () => {
    const [stdout, stderr] = twoStreams();
    stdout.end();
    await once(stdout, "close");
    const output = holdOutput([stdout, stderr]);
    stderr.end();
    expect(await output.closedWithin(30_000)).toBe(true);
  });

  test("gives up after the quiet time, which every byte begins anew", async () => {
    const output = holdOutput(twoStreams());
    const begin = performance.now();
    const timer = setInterval(() => output.touch(), 10);
    setTimeout(() => clearInterval(timer), 150);
    expect(await output.settled({ quietMs: 60, maxMs: 60_000, signal: never })).toBe(false);
    expect(performance.now() - begin).toBeGreaterThan(195);
  });

  test("gives up after the longest time although bytes come", async () => {
    const output = holdOutput(twoStreams());
    const timer = setInterval(() => output.touch(), 5);
    expect(await output.settled({ quietMs: 60_000, maxMs: 80, signal: never })).toBe(false);
    clearInterval(timer);
  });

  test("gives up at once when it is told to", async () => {
    const output = holdOutput(twoStreams());
    const signal = AbortSignal.timeout(20);
    expect(await output.settled({ quietMs: 60_000, maxMs: 60_000, signal })).toBe(false);
    expect(await output.settled({ quietMs: 60_000, maxMs: 60_000, signal })).toBe(false);
  });

  test("takes a broken stream for an ended one, and nothing after it was abandoned", async () => {
    const [stdout, stderr] = twoStreams();
    const output = holdOutput([stdout, stderr]);
    let bytes = 0;
    stderr.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
    });
    stdout.destroy(new Error("EPIPE"));
    output.abandon();
    expect(await output.closedWithin(5_000)).toBe(true);
    expect(stderr.destroyed).toBe(true);
    expect(bytes).toBe(0);
  });
});
