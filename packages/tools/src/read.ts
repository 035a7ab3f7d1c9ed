import { resolve } from "node:path";
import { type Limits, readMaxTokens } from "@spillway/limits";
import { z } from "zod";
import { ENCODING_NAMES, ENCODING_SYNONYMS } from "./encoding.ts";
import { sharedIndexCache } from "./index-cache.ts";
import type { PageCaps } from "./page.ts";
import type { LocateRequest } from "./path.ts";
import { withGrants } from "./path-grants.ts";
import { readDescription } from "./read-description.ts";
import { readNotice } from "./read-notice.ts";
import { nextCall } from "./read-range.ts";
import type { Session } from "./session.ts";
import { sameVersion } from "./snapshots.ts";
import { tagOf } from "./tag.ts";
import type { DescriptionContext, Tool, ToolEnv } from "./tool.ts";
import type { ReadInput } from "./window.ts";
import type { FileIndex } from "./worker/file-index.ts";
import type { ReadFileInput, ReadFileOutput, ReadPage } from "./worker/read-file.ts";

/** What Read gives back (spec 2.2). */
export interface ReadResult {
  /** Workspace-relative with `/`; absolute for scratch and external. */
  readonly path: string;
  readonly root: "workspace" | "scratch" | "external";
  /** `[path#TAG]`, then `N:text` lines. */
  readonly content: string;
  /** 4 upper-case hex digits of the whole file: the anchor that Edit takes. */
  readonly tag: string;
  /** First line shown, 1-based. */
  readonly offset: number;
  readonly lineCount: number;
  /** Of the whole file. */
  readonly totalLines: number;
  readonly fileBytes: number;
  /** The window was cut shorter than asked, or a line was clipped. */
  readonly truncated: boolean;
  /** Only for a piece of one line: the 1-based character it begins at, and the characters of the whole line. */
  readonly column?: number;
  readonly lineChars?: number;
  /** Ready arguments of the next call, if there is more. */
  readonly next?: Record<string, unknown>;
  readonly notice?: string;
}

/** A page may never be asked to be smaller than this; a lower ceiling in the limits lowers it. */
const MIN_MAX_CHARS = 1000;
/** Files up to this size are scanned in the short lane: about 20 ms. */
const SHORT_SCAN_BYTES = 32 * 1024 * 1024;
/** Files up to this size are kept as text for the recovery of edits (spec 3.2). */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;

export function createReadTool({ limits }: DescriptionContext): Tool<ReadInput, ReadResult> {
  return {
    name: "Read",
    description: readDescription(limits),
    risk: "low",
    inputSchema: inputSchema(limits),
    outputSchema: OUTPUT_SCHEMA,
    execute: executeRead,
  };
}

function inputSchema(limits: Limits): z.ZodType<ReadInput> {
  const { readMaxChars, readMaxLines, readDefaultLines } = limits;
  return z
    .strictObject({
      path: z.string().min(1).describe("File to read: relative to the workspace, or absolute."),
      offset: z
        .number()
        .int()
        .refine((offset) => offset !== 0, "lines count from 1: use 1 for the first line, or -N for the last N lines")
        .optional()
        .describe("First line, 1-based (default 1). Negative counts from the end: -100 is the last 100 lines."),
      limit: z
        .number()
        .int()
        .min(1)
        .max(readMaxLines)
        .optional()
        .describe(`Number of lines (default ${readDefaultLines}, at most ${readMaxLines}).`),
      maxChars: z
        .number()
        .int()
        .min(Math.min(MIN_MAX_CHARS, readMaxChars))
        .max(readMaxChars)
        .optional()
        .describe(`Characters that the page may have (default and at most ${readMaxChars}).`),
      column: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe("1-based character to start at, only with limit 1: walks along a line too long for one page."),
      encoding: z
        .enum(ENCODING_NAMES)
        .meta({ synonyms: ENCODING_SYNONYMS })
        .optional()
        .describe(
          "Text encoding, for a file that is neither UTF-8 nor recognised. Byte order marks and valid UTF-8 win.",
        ),
    })
    .refine(({ column, limit }) => column === undefined || limit === 1, {
      path: ["column"],
      message: 'it goes only with "limit": 1',
    });
}

const OUTPUT_SCHEMA: z.ZodType<ReadResult> = z.strictObject({
  path: z.string(),
  root: z.enum(["workspace", "scratch", "external"]),
  content: z.string(),
  tag: z.string(),
  offset: z.number().int(),
  lineCount: z.number().int(),
  totalLines: z.number().int(),
  fileBytes: z.number().int(),
  truncated: z.boolean(),
  column: z.number().int().optional(),
  lineChars: z.number().int().optional(),
  next: z.record(z.string(), z.unknown()).optional(),
  notice: z.string().optional(),
}) as z.ZodType<ReadResult>;

async function executeRead(input: ReadInput, env: ToolEnv): Promise<ReadResult> {
  const { session } = env;
  const caps = pageCaps(session.limits, input);
  const lexical = resolve(session.root, input.path);
  const indexes = sharedIndexCache();
  const job = (request: LocateRequest, maxScanBytes: number): ReadFileInput => ({
    request,
    input,
    caps,
    limits: { readDefaultLines: session.limits.readDefaultLines, maxLineChars: session.limits.maxLineChars },
    known: indexes.get(lexical),
    maxScanBytes,
    maxTextBytes: MAX_TEXT_BYTES,
    hasTextOf: hashOfKeptText(session, lexical),
  });
  const read = await withGrants(env, input.path, "read", async (request): Promise<ReadPage> => {
    const quick = await session.workers.run("readFile", job(request, SHORT_SCAN_BYTES), { signal: env.signal });
    if (quick.kind === "page") return quick;
    const whole = job(request, Number.MAX_SAFE_INTEGER);
    return pageOf(await session.workers.run("readFile", whole, { signal: env.signal, lane: "long" }));
  });
  if (read.settled) indexes.set(lexical, read.index);
  return resultOf(input, read, caps, session);
}

function pageOf(output: ReadFileOutput): ReadPage {
  if (output.kind === "page") return output;
  throw new Error("A scan without a size limit was refused for its size");
}

function pageCaps(limits: Limits, { maxChars }: ReadInput): PageCaps {
  return {
    maxChars: maxChars ?? limits.readMaxChars,
    maxTokens: readMaxTokens(limits),
    maxBytes: limits.search.maxBytes,
    maxLines: limits.search.maxLines,
  };
}

function hashOfKeptText({ snapshots }: Session, path: string): string | undefined {
  const latest = snapshots.latest(path);
  return latest?.text === undefined ? undefined : latest.hash;
}

function resultOf(input: ReadInput, read: ReadPage, caps: PageCaps, session: Session): ReadResult {
  const { located, index, page } = read;
  const { maxLineChars, readMaxLines } = session.limits;
  const changed = recordShown(session, read);
  const next = nextCall(input, page, index.totalLines, { maxLineChars, readMaxLines });
  const notice = readNotice({ input, page, index, caps, maxLineChars, changed, settled: read.settled }, next);
  return {
    path: located.path,
    root: located.root,
    content: page.content,
    tag: tagOf(index.hash),
    offset: page.offset,
    lineCount: page.lineCount,
    totalLines: index.totalLines,
    fileBytes: index.bytes,
    truncated: page.endedBy !== null || page.clippedCount > 0,
    ...(page.piece !== undefined && { column: page.piece.column, lineChars: page.piece.lineChars }),
    ...(next !== undefined && { next }),
    ...(notice !== undefined && { notice }),
  };
}

interface Change {
  readonly from: string;
  readonly to: string;
}

/** Tells the snapshot store what was shown; the tags, if the session was shown another version before. */
function recordShown(session: Session, { located, index, page, text, settled }: ReadPage): Change | undefined {
  const version = { hash: index.hash, bytes: index.bytes };
  const before = session.snapshots.latest(located.absolute);
  const seen = settled ? [...page.seen, ...walkedLines(session, located.absolute, index, page)] : [];
  session.snapshots.record(located.absolute, version, seen, {
    totalLines: index.totalLines,
    ...(index.asked !== undefined && { asked: index.asked }),
    ...(text !== undefined && { text }),
  });
  if (before === undefined || sameVersion(before, version)) return undefined;
  return { from: before.tag, to: tagOf(index.hash) };
}

/** Lines too long for a page of which this page showed the last missing characters. */
function walkedLines(
  { columnWalks, limits }: Session,
  path: string,
  { hash }: FileIndex,
  page: ReadPage["page"],
): (readonly [number, number])[] {
  const walked: (readonly [number, number])[] = [];
  const { piece, offset, clipped } = page;
  if (piece !== undefined && piece.chars > 0) {
    const shown = [piece.column, piece.column + piece.chars - 1] as const;
    if (columnWalks.record(path, hash, offset, shown, piece.lineChars)) walked.push([offset, offset]);
  }
  for (const { line, chars } of clipped) {
    if (columnWalks.record(path, hash, line, [1, limits.maxLineChars], chars)) walked.push([line, line]);
  }
  return walked;
}
