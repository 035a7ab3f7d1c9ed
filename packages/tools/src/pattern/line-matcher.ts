import { placeIn, searchKernel } from "../worker/kernel/search.ts";
import type { Automaton } from "./automaton.ts";
import type { Literals } from "./literals.ts";
import { createTextSearch } from "./text-search.ts";

/** Where a matching line lies; filled in place, so that a search makes no garbage. */
export interface LineHit {
  lineStart: number;
  /** Index of the line feed, or the end of the bytes. */
  lineEnd: number;
  /** A byte of the line where a match begins or ends. */
  at: number;
}

export interface LineMatcher {
  /** Finds the first matching line from `from` (the start of a line) on. `bytes` holds whole lines, UTF-8. */
  next(bytes: Buffer, from: number, hit: LineHit): boolean;
  /** Lines so far that held a text without which nothing matches; absent where there is no such text. */
  readonly candidates?: number;
}

const LINE_FEED = 10;

export function createLineHit(): LineHit {
  return { lineStart: 0, lineEnd: 0, at: 0 };
}

/** Lines that hold one of the texts. */
export function literalMatcher({ texts, folded }: Literals): LineMatcher {
  const search = createTextSearch(texts, folded);
  return {
    next: (bytes, from, hit) => {
      const at = search.next(bytes, from);
      if (at === -1) return false;
      hit.at = at;
      hit.lineStart = lineStartAt(bytes, at, from);
      hit.lineEnd = lineEndAt(bytes, at);
      return true;
    },
  };
}

/** Lines that the automaton accepts. */
export function automatonMatcher(automaton: Automaton): LineMatcher {
  return {
    next: (bytes, from, hit) => {
      if (from >= bytes.length) return false;
      const at = automaton.find(bytes, from, bytes.length);
      if (at === -1 || at > bytes.length) return false;
      hit.at = at;
      hit.lineStart = lineStartAt(bytes, at, from);
      // A match that ends with the text's last line feed would begin a line that is not there.
      if (hit.lineStart === bytes.length) return false;
      hit.lineEnd = lineEndAt(bytes, at);
      return true;
    },
  };
}

/** Lines that hold one of the texts and pass the test, which sees the line without its end. */
export function filteredMatcher(
  { texts, folded }: Literals,
  test: (bytes: Buffer, lineStart: number, lineEnd: number) => number,
): LineMatcher {
  const search = createTextSearch(texts, folded);
  let candidates = 0;
  return {
    get candidates() {
      return candidates;
    },
    next: (bytes, from, hit) => {
      let start = from;
      for (;;) {
        const found = search.next(bytes, start);
        if (found === -1) return false;
        candidates += 1;
        hit.lineStart = lineStartAt(bytes, found, start);
        hit.lineEnd = lineEndAt(bytes, found);
        hit.at = test(bytes, hit.lineStart, hit.lineEnd);
        if (hit.at !== -1) return true;
        start = hit.lineEnd + 1;
        if (start >= bytes.length) return false;
      }
    },
  };
}

/** Lines that pass the test, each looked at. */
export function testedMatcher(test: (bytes: Buffer, lineStart: number, lineEnd: number) => number): LineMatcher {
  return {
    next: (bytes, from, hit) => {
      for (let start = from; start < bytes.length; start = hit.lineEnd + 1) {
        hit.lineStart = start;
        hit.lineEnd = lineEndAt(bytes, start);
        hit.at = test(bytes, start, hit.lineEnd);
        if (hit.at !== -1) return true;
      }
      return false;
    },
  };
}

/** The line's end without the carriage return before its line feed. */
export function textEndOf(bytes: Buffer, lineStart: number, lineEnd: number): number {
  return lineEnd < bytes.length && lineEnd > lineStart && bytes[lineEnd - 1] === 13 ? lineEnd - 1 : lineEnd;
}

/** Lines are short: so many bytes are looked at one by one before the search backwards is called. */
const NEAR_BYTES = 160;

function lineStartAt(bytes: Buffer, at: number, from: number): number {
  const near = Math.max(from, at - NEAR_BYTES);
  let start = at;
  while (start > near && bytes[start - 1] !== LINE_FEED) start -= 1;
  if (start !== near || near === from || bytes[start - 1] === LINE_FEED) return Math.max(start, from);
  const feed = bytes.lastIndexOf(LINE_FEED, start - 1);
  return feed < from ? from : feed + 1;
}

function lineEndAt(bytes: Buffer, at: number): number {
  const kernel = searchKernel();
  const start = kernel === undefined ? -1 : placeIn(kernel, bytes);
  if (kernel !== undefined && start !== -1) return kernel.feed(start + at, start + bytes.length) - start;
  const feed = bytes.indexOf(LINE_FEED, at);
  return feed === -1 ? bytes.length : feed;
}
