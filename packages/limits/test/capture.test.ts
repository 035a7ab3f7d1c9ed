import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCapture } from "../src/capture.ts";
import { arbitraryBytes, arbitraryChunks, joinBytes } from "./arbitrary-text.ts";

const WIDE = { maxBytes: 1_000, maxLines: 1_000 };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("createCapture", () => {
  test.each([
    ["head", "1\n2\n3\n4\n", { maxBytes: 5, maxLines: 9 }, "1\n2\n3", 3],
    ["tail", "1\n2\n3\n4\n", { maxBytes: 5, maxLines: 9 }, "\n3\n4\n", 3],
    ["head", "1\n2\n3\n4\n", { maxBytes: 99, maxLines: 2 }, "1\n2\n", 2],
    ["tail", "1\n2\n3\n4\n", { maxBytes: 99, maxLines: 2 }, "3\n4\n", 2],
    ["tail", "1\n2\n3\n4", { maxBytes: 99, maxLines: 2 }, "3\n4", 2],
  ] as const)("keeps the %s of %j within %j", (keep, stream, sizes, text, keptLines) => {
    const capture = createCapture({ ...sizes, keep });
    capture.push(encode(stream));
    expect(capture.finish()).toEqual({
      text,
      keptBytes: text.length,
      keptLines,
      totalBytes: stream.length,
      totalLines: 4,
      truncated: true,
    });
  });

  test.each(["head", "tail"] as const)("keeps a stream of exactly the ceiling whole (%s)", (keep) => {
    const capture = createCapture({ maxBytes: 4, maxLines: 2, keep });
    capture.push(encode("1\n2\n"));
    expect(capture.finish()).toEqual({
      text: "1\n2\n",
      keptBytes: 4,
      keptLines: 2,
      totalBytes: 4,
      totalLines: 2,
      truncated: false,
    });
  });

  test("is empty when nothing came", () => {
    const capture = createCapture({ ...WIDE, keep: "tail" });
    capture.push(new Uint8Array(0));
    expect(capture.finish()).toEqual({
      text: "",
      keptBytes: 0,
      keptLines: 0,
      totalBytes: 0,
      totalLines: 0,
      truncated: false,
    });
    expect(capture.bytes()).toEqual(new Uint8Array(0));
  });

  test("joins a character that came in several chunks", () => {
    const capture = createCapture({ ...WIDE, keep: "head" });
    for (const byte of encode("中🎈")) capture.push(Uint8Array.of(byte));
    expect(capture.finish().text).toBe("中🎈");
  });

  test("keeps a byte order mark", () => {
    const capture = createCapture({ ...WIDE, keep: "head" });
    capture.push(encode("\ufeffa"));
    expect(capture.finish()).toMatchObject({ text: "\ufeffa", keptBytes: 4 });
  });

  test.each([
    ["head", "a中中", 6, "a中"],
    ["head", "aéé", 4, "aé"],
    ["head", "a🎈🎈", 8, "a🎈"],
    ["tail", "中中a", 6, "中a"],
    ["tail", "ééa", 4, "éa"],
    ["tail", "🎈🎈a", 8, "🎈a"],
    ["head", "🎈", 3, ""],
    ["tail", "🎈", 3, ""],
  ] as const)("never splits a character at its ceiling (%s of %s)", (keep, stream, maxBytes, text) => {
    const capture = createCapture({ maxBytes, maxLines: 9, keep });
    for (const byte of encode(stream)) capture.push(Uint8Array.of(byte));
    expect(capture.finish()).toMatchObject({ text, keptBytes: encode(text).length, truncated: true });
    expect(capture.bytes()).toEqual(encode(text));
  });

  test("shows U+FFFD where the stream ends inside a character", () => {
    const capture = createCapture({ ...WIDE, keep: "head" });
    capture.push(Uint8Array.of(0x61, 0xe4, 0xb8));
    expect(capture.finish()).toMatchObject({ text: "a\ufffd", keptBytes: 3, truncated: false });
  });

  test("copies what it keeps, since callers reuse their buffers", () => {
    const capture = createCapture({ ...WIDE, keep: "tail" });
    const buffer = encode("one\n");
    capture.push(buffer);
    buffer.set(encode("two\n"));
    capture.push(buffer);
    expect(capture.finish().text).toBe("one\ntwo\n");
  });

  test("gives its bytes at any time, as a copy", () => {
    const capture = createCapture({ ...WIDE, keep: "head" });
    capture.push(Uint8Array.of(0xff, 0x0a));
    const early = capture.bytes();
    capture.push(encode("b"));
    expect(early).toEqual(Uint8Array.of(0xff, 0x0a));
    capture.bytes().fill(0);
    expect(capture.finish().text).toBe("\ufffd\nb");
    expect(capture.bytes()).toEqual(Uint8Array.of(0xff, 0x0a, 0x62));
  });

  test("equals cutting the whole stream, however it was chunked", () => {
    const sizes = fc.record({
      maxBytes: fc.integer({ min: 1, max: 120 }),
      maxLines: fc.integer({ min: 1, max: 9 }),
      keep: fc.constantFrom("head", "tail"),
    });
    fc.assert(
      fc.property(arbitraryChunks(arbitraryBytes), sizes, (chunks, options) => {
        const whole = joinBytes(chunks);
        const capture = createCapture(options);
        for (const chunk of chunks) capture.push(Uint8Array.from(chunk));
        const kept = expectedBytes(whole, options);

        expect(capture.bytes()).toEqual(kept);
        expect(capture.finish()).toEqual({
          text: Buffer.from(kept).toString("utf8"),
          keptBytes: kept.length,
          keptLines: linesIn(kept),
          totalBytes: whole.length,
          totalLines: linesIn(whole),
          truncated: kept.length < whole.length,
        });
      }),
      { numRuns: 800 },
    );
  });

  test("gives an end of the decoded stream, U+FFFD only where the stream has it", () => {
    const sizes = fc.record({
      maxBytes: fc.integer({ min: 1, max: 60 }),
      maxLines: fc.constant(99),
      keep: fc.constantFrom("head", "tail"),
    });
    fc.assert(
      fc.property(arbitraryChunks(arbitraryBytes), sizes, (chunks, options) => {
        const whole = Buffer.from(joinBytes(chunks)).toString("utf8");
        const capture = createCapture(options);
        for (const chunk of chunks) capture.push(chunk);
        const { text } = capture.finish();
        expect(options.keep === "head" ? whole.startsWith(text) : whole.endsWith(text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each(["head", "tail"] as const)("holds its ceiling and no more, whatever arrives (%s)", (keep) => {
    const capture = createCapture({ maxBytes: 100_000, maxLines: 500, keep });
    const chunk = encode("0123456\n".repeat(8_192));
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 2_000; round++) capture.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000);
    expect(capture.finish()).toMatchObject({ keptLines: 500, totalBytes: 131_072_000, totalLines: 16_384_000 });
  });

  test("takes chunks of another realm", () => {
    const capture = createCapture({ ...WIDE, keep: "head" });
    capture.push(runInNewContext("Uint8Array.of(104, 105)"));
    expect(capture.finish().text).toBe("hi");
  });

  test("refuses a chunk after the end, and gives the same result again", () => {
    const capture = createCapture({ ...WIDE, keep: "head" });
    capture.push(encode("a"));
    const result = capture.finish();
    expect(() => capture.push(encode("b"))).toThrow(
      "Cannot capture after finish: create a new capture for the next stream",
    );
    expect(capture.finish()).toBe(result);
  });

  test("refuses a chunk that is text", () => {
    const capture = createCapture({ ...WIDE, keep: "head" });
    const chunk = JSON.parse('"text"');
    expect(() => capture.push(chunk)).toThrow(
      new TypeError('Cannot capture "text": pass a Uint8Array, so leave the stream\'s encoding unset'),
    );
  });

  test.each([
    ['{"maxBytes":0,"maxLines":1,"keep":"head"}', "Invalid maxBytes 0: pass a whole number from 1 to 9007199254740991"],
    ['{"maxBytes":1,"maxLines":"2","keep":"head"}', 'Invalid maxLines "2": pass a whole number from 1'],
    ['{"maxBytes":1,"maxLines":1,"keep":"both"}', 'Invalid keep "both": pass "head" or "tail"'],
  ])("refuses %s", (options, message) => {
    expect(() => createCapture(JSON.parse(options))).toThrow(message);
  });
});

function expectedBytes(
  whole: Uint8Array,
  { maxBytes, maxLines, keep }: { maxBytes: number; maxLines: number; keep: "head" | "tail" },
): Uint8Array {
  let start = keep === "head" ? 0 : Math.max(0, whole.length - maxBytes);
  let end = keep === "head" ? Math.min(maxBytes, whole.length) : whole.length;
  const continues = (at: number): boolean => at < whole.length && ((whole[at] ?? 0) & 0xc0) === 0x80;
  if (start > 0) {
    const limit = start + 3;
    while (start < limit && continues(start)) start++;
  }
  if (end < whole.length) {
    let lead = end - 1;
    while (lead > end - 4 && lead >= 0 && continues(lead)) lead--;
    const byte = whole[lead] ?? 0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (lead >= 0 && lead + length > end) end = lead;
  }
  while (linesIn(whole.subarray(start, end)) > maxLines) {
    if (keep === "head") end--;
    else start++;
  }
  return whole.slice(start, end);
}

function linesIn(bytes: Uint8Array): number {
  const lineFeeds = bytes.filter((byte) => byte === 10).length;
  return lineFeeds + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);
}
