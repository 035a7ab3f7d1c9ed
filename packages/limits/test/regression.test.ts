import { describe, expect, test } from "vitest";
import {
  BUDGET_SHELL,
  BUDGET_SHELL_ERR,
  type Budget,
  byteLength,
  CAPTURE_MAX_BYTES,
  CAPTURE_MAX_LINES,
  type CaptureResult,
  CHECKPOINT_MARKER,
  clipLine,
  createCapture,
  estimateTokens,
  fitLines,
  takeTokens,
  takeWithin,
  truncate,
  truncateMiddle,
} from "../src/index.ts";

const SIZES = { maxBytes: CAPTURE_MAX_BYTES, maxLines: CAPTURE_MAX_LINES };

function captured(text: string, keep: "head" | "tail", chunkBytes = 65_536): CaptureResult {
  const bytes = new TextEncoder().encode(text);
  const capture = createCapture({ ...SIZES, keep });
  for (let at = 0; at < bytes.length; at += chunkBytes) capture.push(bytes.subarray(at, at + chunkBytes));
  return capture.finish();
}

function seq(last: number): string {
  return Array.from({ length: last }, (_, index) => `${index + 1}\n`).join("");
}

function expectWellFormed(text: string, source: string): void {
  expect(text.isWellFormed()).toBe(true);
  expect(text.includes("\ufffd")).toBe(source.toWellFormed().includes("\ufffd"));
  expect(JSON.parse(JSON.stringify(text))).toBe(text);
  expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
}

describe("a line longer than the budget", () => {
  test("F07 leaves a piece of it, never an empty payload, and says how long it is", () => {
    const line = JSON.stringify(Array.from({ length: 7_000 }, (_, id) => ({ id, v: "x".repeat(40) })));
    const result = truncate(line, BUDGET_SHELL);
    expect(result).toMatchObject({ truncated: true, keptBytes: 98_304, body: line.slice(0, 98_304) });
    expect(result.text).toContain(`kept 98304 bytes of a single ${line.length}-byte line.`);
  });
});

describe("a cut next to a character of several units", () => {
  const sizes = Array.from({ length: 64 }, (_, index) => index + 1);

  describe.each(["🎈", "é", "汉", "👩‍👩‍👧", "e\u0301", "\ud83d", "\udf88"])("F10 with %j", (odd) => {
    test.each(["head", "tail", "both"] as const)("leaves an exact %s of whole characters and the marker", (keep) => {
      for (const size of sizes) {
        const text = textWith(odd, size, keep);
        const budget: Budget = { maxBytes: size, maxLines: 5, keep };
        const { body, text: shown, partial = [], truncated } = truncate(text, budget);
        const source = text.toWellFormed();

        expect(truncated).toBe(true);
        expectWellFormed(body, body);
        expectWellFormed(shown, text.isWellFormed() ? text : shown);
        expect(byteLength(body)).toBeLessThanOrEqual(size);
        expect(shown).toContain("[truncated: no complete line fits the ");
        const headBytes = partial.find((part) => part.end === "head")?.keptBytes ?? 0;
        const head = Buffer.from(body).subarray(0, headBytes).toString();
        expect(source.startsWith(head)).toBe(true);
        expect(source.endsWith(body.slice(head.length))).toBe(true);
      }
    });

    test("leaves an exact end within characters, bytes or tokens", () => {
      for (const size of sizes) {
        const head = textWith(odd, size, "head");
        const tail = textWith(odd, size, "tail");
        const ends: [string, string][] = [
          [clipLine(head, size).text, head],
          [takeWithin(head, { maxBytes: size }, "head"), head],
          [takeWithin(head, { maxChars: size }, "head"), head],
          [takeTokens(head, size, "head"), head],
        ];
        for (const [kept, text] of ends) {
          expect(text.toWellFormed().startsWith(kept)).toBe(true);
          expect(kept.isWellFormed()).toBe(true);
        }
        const kept = [
          takeWithin(tail, { maxBytes: size }, "tail"),
          takeWithin(tail, { maxChars: size }, "tail"),
          takeTokens(tail, size, "tail"),
        ];
        for (const text of kept) {
          expect(tail.toWellFormed().endsWith(text)).toBe(true);
          expect(text.isWellFormed()).toBe(true);
        }
        expect([...clipLine(head, size).text]).toHaveLength(size);
        expect(clipLine(head, size).clipped).toBe(true);
      }
    });

    test("leaves exact ends on both sides of the checkpoint marker", () => {
      for (const size of sizes) {
        const text = textWith(odd, size, "both");
        const cut = truncateMiddle(text, size, { marker: "[cut]" });
        if (!cut.truncated) continue;
        const [head = "", tail = ""] = cut.text.split("[cut]");
        expect(text.toWellFormed().startsWith(head)).toBe(true);
        expect(text.toWellFormed().endsWith(tail)).toBe(true);
        expect(cut.text.isWellFormed()).toBe(true);
      }
    });

    test("leaves an exact end in a capture", () => {
      for (const size of sizes) {
        for (const keep of ["head", "tail"] as const) {
          const text = textWith(odd, size, keep).toWellFormed();
          const capture = createCapture({ maxBytes: size, maxLines: 5, keep });
          capture.push(new TextEncoder().encode(text));
          const kept = capture.finish().text;
          expect(keep === "head" ? text.startsWith(kept) : text.endsWith(kept)).toBe(true);
          expect(byteLength(kept)).toBeLessThanOrEqual(size);
        }
      }
    });
  });

  test("F10 keeps nothing but the marker when not one character fits", () => {
    expect(truncate("🎈🎈", { maxBytes: 3, maxLines: 5, keep: "head" })).toMatchObject({
      body: "",
      text: "[truncated: no complete line fits the 0.0KB limit; kept 0 bytes of a single 8-byte line. Narrow the request to see more.]",
    });
  });

  function textWith(odd: string, size: number, keep: "head" | "tail" | "both"): string {
    const before = "a".repeat(size - 1) + odd;
    const after = odd + "a".repeat(size - 1);
    if (keep === "head") return before + "b".repeat(100);
    return keep === "tail" ? "b".repeat(100) + after : before + "b".repeat(100) + after;
  }
});

describe("a capture and its budget", () => {
  test("F11 keeps the cause on the last line of few very long ones", () => {
    const stderr = `${`${"W".repeat(60_000)}\n`.repeat(3)}FATAL: root cause 42\n`;
    const { text, ...totals } = captured(stderr, "tail");
    const result = truncate(text, BUDGET_SHELL_ERR, { capture: totals, spillPath: "/s/stderr-1-0.log" });
    expect(totals).toMatchObject({ keptBytes: 180_024, truncated: false });
    expect(result.body).toBe(`${"W".repeat(60_000)}\nFATAL: root cause 42\n`);
    expect(result.text.split("\n")[0]).toBe(
      "[truncated: kept the last 2 of 4 lines; limit 4000 lines / 96KB. Full output saved to /s/stderr-1-0.log — Grep it, or Read it with offset/limit.]",
    );
  });

  test("F12 tells the true totals of what was dropped before the cut", () => {
    const { text, ...totals } = captured(seq(400_000), "head");
    const result = truncate(text, BUDGET_SHELL, { capture: totals, spillPath: "/s/stdout-1-0.log" });
    expect(totals).toMatchObject({ keptBytes: 524_288, totalBytes: 2_688_895, totalLines: 400_000, truncated: true });
    expect(`${result.body}\n`).toBe(seq(4_000));
    expect(result).toMatchObject({ totalLines: 400_000, totalBytes: 2_688_895 });
    expect(result.omitted).toEqual({ firstLine: 4_001, lastLine: 400_000, lines: 396_000, bytes: 2_670_003 });
    expect(result.text).toContain("kept the first 4000 of 400000 lines;");
    expect(result.text).toContain(
      `Partial output (first 524288 of 2688895 bytes, ${totals.keptLines} of 400000 lines) saved to /s/stdout-1-0.log —`,
    );
    expect(result.text).not.toContain("Full output");
  });

  test("F12 leaves 4000 lines unmarked and marks 4001", () => {
    expect(truncate(seq(4_000), BUDGET_SHELL)).toMatchObject({ truncated: false, text: seq(4_000) });
    expect(truncate(seq(4_001), BUDGET_SHELL).text).toContain("kept the first 4000 of 4001 lines;");
  });

  test("F14 names no file that was not written", () => {
    const { text, ...totals } = captured(seq(100_000), "head");
    const marked = truncate(text, BUDGET_SHELL, { capture: totals }).text;
    expect(marked.split("\n").at(-1)).toMatch(
      /^\[truncated: kept the first 4000 of 100000 lines; limit 4000 lines \/ 96KB\. Capture kept 524288 of 588895 bytes, \d+ of 100000 lines\. Narrow the request to see more\.\]$/,
    );
  });
});

describe("what is exactly at its limit", () => {
  test.each(["head", "tail", "both"] as const)("F13 is not truncated (%s)", (keep) => {
    const budget: Budget = { maxBytes: 98_304, maxLines: 4_000, keep };
    expect(truncate("x".repeat(98_304), budget).truncated).toBe(false);
    expect(truncate("x".repeat(98_305), budget).truncated).toBe(true);
    expect(truncate("x\n".repeat(4_000), budget).truncated).toBe(false);
    expect(truncate("x\n".repeat(4_001), budget).truncated).toBe(true);
  });

  test("F13 is not clipped, cut or captured in part", () => {
    expect(clipLine("🎈".repeat(16_384), 16_384).clipped).toBe(false);
    expect(truncateMiddle("x".repeat(80_000), 20_000).truncated).toBe(false);
    expect(truncateMiddle("x".repeat(80_001), 20_000).truncated).toBe(true);
    expect(takeTokens("x".repeat(80_000), 20_000, "tail")).toHaveLength(80_000);
    expect(fitLines("a\nb\n", { maxLines: 2, maxBytes: 3 }, "tail").stoppedBy).toBeNull();
    expect(captured("x".repeat(524_288), "tail").truncated).toBe(false);
    expect(captured("x\n".repeat(200_000), "head").truncated).toBe(false);
    expect(captured("x\n".repeat(200_001), "head")).toMatchObject({ truncated: true, keptLines: 200_000 });
  });
});

describe("a stream in chunks", () => {
  test.each([1, 2, 3, 4_095, 65_536])("F28 keeps characters whole that a chunk border of %i bytes splits", (bytes) => {
    for (const keep of ["head", "tail"] as const) {
      expect(captured("你".repeat(30_000), keep, bytes).text).toBe("你".repeat(30_000));
      expect(captured("🟡".repeat(20_000), keep, bytes).text).toBe("🟡".repeat(20_000));
    }
  });

  test("F28 cuts a payload between characters", () => {
    const stream = `a${"你".repeat(40_000)}`;
    const head = truncate(captured(stream, "head").text, BUDGET_SHELL).body;
    const tail = truncate(captured(stream, "tail").text, BUDGET_SHELL_ERR).body;
    expectWellFormed(head, stream);
    expectWellFormed(tail, stream);
    expect([head, byteLength(head)]).toEqual([`a${"你".repeat(32_767)}`, 98_302]);
    expect([tail, byteLength(tail)]).toEqual(["你".repeat(32_768), 98_304]);
  });

  test.each([
    ["lines without end", "y\n", 2],
    ["one line without end", "y", 1],
  ])("F29 stays within its ceiling and counts what it drops: %s", (_, piece, size) => {
    const chunk = new TextEncoder().encode(piece.repeat(65_536 / size));
    const capture = createCapture({ ...SIZES, keep: "head" });
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 4_000; round++) capture.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
    const { text, ...totals } = capture.finish();
    const result = truncate(text, BUDGET_SHELL, { capture: totals });
    expect(totals.totalBytes).toBe(262_144_000);
    expect(totals.totalLines).toBe(size === 2 ? 131_072_000 : 1);
    expect(result.omitted?.bytes).toBe(262_144_000 - result.keptBytes);
    expect(result.text).toContain(
      size === 2 ? "kept the first 4000 of 131072000 lines;" : "kept 98304 bytes of a single 262144000-byte line.",
    );
  });
});

describe("a user message that crosses a checkpoint", () => {
  test.each([
    ["words", "word ".repeat(80_000)],
    ["汉", "汉".repeat(60_000)],
    ["mixed", "🟡汉é ".repeat(30_000)],
    ["one word", "a".repeat(400_000)],
  ])("F38 keeps start and end, three quarters to one: %s", (_, filler) => {
    const message = `HEAD-7f3 ${filler} TAIL-9c1`;
    const { text, truncated } = truncateMiddle(message, 20_000);
    const [head = "", tail = "", ...more] = text.split(CHECKPOINT_MARKER);
    expect([truncated, more]).toEqual([true, []]);
    expect(text.startsWith("HEAD-7f3") && message.startsWith(head)).toBe(true);
    expect(text.endsWith("TAIL-9c1") && message.endsWith(tail)).toBe(true);
    expectWellFormed(text, message);
    expect(estimateTokens(text)).toBeLessThanOrEqual(20_000);
    const share = estimateTokens(head) / (estimateTokens(head) + estimateTokens(tail));
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.8);
    expect(truncateMiddle(text, 20_000)).toEqual({ text, truncated: false });
  });
});

describe("the estimate", () => {
  // Counts of o200k_base, as measured for the case.
  test.each([
    ["Chinese", "这是一个用来测量估算误差的句子。".repeat(500), 7_000],
    ["Japanese", "これは推定誤差を測るための文です。".repeat(500), 7_000],
    ["Korean", "이 문장은 추정 오차를 재기 위한 것입니다. ".repeat(400), 5_201],
    ["English", "The quick brown fox jumps over the lazy dog. ".repeat(400), 4_001],
  ])("F40 of %s is between 0.9 and 1.6 of the real count", (_, text, real) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(0.9 * real);
    expect(estimateTokens(text)).toBeLessThanOrEqual(1.6 * real);
  });

  test("F40 keeps 20,000 characters of Chinese for 20,000 tokens, which are 17,500 real ones", () => {
    const messages = "这是一个用来测量估算误差的句子。".repeat(500 * 60);
    expect(takeTokens(messages, 20_000, "tail")).toHaveLength(20_000);
  });

  test("F44 counts special tokens as plain text and leaves them alone", () => {
    const text = "a <|endoftext|> b\n<|im_start|>system\n<|fim_prefix|> <|endofprompt|>\n";
    expect(estimateTokens(text)).toBe(17);
    expect(takeTokens(text, 60, "head")).toBe(text);
    expect(takeTokens(text, 60, "tail")).toBe(text);
    expect(truncateMiddle(text, 60)).toEqual({ text, truncated: false });
    expect(truncate(text, BUDGET_SHELL).text).toBe(text);
    expect(fitLines(text, { maxTokens: 60 }, "head")).toMatchObject({ tokens: 17, stoppedBy: null });
  });
});
