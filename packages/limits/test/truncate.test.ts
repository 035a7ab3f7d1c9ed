import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Budget } from "../src/budget.ts";
import { createCapture } from "../src/capture.ts";
import { byteLength, countLines } from "../src/measure.ts";
import { truncate } from "../src/truncate.ts";
import { arbitraryText } from "./arbitrary-text.ts";

const HEAD: Budget = { maxBytes: 2_048, maxLines: 3, keep: "head" };
const TAIL: Budget = { ...HEAD, keep: "tail" };
const BOTH: Budget = { ...HEAD, maxLines: 4, keep: "both" };
const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join("\n");
const NARROW = "Narrow the request to see more.";

const arbitraryBudget = fc.record({
  maxBytes: fc.integer({ min: 1, max: 150 }),
  maxLines: fc.integer({ min: 1, max: 12 }),
  keep: fc.constantFrom("head", "tail", "both"),
});

describe("truncate", () => {
  test("keeps the first lines and says so after them", () => {
    expect(truncate(TEN, HEAD)).toEqual({
      text: `line 1\nline 2\nline 3\n\n[truncated: kept the first 3 of 10 lines; limit 3 lines / 2KB. ${NARROW}]`,
      body: "line 1\nline 2\nline 3",
      truncated: true,
      kept: "head",
      keptLines: 3,
      totalLines: 10,
      keptBytes: 20,
      totalBytes: 70,
      stoppedBy: "lines",
      omitted: { firstLine: 4, lastLine: 10, lines: 7, bytes: 50 },
    });
  });

  test("keeps the last lines and says so before them", () => {
    expect(truncate(`${TEN}\n`, TAIL, { spillPath: "/s/stderr.log" })).toEqual({
      text: "[truncated: kept the last 3 of 10 lines; limit 3 lines / 2KB. Full output saved to /s/stderr.log — Grep it, or Read it with offset/limit.]\n\nline 8\nline 9\nline 10\n",
      body: "line 8\nline 9\nline 10\n",
      truncated: true,
      kept: "tail",
      keptLines: 3,
      totalLines: 10,
      keptBytes: 22,
      totalBytes: 71,
      stoppedBy: "lines",
      omitted: { firstLine: 1, lastLine: 7, lines: 7, bytes: 49 },
    });
  });

  test("keeps both ends, three quarters and one, with the marker in between", () => {
    expect(truncate(TEN, BOTH)).toEqual({
      text: `line 1\nline 2\nline 3\n\n[truncated: kept the first 3 and the last 1 of 10 lines; limit 4 lines / 2KB. ${NARROW}]\n\nline 10`,
      body: "line 1\nline 2\nline 3\nline 10",
      truncated: true,
      kept: "both",
      keptLines: 4,
      totalLines: 10,
      keptBytes: 28,
      totalBytes: 70,
      stoppedBy: "lines",
      omitted: { firstLine: 4, lastLine: 9, lines: 6, bytes: 42 },
    });
  });

  test("gives back a text within the budget as it is, even when a file is named", () => {
    expect(truncate("a\r\nb\n", HEAD, { spillPath: "/s/x.log" })).toEqual({
      text: "a\r\nb\n",
      body: "a\r\nb\n",
      truncated: false,
      kept: "head",
      keptLines: 2,
      totalLines: 2,
      keptBytes: 5,
      totalBytes: 5,
      stoppedBy: null,
    });
  });

  test.each(["head", "tail", "both"] as const)("does not cut what is over only by its final LF (%s)", (keep) => {
    const budget = { maxBytes: 7, maxLines: 2, keep };
    expect(truncate("abc\ndef\n", budget)).toMatchObject({ text: "abc\ndef\n", truncated: false, keptBytes: 8 });
    expect(truncate("abc\ndefg", budget).truncated).toBe(true);
    expect(truncate("abc\ndef\n\n", budget).truncated).toBe(true);
  });

  test("does not take a piece of a line for the line", () => {
    const budget = { maxBytes: 10, maxLines: 9, keep: "head" } as const;
    const piece = "x".repeat(50);
    const capture = { keptBytes: 900, keptLines: 1, totalBytes: 900, totalLines: 1 };
    expect(truncate(piece, budget, { isPiece: true }).text).toContain("kept 10 bytes of a single 50-byte line");
    expect(truncate(piece, budget, { isPiece: true, capture }).text).toContain("of a single 900-byte line");
    expect(
      truncate(piece, budget, { isPiece: true, capture: { ...capture, totalLines: 7, keptLines: 7 } }).text,
    ).toContain("of a single line of at least 50 bytes, the first of 7 lines");
  });

  test("counts the kept lines and the LFs that join them against the byte budget", () => {
    const text = "aaaa\nbbbb\ncccc\n";
    expect(truncate(text, { maxBytes: 9, maxLines: 9, keep: "head" }).body).toBe("aaaa\nbbbb");
    expect(truncate(text, { maxBytes: 8, maxLines: 9, keep: "head" })).toMatchObject({
      body: "aaaa",
      stoppedBy: "bytes",
    });
    expect(truncate(text, { maxBytes: 9, maxLines: 9, keep: "tail" }).body).toBe("bbbb\ncccc");
    expect(truncate(text, { maxBytes: 10, maxLines: 9, keep: "tail" }).body).toBe("bbbb\ncccc\n");
  });

  test("keeps the start of a line that is longer than the budget, up to a whole character", () => {
    expect(truncate("汉".repeat(100), { maxBytes: 100, maxLines: 5, keep: "head" })).toEqual({
      text: `${"汉".repeat(33)}\n\n[truncated: no complete line fits the 0.1KB limit; kept 99 bytes of a single 300-byte line. ${NARROW}]`,
      body: "汉".repeat(33),
      truncated: true,
      kept: "head",
      keptLines: 0,
      totalLines: 1,
      keptBytes: 99,
      totalBytes: 300,
      stoppedBy: "bytes",
      omitted: { firstLine: 1, lastLine: 1, lines: 1, bytes: 201 },
      partial: [{ line: 1, end: "head", keptBytes: 99, lineBytes: 300, lineBytesKnown: true }],
    });
  });

  test("keeps the end of a last line that is longer than the budget, without its LF", () => {
    expect(truncate(`a\n${"x".repeat(300)}\n`, { maxBytes: 100, maxLines: 5, keep: "tail" })).toEqual({
      text: `[truncated: no complete line fits the 0.1KB limit; kept the last 100 bytes of a single 300-byte line, the last of 2 lines. ${NARROW}]\n\n${"x".repeat(100)}`,
      body: "x".repeat(100),
      truncated: true,
      kept: "tail",
      keptLines: 0,
      totalLines: 2,
      keptBytes: 100,
      totalBytes: 303,
      stoppedBy: "bytes",
      omitted: { firstLine: 1, lastLine: 2, lines: 2, bytes: 203 },
      partial: [{ line: 2, end: "tail", keptBytes: 100, lineBytes: 300, lineBytesKnown: true }],
    });
  });

  test("keeps both ends of one long line, and pieces beside whole lines", () => {
    const budget: Budget = { maxBytes: 101, maxLines: 8, keep: "both" };
    const long = `A${"x".repeat(198)}Z`;
    expect(truncate(long, budget)).toMatchObject({ body: `A${"x".repeat(98)}Z`, keptBytes: 100, keptLines: 0 });
    expect(truncate(`${long}\nend\n`, budget)).toMatchObject({
      body: `A${"x".repeat(74)}\nend\n`,
      text: `A${"x".repeat(74)}\n\n[truncated: kept the first 75 bytes of a single 200-byte line and the last 1 of 2 lines; limit 8 lines / 0.1KB. ${NARROW}]\n\nend\n`,
      keptLines: 1,
      omitted: { firstLine: 1, lastLine: 1, lines: 1, bytes: 125 },
    });
    expect(truncate(`start\n${long}`, budget)).toMatchObject({
      body: `start\n${"x".repeat(24)}Z`,
      keptLines: 1,
      omitted: { firstLine: 2, lastLine: 2, lines: 1, bytes: 175 },
    });
    expect(truncate(`${long}\n${long}`, budget)).toMatchObject({
      body: `A${"x".repeat(74)}${"x".repeat(24)}Z`,
      keptLines: 0,
      partial: [
        { line: 1, end: "head", keptBytes: 75, lineBytes: 200, lineBytesKnown: true },
        { line: 2, end: "tail", keptBytes: 25, lineBytes: 200, lineBytesKnown: true },
      ],
    });
  });

  test("shows empty lines next to the marker as the lines they are", () => {
    const budget: Budget = { maxBytes: 100, maxLines: 2, keep: "head" };
    expect(truncate("a\n\nb\nc\n", budget).text).toMatch(/^a\n\n\n\[truncated: kept the first 2 of 4 lines;/);
    expect(truncate("a\n\nb\n", { ...budget, keep: "tail" }).text).toMatch(/ lines; .*\]\n\n\nb\n$/);
    expect(truncate("a\n\nb\n\n\nc", { ...budget, maxLines: 4, keep: "both" }).body).toBe("a\n\nb\nc");
  });

  test.each(["head", "tail", "both"] as const)("keeps the %s of any text within any budget", (keep) => {
    fc.assert(
      fc.property(arbitraryText, arbitraryBudget, (text, sizes) => {
        const budget = { ...sizes, keep };
        const result = truncate(text, budget);
        const source = text.toWellFormed();

        expect(result.body).toBe(expectedBody(source, budget));
        expect(result).toMatchObject({ keptBytes: byteLength(result.body), kept: keep });
        expect(result).toMatchObject({ totalBytes: byteLength(source), totalLines: countLines(source) });
        expect(truncate(result.body, budget)).toMatchObject({ text: result.body, truncated: false });
        if (!result.truncated) {
          expect(result).toMatchObject({ text: source, body: source, stoppedBy: null });
          expect(result.omitted).toBeUndefined();
          return;
        }
        expect(result.text.isWellFormed()).toBe(true);
        expect(byteLength(result.body)).toBeLessThanOrEqual(budget.maxBytes);
        expect(countLines(result.body)).toBeLessThanOrEqual(budget.maxLines);
        expect(result.keptLines + (result.omitted?.lines ?? 0)).toBe(result.totalLines);
        expect(result.keptBytes + (result.omitted?.bytes ?? 0)).toBe(result.totalBytes);
        expect(result.omitted?.bytes).toBeGreaterThan(0);
        expect(numbersOf(result.text)).toEqual(
          expect.arrayContaining(result.partial ? result.partial.map((part) => part.keptBytes) : [result.totalLines]),
        );
      }),
      { numRuns: 500 },
    );
  });

  test("does not hold on to the text it was cut from", () => {
    const budget: Budget = { maxBytes: 64, maxLines: 2, keep: "head" };
    setFlagsFromString("--expose-gc");
    const collectGarbage: () => void = runInNewContext("gc");
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const held = Array.from({ length: 20 }, (_, index) => {
      return truncate(`${index} ${"line of a long output\n".repeat(100_000)}`, budget).text;
    });
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
    expect(held).toHaveLength(20);
  });

  test.each([
    [{ ...HEAD, maxBytes: 0 }, "Invalid maxBytes 0: pass a whole number from 1 to 9007199254740991"],
    [{ ...HEAD, maxLines: 2.5 }, "Invalid maxLines 2.5: pass a whole number from 1 to 9007199254740991"],
    [{ ...HEAD, maxLines: Number.NaN }, "Invalid maxLines NaN: pass a whole number from 1 to 9007199254740991"],
  ])("refuses the budget %j", (budget, message) => {
    expect(() => truncate("a", budget)).toThrow(new RangeError(message));
  });

  test("refuses an unknown end", () => {
    const budget = JSON.parse('{"maxBytes":10,"maxLines":2,"keep":"middle"}');
    expect(() => truncate("a", budget)).toThrow(
      new RangeError('Invalid keep "middle": pass one of "head", "tail", "both"'),
    );
  });
});

describe("truncate with a capture", () => {
  const capture = { keptBytes: 70, keptLines: 10, totalBytes: 9_000, totalLines: 1_200 };

  test("takes the totals from what passed, not from what was kept", () => {
    expect(truncate(TEN, HEAD, { capture })).toMatchObject({
      totalLines: 1_200,
      totalBytes: 9_000,
      omitted: { firstLine: 4, lastLine: 1_200, lines: 1_197, bytes: 8_980 },
      text: `line 1\nline 2\nline 3\n\n[truncated: kept the first 3 of 1200 lines; limit 3 lines / 2KB. Capture kept 70 of 9000 bytes, 10 of 1200 lines. ${NARROW}]`,
    });
    expect(truncate(TEN, TAIL, { capture }).omitted).toEqual({
      firstLine: 1,
      lastLine: 1_197,
      lines: 1_197,
      bytes: 8_979,
    });
  });

  test("calls a spill partial when something was dropped, unless told that it is whole", () => {
    expect(truncate(TEN, HEAD, { capture, spillPath: "/s/a.log" }).text).toContain(
      "Partial output (first 70 of 9000 bytes, 10 of 1200 lines) saved to /s/a.log — Grep it",
    );
    expect(truncate(TEN, TAIL, { capture, spillPath: "/s/a.log" }).text).toContain(
      "Partial output (last 70 of 9000 bytes",
    );
    expect(truncate(TEN, HEAD, { capture, spillPath: "/s/a.log", spillIsWhole: true }).text).toContain(
      "Full output saved to /s/a.log",
    );
    expect(truncate(TEN, HEAD, { spillPath: "/s/a.log", spillIsWhole: false }).text).toContain(
      "Partial output saved to /s/a.log",
    );
  });

  test("calls a spill full when the capture dropped nothing", () => {
    const whole = { keptBytes: 70, keptLines: 10, totalBytes: 70, totalLines: 10 };
    expect(truncate(TEN, HEAD, { capture: whole, spillPath: "/s/a.log" }).text).toContain(
      "Full output saved to /s/a.log",
    );
    expect(truncate("a\n", HEAD, { capture: { ...whole, keptBytes: 2, totalBytes: 2 } }).truncated).toBe(false);
  });

  test("marks a text within the budget whose stream went on, and leaves out the line that was broken off", () => {
    expect(truncate("one\ntwo\nthr", HEAD, { capture })).toMatchObject({
      body: "one\ntwo",
      stoppedBy: "capture",
      keptLines: 2,
      text: `one\ntwo\n\n[truncated: kept the first 2 of 1200 lines; the capture reached its limit. Capture kept 70 of 9000 bytes, 10 of 1200 lines. ${NARROW}]`,
    });
    expect(truncate("one\ntwo\n", HEAD, { capture })).toMatchObject({ body: "one\ntwo", keptLines: 2 });
    expect(truncate("one\n\n", HEAD, { capture })).toMatchObject({ body: "one\n\n", keptLines: 2 });
    expect(truncate("ne\ntwo\nthree\n", TAIL, { capture })).toMatchObject({
      body: "two\nthree\n",
      omitted: { firstLine: 1, lastLine: 1_198, lines: 1_198, bytes: 8_990 },
    });
  });

  test("keeps the piece when the text is nothing but a broken line", () => {
    expect(
      truncate("abc", HEAD, { capture: { keptBytes: 3, keptLines: 1, totalBytes: 900, totalLines: 1 } }),
    ).toMatchObject({
      body: "abc",
      text: `abc\n\n[truncated: no complete line fits the capture limit; kept 3 bytes of a single 900-byte line. Capture kept 3 of 900 bytes, 1 of 1 lines. ${NARROW}]`,
    });
    expect(truncate("abc", TAIL, { capture })).toMatchObject({
      body: "abc",
      partial: [{ line: 1_200, end: "tail", keptBytes: 3, lineBytes: 3, lineBytesKnown: false }],
    });
    expect(truncate("", HEAD, { capture })).toMatchObject({ body: "", truncated: true, keptLines: 0 });
  });

  test("knows the size of a line only if the text shows both of its ends", () => {
    const budget: Budget = { maxBytes: 4, maxLines: 2, keep: "head" };
    expect(truncate("abcdefgh\nij", budget, { capture }).partial).toEqual([
      { line: 1, end: "head", keptBytes: 4, lineBytes: 8, lineBytesKnown: true },
    ]);
    expect(truncate("abcdefgh", budget, { capture }).partial).toEqual([
      { line: 1, end: "head", keptBytes: 4, lineBytes: 8, lineBytesKnown: false },
    ]);
  });

  test("keeps only the end that the capture kept", () => {
    expect(truncate(TEN, BOTH, { capture })).toMatchObject({ kept: "head", body: "line 1\nline 2\nline 3\nline 4" });
    expect(truncate(TEN, BOTH, { capture: { ...capture, keep: "tail" } })).toMatchObject({ kept: "tail" });
    expect(truncate(TEN, HEAD, { capture: { ...capture, keep: "tail" } }).body).toBe("line 8\nline 9\nline 10");
    expect(truncate(TEN, BOTH, { capture: { ...capture, totalBytes: 70, totalLines: 10 } }).kept).toBe("both");
  });

  test("never omits less than nothing when bytes that are no UTF-8 grew into U+FFFD", () => {
    const binary = createCapture({ maxBytes: 1_000, maxLines: 100, keep: "head" });
    binary.push(new Uint8Array(400).fill(0xff));
    const { text, ...totals } = binary.finish();
    const result = truncate(text, { maxBytes: 900, maxLines: 5, keep: "head" }, { capture: totals });
    expect(result).toMatchObject({ keptBytes: 900, totalBytes: 1_000, omitted: { bytes: 100 } });
  });

  test("adds up for any stream, capture and budget", () => {
    const sizes = fc.record({ maxBytes: fc.integer({ min: 1, max: 200 }), maxLines: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(arbitraryText, sizes, arbitraryBudget, (stream, ceiling, budget) => {
        const keep = budget.keep === "tail" ? "tail" : "head";
        const captured = createCapture({ ...ceiling, keep });
        captured.push(new TextEncoder().encode(stream));
        const { text, truncated, ...totals } = captured.finish();
        const result = truncate(text, budget, { capture: totals });

        expect(result).toMatchObject({ totalBytes: byteLength(stream), totalLines: countLines(stream) });
        if (truncated) expect(result.truncated).toBe(true);
        expect(result.keptLines + (result.omitted?.lines ?? 0)).toBe(result.totalLines);
        expect(result.keptBytes + (result.omitted?.bytes ?? 0)).toBe(result.totalBytes);
        expect(byteLength(result.body)).toBeLessThanOrEqual(budget.maxBytes + (result.truncated ? 0 : 1));
      }),
      { numRuns: 500 },
    );
  });
});

function expectedBody(source: string, budget: Budget): string {
  const ends = source.endsWith("\n");
  const lines = (ends ? source.slice(0, -1) : source).split("\n");
  if (source === "") return source;
  if (lines.length <= budget.maxLines && byteLength(lines.join("\n")) <= budget.maxBytes) return source;
  if (budget.keep === "head") return expectedHead(lines, budget).text;
  if (budget.keep === "tail") return expectedTail(lines, ends, budget).text;
  const maxBytes = Math.max(1, Math.floor(budget.maxBytes * 0.75));
  const maxLines = Math.max(1, Math.floor(budget.maxLines * 0.75));
  const head = expectedHead(lines, { maxBytes, maxLines });
  const rest = { maxBytes: budget.maxBytes - maxBytes - 1, maxLines: budget.maxLines - maxLines };
  if (rest.maxBytes < 1 || rest.maxLines < 1) return head.text;
  const tail = expectedTail(lines, ends, rest);
  const joiner = (head.lines > 0 || tail.lines > 0) && !head.text.endsWith("\n") ? "\n" : "";
  return head.text + joiner + tail.text;
}

type Sizes = Pick<Budget, "maxBytes" | "maxLines">;

function expectedHead(lines: string[], { maxBytes, maxLines }: Sizes): { text: string; lines: number } {
  for (let count = Math.min(lines.length, maxLines); count > 0; count--) {
    const text = lines.slice(0, count).join("\n") + (lines[count - 1] === "" ? "\n" : "");
    if (byteLength(text) <= maxBytes) return { text, lines: count };
  }
  const chars = [...(lines[0] ?? "")];
  while (byteLength(chars.join("")) > maxBytes) chars.pop();
  return { text: chars.join(""), lines: 0 };
}

function expectedTail(lines: string[], ends: boolean, { maxBytes, maxLines }: Sizes): { text: string; lines: number } {
  for (let count = Math.min(lines.length, maxLines); count > 0; count--) {
    const text = lines.slice(-count).join("\n");
    if (ends && byteLength(text) < maxBytes) return { text: `${text}\n`, lines: count };
    if (byteLength(text) <= maxBytes && lines.at(-1) !== "") return { text, lines: count };
  }
  const chars = [...(lines.at(-1) ?? "")];
  while (byteLength(chars.join("")) > maxBytes) chars.shift();
  return { text: chars.join(""), lines: 0 };
}

function numbersOf(text: string): number[] {
  const marker = text.match(/\[truncated: [^\n]*\]/g)?.at(-1) ?? "";
  return (marker.match(/\d+/g) ?? []).map(Number);
}
