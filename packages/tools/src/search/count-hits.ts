// How many lines of a file match: the first, cheap pass of a search, in a worker thread.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { encodingOfBom, type FileEncoding, UTF8 } from "../encoding.ts";
import { createLineHit, type LineHit, type LineMatcher } from "../pattern/line-matcher.ts";
import type { JobContext } from "../worker/jobs.ts";
import { sniffBinary } from "../worker/sniff.ts";
import { judgedEncoding, readHead, wholeText } from "./file-text.ts";
import { blocksOf } from "./multiline.ts";
import type { Progress } from "./progress.ts";
import type { BlockSearcher, LineSearcher, Searcher } from "./searcher.ts";
import { openPieces, pieceBuffer } from "./text-pieces.ts";

export interface FileHits {
  readonly mtimeMs: number;
  /** Matching lines, counted up to what was asked for. */
  readonly count: number;
}

/** What a file is instead of a text with matches. */
export type NoHits = "none" | "binary" | "too large";

export interface CountOptions {
  /** Matches behind these are not counted. */
  readonly max: number;
  /** For searches that may get stuck. */
  readonly progress?: Progress | undefined;
  readonly context: JobContext;
}

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const SNIFFED_BYTES = 4096;

/**
 * Counts matching lines.
 * @param shown what the progress calls the file.
 * @throws system errors of opening and reading.
 */
export function countHits(path: string, shown: string, searcher: Searcher, options: CountOptions): FileHits | NoHits {
  const fd = openSync(path, READ_FLAGS);
  const { progress } = options;
  try {
    progress?.begin(shown, fstatSync(fd).mtimeMs);
    const buffer = pieceBuffer();
    const length = readSync(fd, buffer, 0, buffer.length, 0);
    const head = buffer.subarray(0, length);
    const isWhole = length < buffer.length;
    if (!isWhole && isBinary(path, head)) return "binary";
    const count = searcher.multiline
      ? countBlocks(fd, head, isWhole, searcher, options)
      : countLines(fd, head, isWhole, searcher, options);
    if (count === 0) return "none";
    if (count === -1) return "too large";
    if (isWhole && isBinary(path, readHead(fd, SNIFFED_BYTES))) return "binary";
    return { count, mtimeMs: fstatSync(fd).mtimeMs };
  } finally {
    progress?.end();
    closeSync(fd);
  }
}

function isBinary(path: string, head: Buffer): boolean {
  return sniffBinary(path, head.subarray(0, SNIFFED_BYTES)) !== undefined;
}

function countLines(
  fd: number,
  head: Buffer,
  isWhole: boolean,
  { matcher, needsDecoding }: LineSearcher,
  options: CountOptions,
): number {
  const marked = encodingOfBom(head);
  if (marked !== undefined) return countPieces(fd, marked, matcher, options);
  const count = isWhole ? countIn(head, 0, matcher, 0, options) : countPieces(fd, UTF8, matcher, options);
  if (count === 0 && !needsDecoding) return 0;
  const encoding = judgedEncoding(isWhole ? head : readHead(fd), isWhole);
  return encoding.name === "utf-8" ? count : countPieces(fd, encoding, matcher, options);
}

const hit: LineHit = createLineHit();

/** Matching lines of a text and those counted before. */
function countIn(
  bytes: Buffer,
  from: number,
  matcher: LineMatcher,
  before: number,
  { max, progress }: CountOptions,
): number {
  let count = before;
  for (let at = from; count < max && matcher.next(bytes, at, hit); at = hit.lineEnd + 1) {
    count += 1;
    progress?.counted(count);
  }
  return count;
}

function countPieces(fd: number, encoding: FileEncoding, matcher: LineMatcher, options: CountOptions): number {
  const pieces = openPieces(fd, encoding);
  let count = 0;
  for (let piece = pieces.next(); piece !== undefined && count < options.max; piece = pieces.next()) {
    options.context.throwIfCancelled();
    count = countIn(piece.bytes, piece.from, matcher, count, options);
  }
  return count;
}

/** -1 when the file is too large to be searched across its lines. */
function countBlocks(
  fd: number,
  head: Buffer,
  isWhole: boolean,
  { matcher, needles, keepReturns }: BlockSearcher,
  { max, progress }: CountOptions,
): number {
  if (isWhole && needles !== undefined && encodingOfBom(head) === undefined) {
    if (!needles.some((needle) => head.includes(needle))) return 0;
  }
  const text = wholeText(fd, keepReturns);
  if (text === undefined) return -1;
  let count = 0;
  for (const _ of blocksOf(text, matcher)) {
    count += 1;
    progress?.counted(count);
    if (count >= max) break;
  }
  return count;
}
