// o200k_base with the ranks of gpt-tokenizer. Its own merge is quadratic in the length of an unbroken run; this one is not.
import { countMerged } from "./merge.ts";
import { createPairRanks } from "./pair-ranks.ts";
import { MAX_RUN_UNITS, runEnd, windowEnd } from "./windows.ts";

export interface Counter {
  /** Tokens of the text; what looks like a special token is plain text. @param pause called between stretches of about 32 000 characters. */
  count(text: string, pause?: () => void): number;
}

/** Pieces whose count is remembered: words and short phrases that come again and again. */
const MAX_REMEMBERED = 65_536;
const MAX_REMEMBERED_UNITS = 24;

let loading: Promise<Counter> | undefined;

/** Loads the ranks once a thread: about 0.2 s and 40 MB. Never call it on the main thread. */
export function loadCounter(): Promise<Counter> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Counter> {
  const [{ default: tokens }, { O200K_TOKEN_SPLIT_REGEX }] = await Promise.all([
    import("gpt-tokenizer/bpeRanks/o200k_base"),
    import("gpt-tokenizer/encodingParams/constants"),
  ]);
  return createCounter(tokens, O200K_TOKEN_SPLIT_REGEX);
}

/** @param tokens rank to token: its text, or its bytes where they are no text. @param pieces what a text is split into first. */
function createCounter(tokens: readonly (string | readonly number[])[], pieces: RegExp): Counter {
  const ranks = new Map<string, number>();
  tokens.forEach((token, rank) => {
    ranks.set(typeof token === "string" ? bytesOf(token) : String.fromCharCode(...token), rank);
  });
  const pairRanks = createPairRanks(ranks);
  const remembered = new Map<string, number>();

  const countPiece = (piece: string): number => {
    const bytes = bytesOf(piece);
    return ranks.has(bytes) ? 1 : countMerged(bytes, pairRanks);
  };
  const countRun = (run: string): number => {
    let count = 0;
    let before = { part: "", count: 0 };
    for (let start = 0; start < run.length; ) {
      const end = runEnd(run, start);
      const part = run.slice(start, end);
      // A run is often the same character again and again.
      if (part !== before.part) before = { part, count: countPiece(part) };
      count += before.count;
      start = end;
    }
    return count;
  };
  const countRemembered = (piece: string): number => {
    if (piece.length > MAX_RUN_UNITS) return countRun(piece);
    if (piece.length > MAX_REMEMBERED_UNITS) return countPiece(piece);
    const known = remembered.get(piece);
    if (known !== undefined) return known;
    const count = countPiece(piece);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(piece, count);
    return count;
  };
  return {
    count: (text, pause) => {
      let count = 0;
      for (let start = 0; start < text.length; ) {
        pause?.();
        const end = windowEnd(text, start);
        const window = start === 0 && end === text.length ? text : text.slice(start, end);
        pieces.lastIndex = 0;
        for (let found = pieces.exec(window); found !== null; found = pieces.exec(window))
          count += countRemembered(found[0]);
        start = end;
      }
      return count;
    },
  };
}

/** The UTF-8 bytes of a text as code units 0 to 255. */
function bytesOf(text: string): string {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) >= 0x80) return Buffer.from(text, "utf8").toString("latin1");
  }
  return text;
}
