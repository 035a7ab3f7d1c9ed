import { describe, expect, test } from "vitest";
import type { PageCaps } from "../src/page.ts";
import { nextCall, rangeSentence } from "../src/read-range.ts";
import { type ReadInput, resolveWindow } from "../src/window.ts";
import type { Page } from "../src/worker/build-page.ts";

const CAPS: PageCaps = { maxChars: 100_000, maxTokens: 25_000, maxBytes: 131_072, maxLines: 4000 };
const LIMITS = { maxLineChars: 16_384, readMaxLines: 4000 };

/** A page over the asked window, changed by what happened to it. */
function pageOf(input: ReadInput, totalLines: number, change: Partial<Page> = {}): Page {
  const window = resolveWindow(input, totalLines, { readDefaultLines: 2000 });
  return {
    content: "",
    window,
    offset: window.first,
    lineCount: Math.max(0, window.last - window.first + 1),
    endedBy: null,
    seen: [],
    clipped: [],
    clippedCount: 0,
    ...change,
  };
}

interface Case {
  readonly name: string;
  readonly input: Omit<ReadInput, "path">;
  readonly total: number;
  readonly change?: Partial<Page>;
  readonly next: Record<string, unknown> | undefined;
  readonly sentence: string | undefined;
}

const READ_ON =
  "The answer may be further on: page on, or find the section with Grep, rather than answer from this page.";

const cases: readonly Case[] = [
  { name: "a whole file", input: {}, total: 3, next: undefined, sentence: undefined },
  { name: "a whole file by a limit", input: { limit: 10 }, total: 3, next: undefined, sentence: undefined },
  { name: "an empty file", input: {}, total: 0, next: undefined, sentence: "empty file" },
  {
    name: "a default window of a longer file",
    input: { maxChars: 50_000 },
    total: 5000,
    next: { path: "f", offset: 2001, maxChars: 50_000 },
    sentence: `Lines 1-2000 of 5000. Next: Read {"path":"f","offset":2001,"maxChars":50000}. ${READ_ON}`,
  },
  {
    name: "the last window",
    input: { offset: 4001 },
    total: 5000,
    next: undefined,
    sentence: "Lines 4001-5000 of 5000.",
  },
  {
    name: "a named range in full",
    input: { offset: 3, limit: 2 },
    total: 9,
    next: { path: "f", offset: 5, limit: 2 },
    sentence: "Lines 3-4 of 9.",
  },
  {
    name: "one line of a range",
    input: { offset: 3, limit: 1 },
    total: 9,
    next: { path: "f", offset: 4, limit: 1 },
    sentence: "Line 3 of 9.",
  },
  {
    name: "a page that characters ended",
    input: {},
    total: 900,
    change: { lineCount: 400, endedBy: "characters" },
    next: { path: "f", offset: 401 },
    sentence: `Lines 1-400 of 900: the page ended at its limit of 100000 characters. Next: Read {"path":"f","offset":401}. ${READ_ON}`,
  },
  {
    name: "a named range that characters ended asks for what is missing",
    input: { offset: 11, limit: 900 },
    total: 5000,
    change: { lineCount: 400, endedBy: "characters" },
    next: { path: "f", offset: 411, limit: 500 },
    sentence: `Lines 11-410 of 5000: the page ended at its limit of 100000 characters. Next: Read {"path":"f","offset":411,"limit":500}. ${READ_ON}`,
  },
  {
    name: "a tail in full",
    input: { offset: -10 },
    total: 50,
    next: undefined,
    sentence: "Lines 41-50 of 50.",
  },
  {
    name: "the first lines of a tail",
    input: { offset: -10, limit: 4 },
    total: 50,
    next: { path: "f", offset: 45, limit: 4 },
    sentence: "Lines 41-44 of 50.",
  },
  {
    name: "a tail whose first lines did not fit",
    input: { offset: -10, maxChars: 2000 },
    total: 50,
    change: { offset: 45, lineCount: 6, endedBy: "characters" },
    next: { path: "f", offset: 41, limit: 4, maxChars: 2000 },
    sentence:
      'Lines 45-50 of 50: the last ones within 100000 characters. Lines 41-44 were left out: Read {"path":"f","offset":41,"limit":4,"maxChars":2000}. The answer may be there: read them, or find the section with Grep, rather than answer from this page.',
  },
  {
    name: "a tail whose last line did not fit",
    input: { offset: -10 },
    total: 50,
    change: {
      offset: 50,
      lineCount: 1,
      endedBy: "tokens",
      piece: { column: 1, chars: 24_990, lineChars: 60_000 },
    },
    next: { path: "f", offset: 50, limit: 1, column: 24_991 },
    sentence: `Line 50 of 50, characters 1-24990 of 60000: the page ended at its limit of 25000 estimated tokens. Lines 41-49 before it were left out. Next: Read {"path":"f","offset":50,"limit":1,"column":24991}. ${READ_ON}`,
  },
  {
    name: "a piece of a line",
    input: { offset: 2, limit: 1, column: 101 },
    total: 9,
    change: { endedBy: "bytes", piece: { column: 101, chars: 50, lineChars: 400 } },
    next: { path: "f", offset: 2, limit: 1, column: 151 },
    sentence: `Line 2 of 9, characters 101-150 of 400: the page ended at its limit of 131072 bytes. Next: Read {"path":"f","offset":2,"limit":1,"column":151}. ${READ_ON}`,
  },
  {
    name: "the last piece of a line goes on with the next lines, not with one",
    input: { offset: 2, limit: 1, column: 151 },
    total: 9,
    change: { piece: { column: 151, chars: 250, lineChars: 400 } },
    next: { path: "f", offset: 3 },
    sentence: "Line 2 of 9, characters 151-400 of 400: the line ends here.",
  },
  {
    name: "a column past the end",
    input: { offset: 2, limit: 1, column: 401 },
    total: 9,
    change: { lineCount: 0, piece: { column: 401, chars: 0, lineChars: 400 } },
    next: undefined,
    sentence: "Column 401 is past the end of line 2, which has 400 characters.",
  },
  {
    name: "an offset past the end",
    input: { offset: 12 },
    total: 10,
    next: undefined,
    sentence: "Offset 12 is past the end: the file has 10 lines, the last is line 10.",
  },
  {
    name: "an offset past the only line",
    input: { offset: 2 },
    total: 1,
    next: undefined,
    sentence: "Offset 2 is past the end: the file has 1 line, the last is line 1.",
  },
  {
    name: "a whole file with a clipped line goes on inside that line",
    input: {},
    total: 3,
    change: { clipped: [{ line: 2, chars: 20_000 }], clippedCount: 1 },
    next: { path: "f", offset: 2, limit: 1, column: 16_385 },
    sentence: undefined,
  },
  {
    name: "a page with a clipped line goes on behind it",
    input: {},
    total: 5000,
    change: { clipped: [{ line: 2, chars: 20_000 }], clippedCount: 1 },
    next: { path: "f", offset: 2001 },
    sentence: `Lines 1-2000 of 5000. Next: Read {"path":"f","offset":2001}. ${READ_ON}`,
  },
  {
    name: "the caller's encoding stays",
    input: { limit: 2, encoding: "big5" },
    total: 9,
    next: { path: "f", offset: 3, limit: 2, encoding: "big5" },
    sentence: "Lines 1-2 of 9.",
  },
];

describe("nextCall", () => {
  test.each(cases)("after $name", ({ input, total, change, next }) => {
    const asked: ReadInput = { path: "f", ...input };
    expect(nextCall(asked, pageOf(asked, total, change), total, LIMITS)).toEqual(next);
  });
});

describe("rangeSentence", () => {
  test.each(cases)("of $name", ({ input, total, change, next, sentence }) => {
    const asked: ReadInput = { path: "f", ...input };
    expect(rangeSentence(pageOf(asked, total, change), total, CAPS, next)).toBe(sentence);
  });
});
