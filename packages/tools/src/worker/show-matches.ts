// The second half of a Grep: reads the files whose matches are shown once more and cuts out the lines.
import { type BigIntStats, closeSync, fstatSync, readSync } from "node:fs";
import { encodingOfBom } from "../encoding.ts";
import { errnoOf } from "../errno.ts";
import { isToolError } from "../error.ts";
import { createHasher, type Hasher, loadHasher } from "../hash.ts";
import { openVerified } from "../open-file.ts";
import type { Located, PathPolicy } from "../path.ts";
import type { PatternRequest } from "../pattern.ts";
import { cutBlocks } from "../search/cut-blocks.ts";
import { type AddRow, cutRows, type Row, type Window } from "../search/cut-rows.ts";
import { judgedEncoding, readHead, wholeText } from "../search/file-text.ts";
import { createRowBudget } from "../search/row-budget.ts";
import { createSearcher, type Searcher } from "../search/searcher.ts";
import { openPieces } from "../search/text-pieces.ts";
import { fileIdentity } from "./file-identity.ts";
import type { JobContext } from "./jobs.ts";

export interface ShowMatchesInput {
  readonly policy: PathPolicy;
  readonly pattern: PatternRequest;
  readonly files: readonly FileToShow[];
  /** Lines shown around a match. */
  readonly before: number;
  readonly after: number;
  readonly maxLineChars: number;
  /** What all rows together may take. */
  readonly maxBytes: number;
  readonly maxRows: number;
}

export interface FileToShow {
  readonly located: Located;
  /** Matches that are passed over, and how many behind them are wanted. */
  readonly skip: number;
  readonly take: number;
  /** No line matches in front of this byte while the file has this modification time. */
  readonly firstAt: number;
  readonly mtimeMs: number;
}

export interface ShownFile {
  readonly located: Located;
  readonly rows: readonly Row[];
  /** Of the whole file; undefined where it is too large or changed meanwhile. */
  readonly version?: { readonly hash: string; readonly bytes: number };
}

export interface ShowMatchesOutput {
  readonly files: readonly ShownFile[];
  /** Rows were left out because there was no room for them. */
  readonly full: boolean;
  /** Files that could not be read any more. */
  readonly lost: number;
}

/** Larger files get no tag. */
const MAX_TAGGED_BYTES = 64n * 1024n * 1024n;
const HASHED_BYTES = 256 * 1024;

export async function showMatchesJob(input: ShowMatchesInput, context: JobContext): Promise<ShowMatchesOutput> {
  await loadHasher();
  const searcher = createSearcher(input.pattern, context.throwIfCancelled);
  const budget = createRowBudget(input.maxBytes, input.maxRows);
  const files: ShownFile[] = [];
  let lost = 0;
  for (const file of input.files) {
    context.throwIfCancelled();
    if (budget.isFull()) break;
    const { add, finish } = budget.open(file.located.path, input.after);
    try {
      const version = showFile(file, input, searcher, add, context);
      const rows = finish();
      if (rows.length > 0) files.push({ located: file.located, rows, ...(version !== undefined && { version }) });
    } catch (error) {
      if (errnoOf(error) === undefined && !isToolError(error)) throw error;
      lost += 1;
    }
  }
  return { files, full: budget.isFull(), lost };
}

function showFile(
  { located, skip, take, firstAt, mtimeMs }: FileToShow,
  input: ShowMatchesInput,
  searcher: Searcher,
  add: AddRow,
  context: JobContext,
): ShownFile["version"] {
  const { fd, stat } = openVerified(located, input.policy);
  const { before, after, maxLineChars } = input;
  const quietBytes = fstatSync(fd).mtimeMs === mtimeMs ? firstAt : 0;
  const window: Window = { skip, take, before, after, maxLineChars, quietBytes };
  try {
    const digest = createDigest(stat);
    if (searcher.multiline) {
      const text = wholeText(fd, searcher.keepReturns);
      if (text !== undefined) cutBlocks(text, searcher.matcher, window, add);
    } else {
      const head = readHead(fd);
      const encoding = encodingOfBom(head) ?? judgedEncoding(head, head.length === Number(stat.size));
      cutRows(
        openPieces(fd, encoding, { onRaw: digest.update }),
        searcher.matcher,
        window,
        add,
        context.throwIfCancelled,
      );
    }
    return digest.finish(fd, context);
  } finally {
    closeSync(fd);
  }
}

interface Digest {
  update(bytes: Buffer): void;
  /** Reads what is left of the file. */
  finish(fd: number, context: JobContext): ShownFile["version"];
}

/** Hashes a file's bytes while they pass by; none for a file that is too large or that changes meanwhile. */
function createDigest(stat: BigIntStats): Digest {
  const hasher: Hasher | undefined = stat.size > MAX_TAGGED_BYTES ? undefined : createHasher();
  let bytes = 0;
  const update = (piece: Buffer): void => {
    hasher?.update(piece);
    bytes += piece.length;
  };
  return {
    update,
    finish: (fd, context) => {
      if (hasher === undefined) return undefined;
      const buffer = Buffer.allocUnsafe(Math.min(HASHED_BYTES, Math.max(1, Number(stat.size) - bytes + 1)));
      for (;;) {
        context.throwIfCancelled();
        const read = readSync(fd, buffer, 0, buffer.length, bytes);
        if (read === 0) break;
        update(buffer.subarray(0, read));
        if (BigInt(bytes) > MAX_TAGGED_BYTES) return undefined;
      }
      const changed = fileIdentity(fstatSync(fd, { bigint: true })) !== fileIdentity(stat);
      return changed ? undefined : { hash: hasher.digest(), bytes };
    },
  };
}
