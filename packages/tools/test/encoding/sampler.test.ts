import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSampler } from "../../src/encoding/sampler.ts";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

function sampleOf(...pieces: readonly Uint8Array[]): string {
  const sampler = createSampler();
  for (const piece of pieces)
    sampler.update(
      piece,
      piece.every((byte) => byte < 0x80),
    );
  return Buffer.from(sampler.finish()).toString("latin1");
}

describe("createSampler", () => {
  test.each([
    ["", ""],
    ["only plain text", ""],
    ["caf\xe9", "caf\xe9"],
    ["a long plain beginning, caf\xe9\nmore", "n beginning, caf\xe9\n"],
  ])("keeps of %j the stretches above 7F with what stands before them", (text, sample) => {
    expect(sampleOf(latin1(text))).toBe(sample);
  });

  test("holds at most a little more than 16 KB", () => {
    const dense = new Uint8Array(100_000).fill(0xd0);
    expect(sampleOf(dense).length).toBeLessThan(16 * 1024 + 64);
    expect(sampleOf(dense).length).toBeGreaterThanOrEqual(16 * 1024);
  });

  test("does not depend on how the stream is cut", () => {
    const part = fc.oneof(
      fc.constantFrom("plain ", "\n", "0123456789abcdefghijklmnop", "x".repeat(5000)),
      fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), fc.array(fc.nat(10_000), { maxLength: 6 }), (parts, cuts) => {
        const bytes = latin1(parts.join(""));
        const borders = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((left, right) => left - right);
        const pieces = [...borders, bytes.length].map((end, index) => bytes.subarray(borders[index - 1] ?? 0, end));
        expect(sampleOf(...pieces)).toBe(sampleOf(bytes));
      }),
      { numRuns: 200 },
    );
  });
});
