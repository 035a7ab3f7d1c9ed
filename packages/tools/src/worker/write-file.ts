import { accessSync, constants } from "node:fs";
import type { LineIndex } from "../edit/line-index.ts";
import { type EncodingName, encodeFile, type FileEncoding, UTF8 } from "../encoding.ts";
import { fromErrno } from "../errno.ts";
import { ToolError } from "../error.ts";
import { fileChanged } from "../file-changed.ts";
import { loadHasher } from "../hash.ts";
import { countLines } from "../line-ranges.ts";
import { assertNewFilePath } from "../new-file-path.ts";
import { notFile } from "../open-file.ts";
import { type Located, type LocateRequest, locate } from "../path.ts";
import { type FileVersion, type SeenLines, sameVersion } from "../snapshots.ts";
import { type Landed, replaceFile } from "../text-file.ts";
import { type Busy, claimPath } from "../write-claim.ts";
import type { JobContext } from "./jobs.ts";
import { type LiveFile, readLiveFile } from "./live-file.ts";

/** A version of the file that the session was shown. */
export interface KnownVersion extends FileVersion {
  readonly seen: SeenLines;
}

export interface WriteFileInput {
  readonly request: LocateRequest;
  /** Where the path led when the file's lock was taken. */
  readonly absolute: string;
  readonly content: string;
  readonly overwrite: boolean;
  readonly known: readonly KnownVersion[];
  /** The encoding that the caller named when the file was shown. */
  readonly asked?: EncodingName;
}

export type WriteFileOutput =
  | { readonly status: "busy"; readonly pid: number }
  | {
      readonly status: "written";
      readonly located: Located;
      readonly landed: Landed;
      readonly created: boolean;
      readonly totalLines: number;
      readonly encoding: FileEncoding;
      /** The text's LFs were written as CRLF, as the file had them. */
      readonly crlf: boolean;
      /** The new bytes, where they are few enough to be kept. */
      readonly bytes?: Uint8Array;
    };

const MAX_RETURNED_BYTES = 2 * 1024 * 1024;
/** Lines that decide which ending a file uses. */
const SAMPLE_LINES = 1000;

/** Makes or overwrites a file. See `replaceFile` for what holds at any moment. */
export async function writeFileJob(input: WriteFileInput, context: JobContext): Promise<WriteFileOutput> {
  await loadHasher();
  const claim = claimPath(input.absolute);
  if (!("release" in claim)) return busy(claim);
  try {
    const located = locate(input.request);
    if (located.absolute !== input.absolute) throw fileChanged(located.path);
    const live = openExisting(located, input, context);
    try {
      if (live !== undefined && !input.overwrite) assertShown(live, input, located);
      const { bytes, ...style } = encodeContent(input.content, live);
      const landed = replaceFile({
        located,
        before: live?.stat,
        claim,
        produce: (sink) => sink(bytes),
        throwIfCancelled: context.throwIfCancelled,
      });
      return {
        status: "written",
        located,
        landed,
        created: live === undefined,
        totalLines: countTextLines(input.content),
        ...style,
        ...(bytes.length <= MAX_RETURNED_BYTES && { bytes }),
      };
    } finally {
      live?.close();
    }
  } finally {
    claim.release();
  }
}

function busy({ pid }: Busy): WriteFileOutput {
  return { status: "busy", pid };
}

function openExisting(located: Located, { request, asked }: WriteFileInput, context: JobContext): LiveFile | undefined {
  if (located.kind === "missing") {
    assertNewFilePath(request.path);
    return undefined;
  }
  if (located.kind !== "file") throw notFile(located.path, located.kind);
  assertWritable(located);
  return readLiveFile(located, request.policy, asked, context);
}

/** A rename would also replace a file that may not be written. */
export function assertWritable(located: Located): void {
  try {
    accessSync(located.absolute, constants.W_OK);
  } catch (error) {
    throw fromErrno(error, located.path);
  }
}

function assertShown(live: LiveFile, { known }: WriteFileInput, located: Located): void {
  const { version, index } = live;
  if (version.bytes === 0) return;
  const same = known.find((candidate) => sameVersion(candidate, version));
  if (same?.seen === "all") return;
  const total = index.totalLines;
  const unseen = total - (same?.seen === undefined ? 0 : countLines(same.seen));
  if (unseen <= 0) return;
  if (live.binary !== undefined) {
    throw new ToolError("WRITE_STALE", `"${located.path}" exists and is no text (${live.binary})`, {
      next: "choose another path, or set overwrite to true to replace it",
      details: { path: located.path, kind: live.binary },
    });
  }
  const what =
    same === undefined && known.length > 0
      ? `"${located.path}" was changed since this session was last shown it (${total} lines now)`
      : `"${located.path}" exists, and ${unseen} of its ${total} lines were not shown to this session`;
  throw new ToolError("WRITE_STALE", what, {
    next: "Read it first, change parts of it with Edit, or set overwrite to true to replace it unseen",
    details: { path: located.path, unseenLines: unseen, totalLines: total },
  });
}

interface Encoded {
  readonly bytes: Uint8Array;
  readonly encoding: FileEncoding;
  readonly crlf: boolean;
}

/** In the encoding and with the line endings that the file has, unless the content brings its own. */
function encodeContent(content: string, live: LiveFile | undefined): Encoded {
  const bringsMark = content.startsWith("\ufeff");
  const text = bringsMark ? content.slice(1) : content;
  const isText = live !== undefined && live.binary === undefined;
  const crlf = isText && !text.includes("\r\n") && text.includes("\n") && usesCrlf(live.index);
  const encoding = isText ? keptEncoding(live.encoding, bringsMark) : { ...UTF8, bom: bringsMark };
  return { bytes: encodeFile(crlf ? text.replaceAll("\n", "\r\n") : text, encoding), encoding, crlf };
}

function keptEncoding(encoding: FileEncoding, bringsMark: boolean): FileEncoding {
  if (!bringsMark || encoding.bom) return encoding;
  return { ...UTF8, bom: true };
}

/** Whether most of the file's lines end with CRLF. */
function usesCrlf(index: LineIndex): boolean {
  const lines = Math.min(SAMPLE_LINES, index.totalLines);
  const width = index.encoding.name.startsWith("utf-16") ? 2 : 1;
  let crlf = 0;
  let lf = 0;
  for (let number = 1; number <= lines; number++) {
    const { textEnd, end } = index.line(number);
    if (end - textEnd === 2 * width) crlf += 1;
    else if (end > textEnd) lf += 1;
  }
  return crlf > lf;
}

function countTextLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  const isMarkOnly = text === "\ufeff";
  return lines + (text === "" || isMarkOnly || text.endsWith("\n") ? 0 : 1);
}
