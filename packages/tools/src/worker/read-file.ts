// The Read job: locate, open, scan (or take the index of an earlier scan), build one page.
import { type BigIntStats, closeSync, fstatSync } from "node:fs";
import type { Limits } from "@spillway/limits";
import type { EncodingName } from "../encoding.ts";
import { ToolError } from "../error.ts";
import { loadHasher } from "../hash.ts";
import { openVerified } from "../open-file.ts";
import type { PageCaps } from "../page.ts";
import { type Located, type LocateRequest, locate, type PathPolicy, sensitive } from "../path.ts";
import { formatHeader, tagOf } from "../tag.ts";
import type { ReadInput } from "../window.ts";
import { buildPage, type Page } from "./build-page.ts";
import { type ByteSource, fileSource, memorySource } from "./byte-source.ts";
import { fileIdentity } from "./file-identity.ts";
import type { FileIndex } from "./file-index.ts";
import type { JobContext } from "./jobs.ts";
import { type Scan, scanFile } from "./scan.ts";
import { isSecretByContent } from "./secret-content.ts";
import { likelyWide, sniffBinary } from "./sniff.ts";

export interface ReadFileInput {
  readonly request: LocateRequest;
  readonly input: ReadInput;
  readonly caps: PageCaps;
  readonly limits: Pick<Limits, "readDefaultLines" | "maxLineChars">;
  /** The index of an earlier scan; it is used where the file is still the same. */
  readonly known: FileIndex | undefined;
  /** A file with more bytes than this is not scanned, the answer asks for another call instead. */
  readonly maxScanBytes: number;
  /** Files up to this size come back whole, unless they have the hash `hasTextOf`. */
  readonly maxTextBytes: number;
  readonly hasTextOf: string | undefined;
}

export type ReadFileOutput = ReadPage | { readonly kind: "needs long scan" };

export interface ReadPage {
  readonly kind: "page";
  readonly located: Located;
  readonly index: FileIndex;
  readonly page: Page;
  /** The file's bytes, where they were asked for. */
  readonly text?: Uint8Array;
  /** False: the file was changing all the time, its lines may be of different moments. */
  readonly settled: boolean;
}

/** How often a file that changed while it was read is read anew, and up to which size: a log that grows never rests. */
const MAX_ATTEMPTS = 3;
const MAX_BYTES_READ_AGAIN = 32 * 1024 * 1024;

/** @throws ToolError those of `locate` and `openVerified`, SENSITIVE_PATH, TOOL_BINARY_CONTENT (`details.kind`, `details.bytes`), RANGE_TOO_LARGE. */
export async function readFileJob(input: ReadFileInput, context: JobContext): Promise<ReadFileOutput> {
  await loadHasher();
  for (let attempt = 1; ; attempt++) {
    const output = readOnce(input, context);
    if (output.kind !== "page" || output.settled || attempt === MAX_ATTEMPTS) return output;
    if (output.index.bytes > MAX_BYTES_READ_AGAIN) return output;
  }
}

function readOnce(job: ReadFileInput, context: JobContext): ReadFileOutput {
  const located = locate(job.request);
  const { fd, stat } = openVerified(located, job.request.policy);
  try {
    const known = stillValid(job.known, stat, job.input.encoding);
    if (known === undefined && stat.size > BigInt(job.maxScanBytes)) return { kind: "needs long scan" };
    refuseSecret(fd, stat, located, job.request.policy, context);
    const { index, bytes } =
      known === undefined ? scan(fd, stat, located, job, context) : { index: known, bytes: undefined };
    const source = bytes === undefined ? fileSource(fd, index.bytes) : memorySource(bytes);
    const header = formatHeader(located.path, tagOf(index.hash));
    const page = buildPage({ source, index, maxLineChars: job.limits.maxLineChars }, header, job);
    const text = wholeText(source, index, job);
    // What came out of one buffer is of one moment, whatever the file does now.
    const settled = bytes !== undefined || fileIdentity(fstatSync(fd, { bigint: true })) === index.identity;
    return { kind: "page", located, index, page, settled, ...(text !== undefined && { text }) };
  } finally {
    closeSync(fd);
  }
}

/** The index of an earlier scan, if the file is the same and the caller's `encoding` would have led to the same. */
function stillValid(
  known: FileIndex | undefined,
  stat: BigIntStats,
  asked: EncodingName | undefined,
): FileIndex | undefined {
  if (known === undefined || !known.trusted || known.identity !== fileIdentity(stat)) return undefined;
  return known.plainUtf8 || known.encoding.bom || known.asked === asked ? known : undefined;
}

function scan(fd: number, stat: BigIntStats, located: Located, { input }: ReadFileInput, context: JobContext): Scan {
  const inspect = (head: Uint8Array): void => {
    const kind = sniffBinary(located.absolute, head, input.encoding);
    if (kind === undefined) return;
    const bytes = Math.max(Number(stat.size), head.length);
    throw binaryContent(located.path, { kind, bytes, asked: input.encoding, likely: likelyWide(head) });
  };
  return scanFile({ fd, stat, asked: input.encoding, inspect }, context);
}

interface BinaryFile {
  readonly kind: string;
  readonly bytes: number;
  readonly asked: EncodingName | undefined;
  /** The encoding that it would be text in. */
  readonly likely: EncodingName | undefined;
}

function binaryContent(path: string, { kind, bytes, asked, likely }: BinaryFile): ToolError {
  const program = "look at it with a program for such files through Bash";
  const isNamed = likely !== undefined && likely !== asked;
  const look = isNamed ? `it reads as ${likely} without a byte order mark, Read it with encoding "${likely}"` : program;
  return new ToolError("TOOL_BINARY_CONTENT", `"${path}" is no text (${kind}, ${bytes} bytes)`, {
    next: asked === undefined || isNamed ? look : `leave out encoding "${asked}", or ${look}`,
    details: { path, kind, bytes },
  });
}

function refuseSecret(fd: number, stat: BigIntStats, located: Located, policy: PathPolicy, context: JobContext): void {
  if (policy.secrets === "allow") return;
  if (isSecretByContent(located.absolute, fileSource(fd, Number(stat.size)), context))
    throw sensitive(located.path, located.absolute);
}

function wholeText(source: ByteSource, { bytes, hash }: FileIndex, job: ReadFileInput): Uint8Array | undefined {
  if (bytes > job.maxTextBytes || hash === job.hasTextOf) return undefined;
  return Uint8Array.prototype.slice.call(source.read(0, bytes));
}
