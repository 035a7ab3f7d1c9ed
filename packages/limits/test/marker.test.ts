import { describe, expect, test } from "vitest";
import type { Budget } from "../src/budget.ts";
import { BUDGET_SHELL, BUDGET_SHELL_ERR } from "../src/defaults.ts";
import { CHECKPOINT_MARKER, type MarkerFacts, truncationMarker } from "../src/marker.ts";

const LINES: MarkerFacts = {
  budget: BUDGET_SHELL,
  kept: "head",
  headLines: 4_000,
  tailLines: 0,
  totalLines: 51_234,
  partial: [],
  stoppedBy: "lines",
  capture: undefined,
  spillPath: undefined,
  spillIsWhole: true,
};
const PIECE = { line: 1, end: "head", keptBytes: 98_304, lineBytes: 4_200_000, lineBytesKnown: true } as const;
const LINE: MarkerFacts = { ...LINES, headLines: 0, totalLines: 1, stoppedBy: "bytes", partial: [PIECE] };
const CAPTURE = { keptBytes: 524_288, totalBytes: 2_688_895, keptLines: 89_000, totalLines: 400_000 };
const BOTH: Budget = { maxBytes: 1_536, maxLines: 40, keep: "both" };

describe("truncationMarker", () => {
  test.each<[string, MarkerFacts, string]>([
    [
      "the first lines and the whole spill",
      { ...LINES, spillPath: "/s/stdout-1-0.log" },
      "[truncated: kept the first 4000 of 51234 lines; limit 4000 lines / 96KB. Full output saved to /s/stdout-1-0.log — Grep it, or Read it with offset/limit.]",
    ],
    [
      "the last lines without a spill",
      { ...LINES, budget: BUDGET_SHELL_ERR, kept: "tail", headLines: 0, tailLines: 1_200 },
      "[truncated: kept the last 1200 of 51234 lines; limit 4000 lines / 96KB. Narrow the request to see more.]",
    ],
    [
      "the start of one long line",
      { ...LINE, spillPath: "/s/a.log" },
      "[truncated: no complete line fits the 96KB limit; kept 98304 bytes of a single 4200000-byte line. Full output saved to /s/a.log — Grep it, or Read it with offset/limit.]",
    ],
    [
      "the end of one long line",
      { ...LINE, kept: "tail", partial: [{ ...PIECE, end: "tail" }] },
      "[truncated: no complete line fits the 96KB limit; kept the last 98304 bytes of a single 4200000-byte line. Narrow the request to see more.]",
    ],
    [
      "a long first line with others after it",
      { ...LINE, totalLines: 7 },
      "[truncated: no complete line fits the 96KB limit; kept 98304 bytes of a single 4200000-byte line, the first of 7 lines. Narrow the request to see more.]",
    ],
    [
      "a long last line with others before it",
      { ...LINE, kept: "tail", totalLines: 7, partial: [{ ...PIECE, line: 7, end: "tail" }] },
      "[truncated: no complete line fits the 96KB limit; kept the last 98304 bytes of a single 4200000-byte line, the last of 7 lines. Narrow the request to see more.]",
    ],
    [
      "a line whose end the capture dropped",
      { ...LINE, totalLines: 7, partial: [{ ...PIECE, lineBytes: 524_288, lineBytesKnown: false }], capture: CAPTURE },
      "[truncated: no complete line fits the 96KB limit; kept 98304 bytes of a single line of at least 524288 bytes, the first of 7 lines. Capture kept 524288 of 2688895 bytes, 89000 of 400000 lines. Narrow the request to see more.]",
    ],
    [
      "a partial spill of a head",
      { ...LINES, totalLines: 400_000, capture: CAPTURE, spillPath: "/s/b.log", spillIsWhole: false },
      "[truncated: kept the first 4000 of 400000 lines; limit 4000 lines / 96KB. Partial output (first 524288 of 2688895 bytes, 89000 of 400000 lines) saved to /s/b.log — Grep it, or Read it with offset/limit.]",
    ],
    [
      "a partial spill of a tail",
      {
        ...LINES,
        kept: "tail",
        headLines: 0,
        tailLines: 9,
        capture: CAPTURE,
        spillPath: "/s/c.log",
        spillIsWhole: false,
      },
      "[truncated: kept the last 9 of 51234 lines; limit 4000 lines / 96KB. Partial output (last 524288 of 2688895 bytes, 89000 of 400000 lines) saved to /s/c.log — Grep it, or Read it with offset/limit.]",
    ],
    [
      "a partial spill of unknown size",
      { ...LINES, spillPath: "/s/d.log", spillIsWhole: false },
      "[truncated: kept the first 4000 of 51234 lines; limit 4000 lines / 96KB. Partial output saved to /s/d.log — Grep it, or Read it with offset/limit.]",
    ],
    [
      "what the capture dropped without a spill",
      { ...LINES, capture: CAPTURE },
      "[truncated: kept the first 4000 of 51234 lines; limit 4000 lines / 96KB. Capture kept 524288 of 2688895 bytes, 89000 of 400000 lines. Narrow the request to see more.]",
    ],
    [
      "nothing of a capture that dropped nothing",
      { ...LINES, capture: { ...CAPTURE, keptBytes: 2_688_895, keptLines: 400_000 } },
      "[truncated: kept the first 4000 of 51234 lines; limit 4000 lines / 96KB. Narrow the request to see more.]",
    ],
    [
      "a text within the budget whose stream went on",
      { ...LINES, headLines: 20, stoppedBy: "capture", capture: CAPTURE },
      "[truncated: kept the first 20 of 51234 lines; the capture reached its limit. Capture kept 524288 of 2688895 bytes, 89000 of 400000 lines. Narrow the request to see more.]",
    ],
    [
      "a piece of a line within the budget whose stream went on",
      {
        ...LINE,
        stoppedBy: "capture",
        partial: [{ ...PIECE, keptBytes: 10 }],
        capture: CAPTURE,
        spillPath: "/s/e",
        spillIsWhole: true,
      },
      "[truncated: no complete line fits the capture limit; kept 10 bytes of a single 4200000-byte line. Full output saved to /s/e — Grep it, or Read it with offset/limit.]",
    ],
    [
      "both ends",
      { ...LINES, budget: BOTH, kept: "both", headLines: 30, tailLines: 10 },
      "[truncated: kept the first 30 and the last 10 of 51234 lines; limit 40 lines / 1.5KB. Narrow the request to see more.]",
    ],
    [
      "both ends of one long line",
      { ...LINE, budget: BOTH, kept: "both", partial: [PIECE, { ...PIECE, end: "tail", keptBytes: 383 }] },
      "[truncated: no complete line fits the 1.5KB limit; kept the first 98304 and the last 383 bytes of a single 4200000-byte line. Narrow the request to see more.]",
    ],
    [
      "pieces of the first and the last line",
      {
        ...LINE,
        budget: BOTH,
        kept: "both",
        totalLines: 3,
        partial: [PIECE, { ...PIECE, line: 3, end: "tail", keptBytes: 5, lineBytes: 600 }],
      },
      "[truncated: no complete line fits the 1.5KB limit; kept the first 98304 bytes of a single 4200000-byte line and the last 5 bytes of a single 600-byte line, the first and the last of 3 lines. Narrow the request to see more.]",
    ],
    [
      "a piece of the first line and the last lines",
      { ...LINE, budget: BOTH, kept: "both", totalLines: 9, tailLines: 2 },
      "[truncated: kept the first 98304 bytes of a single 4200000-byte line and the last 2 of 9 lines; limit 40 lines / 1.5KB. Narrow the request to see more.]",
    ],
    [
      "the first lines and a piece of the last",
      {
        ...LINE,
        budget: BOTH,
        kept: "both",
        totalLines: 9,
        headLines: 2,
        partial: [{ ...PIECE, line: 9, end: "tail" }],
      },
      "[truncated: kept the first 2 of 9 lines and the last 98304 bytes of a single 4200000-byte line; limit 40 lines / 1.5KB. Narrow the request to see more.]",
    ],
    [
      "a text that shows nothing of its stream",
      { ...LINES, headLines: 0, stoppedBy: "capture", capture: CAPTURE },
      "[truncated: kept the first 0 of 51234 lines; the capture reached its limit. Capture kept 524288 of 2688895 bytes, 89000 of 400000 lines. Narrow the request to see more.]",
    ],
  ])("tells %s", (_, facts, marker) => {
    expect(truncationMarker(facts)).toBe(marker);
  });

  test.each([
    [98_304, "96KB"],
    [1_024, "1KB"],
    [1_536, "1.5KB"],
    [100_000, "97.7KB"],
    [10, "0.0KB"],
  ])("writes a limit of %i bytes as %s", (maxBytes, written) => {
    expect(truncationMarker({ ...LINES, budget: { ...BUDGET_SHELL, maxBytes } })).toContain(`lines / ${written}.`);
  });
});

describe("CHECKPOINT_MARKER", () => {
  test("is the frozen sentence", () => {
    expect(CHECKPOINT_MARKER).toBe("[checkpoint truncated: this message crossed the retained context budget]");
  });
});
