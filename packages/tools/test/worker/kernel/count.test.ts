import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ByteCounts,
  type CountingBuffer,
  countingBuffer,
  plainBuffer,
  vectorBuffer,
} from "../../../src/worker/kernel/count.ts";

function countOf(buffer: CountingBuffer | undefined, bytes: Uint8Array, start = 0, end = bytes.length): ByteCounts {
  if (buffer === undefined) throw new Error("This machine has no vectors");
  buffer.bytes.set(bytes);
  return buffer.count(start, end);
}

const counters = [
  ["vector code", vectorBuffer()],
  ["plain code", plainBuffer()],
] as const;

describe.each(counters)("countingBuffer with %s", (_, buffer) => {
  test.each([
    ["", { lineFeeds: 0, carriageReturns: 0, crlf: 0, continuations: 0, isAscii: true }],
    ["a\nb\r\nc\rd\n", { lineFeeds: 3, carriageReturns: 2, crlf: 1, continuations: 0, isAscii: true }],
    ["\r\n".repeat(3000), { lineFeeds: 3000, carriageReturns: 3000, crlf: 3000, continuations: 0, isAscii: true }],
    ["\n".repeat(9000), { lineFeeds: 9000, carriageReturns: 0, crlf: 0, continuations: 0, isAscii: true }],
    ["é漢🎈", { lineFeeds: 0, carriageReturns: 0, crlf: 0, continuations: 6, isAscii: false }],
    ["漢".repeat(9000), { lineFeeds: 0, carriageReturns: 0, crlf: 0, continuations: 18_000, isAscii: false }],
    [`${"a".repeat(4090)}\r\n漢`, { lineFeeds: 1, carriageReturns: 1, crlf: 1, continuations: 2, isAscii: false }],
  ])("counts %#", (text, counts) => {
    expect(countOf(buffer, Buffer.from(text))).toEqual(counts);
  });

  test("sees a line feed behind the stretch as not its own", () => {
    expect(countOf(buffer, Buffer.from("ab\r\ncd"), 0, 3)).toEqual({
      lineFeeds: 0,
      carriageReturns: 1,
      crlf: 0,
      continuations: 0,
      isAscii: true,
    });
  });
});

describe("vectorBuffer", () => {
  test("agrees with plain code on any bytes and any stretch", () => {
    const byte = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(0x0a, 0x0d, 0x41) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 200 }), fc.nat(300), fc.nat(10_000), (tail, start, filler) => {
        const bytes = Uint8Array.from([...new Uint8Array(filler).fill(0x62), ...tail]);
        const from = Math.min(start, bytes.length);
        const vectors = countOf(vectorBuffer(), bytes, from);
        expect(vectors).toEqual(countOf(plainBuffer(), bytes, from));
      }),
      { numRuns: 200 },
    );
  });
});

describe("countingBuffer", () => {
  test("is one per thread and uses vectors where there are any", () => {
    expect(countingBuffer()).toBe(countingBuffer());
    expect(countingBuffer().bytes.length).toBe(256 * 1024);
    expect(vectorBuffer()).toBeDefined();
  });
});
