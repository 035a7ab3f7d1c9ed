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
import { type Segment, segmentsOf } from "./segments.ts";
import { openPieces, pieceBuffer } from "./text-pieces.ts";

export interface FileHits {
  readonly mtimeMs: number;
  /** Matching lines, counted up to what was asked for. */
  readonly count: number;
  /** No line matches in front of this byte; absent where that is not known. */
  readonly firstAt?: number;
}

/** A large file that is to be searched in pieces. */
export interface LargeFile {
  readonly segments: readonly Segment[];
}

/** What a file is instead of a text with matches. */
export type NoHits = "none" | "binary" | "too large";

export interface CountOptions {
  /** Matches behind these are not counted. */
  readonly max: number;
  /** Whether large files may be left to `countSegment`. */
  readonly splits: boolean;
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
export function countHits(
  path: string,
  shown: string,
  searcher: Searcher,
  options: CountOptions,
): FileHits | LargeFile | NoHits {
  const fd = openSync(path, READ_FLAGS);
  const { progress } = options;
  try {
    progress?.begin(shown, fstatSync(fd).mtimeMs);
    const buffer = pieceBuffer();
    const length = readSync(fd, buffer, 0, buffer.length, 0);
    const head = buffer.subarray(0, length);
    const isWhole = length < buffer.length;
    if (!isWhole && isBinary(path, head)) return "binary";
    const segments = isWhole || searcher.multiline || !options.splits ? [] : segmentsOf(fd);
    if (segments.length > 0) return { segments };
    const counted = searcher.multiline
      ? countBlocks(fd, head, isWhole, searcher, options)
      : countLines(fd, head, isWhole, searcher, options);
    if (counted === "too large") return counted;
    const { count, keepsHead } = counted;
    if (count === 0) return "none";
    if (isWhole && isBinary(path, keepsHead ? head : readHead(fd, SNIFFED_BYTES))) return "binary";
    return { count, mtimeMs: fstatSync(fd).mtimeMs };
  } finally {
    progress?.end();
    closeSync(fd);
  }
}

/** Counts the matching lines of one piece of a large file. @throws system errors of opening and reading. */
export function countSegment(
  path: string,
  segment: Segment,
  { matcher }: LineSearcher,
  options: CountOptions,
): FileHits | "none" {
  const fd = openSync(path, READ_FLAGS);
  try {
    const [start, end, mtimeMs] = segment;
    const pieces = openPieces(fd, UTF8, { range: [start, end] });
    let count = 0;
    let firstAt: number | undefined;
    let at = start;
    for (let piece = pieces.next(); piece !== undefined && count < options.max; piece = pieces.next()) {
      options.context.throwIfCancelled();
      count = countIn(piece.bytes, piece.from, matcher, count, options);
      if (count > 0) firstAt ??= at;
      at += piece.bytes.length - piece.from;
    }
    return count === 0 ? "none" : { count, mtimeMs, ...(firstAt !== undefined && { firstAt }) };
  } finally {
    closeSync(fd);
  }
}

function isBinary(path: string, head: Buffer): boolean {
  const start = head.subarray(0, SNIFFED_BYTES);
  return !isPlainText(start) && sniffBinary(path, start) !== undefined;
}

/** What nearly all files begin with: printable ASCII. */
function isPlainText(bytes: Buffer): boolean {
  // A PDF can begin with nothing else.
  if (bytes[0] === 0x25) return false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (byte >= 0x7f || (byte < 0x20 && byte !== 0x0a && byte !== 0x09 && byte !== 0x0d)) return false;
  }
  return true;
}

interface Counted {
  readonly count: number;
  /** The bytes of the head are still where they were read to. */
  readonly keepsHead: boolean;
}

function countLines(
  fd: number,
  head: Buffer,
  isWhole: boolean,
  { matcher, decodes }: LineSearcher,
  options: CountOptions,
): Counted {
  const marked = encodingOfBom(head);
  const decoded = (encoding: FileEncoding): Counted => ({
    count: countPieces(fd, encoding, matcher, options),
    keepsHead: false,
  });
  if (marked !== undefined) return decoded(marked);
  const before = matcher.candidates;
  const count = isWhole ? countIn(head, 0, matcher, 0, options) : countPieces(fd, UTF8, matcher, options);
  const isDone = decodes === "never" || (decodes === "with candidates" && matcher.candidates === before);
  if (count === 0 && isDone) return { count, keepsHead: true };
  const encoding = judgedEncoding(isWhole ? head : readHead(fd), isWhole);
  return encoding.name === "utf-8" ? { count, keepsHead: true } : decoded(encoding);
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

function countBlocks(
  fd: number,
  head: Buffer,
  isWhole: boolean,
  { matcher, needles, keepReturns }: BlockSearcher,
  { max, progress }: CountOptions,
): Counted | "too large" {
  if (isWhole && needles !== undefined && encodingOfBom(head) === undefined) {
    if (needles.next(head, 0) === -1) return { count: 0, keepsHead: true };
  }
  const text = wholeText(fd, keepReturns);
  if (text === undefined) return "too large";
  let count = 0;
  for (const _ of blocksOf(text, matcher)) {
    count += 1;
    progress?.counted(count);
    if (count >= max) break;
  }
  return { count, keepsHead: true };
}
