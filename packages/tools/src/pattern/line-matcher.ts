import type { Automaton } from "./automaton.ts";

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
}

const LINE_FEED = 10;

export function createLineHit(): LineHit {
  return { lineStart: 0, lineEnd: 0, at: 0 };
}

/** Lines that hold one of the texts. */
export function literalMatcher(texts: readonly string[]): LineMatcher {
  const search = createTextSearch(texts);
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
  texts: readonly string[],
  test: (bytes: Buffer, lineStart: number, lineEnd: number) => number,
): LineMatcher {
  const search = createTextSearch(texts);
  return {
    next: (bytes, from, hit) => {
      let start = from;
      for (;;) {
        const found = search.next(bytes, start);
        if (found === -1) return false;
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

function lineStartAt(bytes: Buffer, at: number, from: number): number {
  if (at <= from) return from;
  const feed = bytes.lastIndexOf(LINE_FEED, at - 1);
  return feed < from ? from : feed + 1;
}

function lineEndAt(bytes: Buffer, at: number): number {
  const feed = bytes.indexOf(LINE_FEED, at);
  return feed === -1 ? bytes.length : feed;
}

interface TextSearch {
  /** Where the first of the texts lies at or after `from`, or -1. */
  next(bytes: Buffer, from: number): number;
}

function createTextSearch(texts: readonly string[]): TextSearch {
  const needles = texts.map((text) => Buffer.from(text));
  const only = needles.length === 1 ? needles[0] : undefined;
  if (only !== undefined) return { next: (bytes, from) => bytes.indexOf(only, from) };
  const places = needles.map(() => 0);
  let searched: Buffer | undefined;
  let searchedFrom = 0;
  return {
    next: (bytes, from) => {
      // Places found earlier in the same bytes stay good while they lie ahead.
      const fresh = searched !== bytes || from < searchedFrom;
      searched = bytes;
      searchedFrom = from;
      let nearest = -1;
      for (const [index, needle] of needles.entries()) {
        let place = places[index] ?? -1;
        if (fresh || (place !== -1 && place < from)) place = bytes.indexOf(needle, from);
        places[index] = place;
        if (place !== -1 && (nearest === -1 || place < nearest)) nearest = place;
      }
      return nearest;
    },
  };
}
