import { z } from "zod";
import { cleanPages } from "./clean-pages.ts";
import type { EncodingName } from "./encoding.ts";
import { type Held, untilClaimed, whilePathHeld } from "./mutation.ts";
import type { InPlaceReason } from "./publish.ts";
import { formatHeader } from "./tag.ts";
import type { DescriptionContext, Tool, ToolEnv } from "./tool.ts";
import type { WriteFileOutput } from "./worker/write-file.ts";

export interface WriteInput {
  readonly path: string;
  readonly content: string;
  readonly overwrite?: boolean | undefined;
}

export interface WriteResult {
  readonly path: string;
  readonly root: "workspace" | "scratch" | "external";
  /** Names the version that now lies on disk. */
  readonly tag: string;
  /** `[path#TAG]` */
  readonly header: string;
  /** False when a file was overwritten. */
  readonly created: boolean;
  readonly bytes: number;
  readonly totalLines: number;
  /** For the model: the change is applied. Missing when something else changed the file at once. */
  readonly note?: string;
  readonly notice?: string;
}

const inputSchema: z.ZodType<WriteInput> = z.strictObject({
  path: z
    .string()
    .describe("The file to make or overwrite, relative to the workspace or absolute. Missing folders are made."),
  content: z
    .string()
    .describe("The whole text of the file, without line numbers. It is written as it is, with no line end added."),
  overwrite: z
    .boolean()
    .optional()
    .describe("true replaces a file although not all of its present lines were shown to you. Default false."),
});

const outputSchema: z.ZodType<WriteResult> = z.strictObject({
  path: z.string(),
  root: z.enum(["workspace", "scratch", "external"]),
  tag: z.string(),
  header: z.string(),
  created: z.boolean(),
  bytes: z.number().int(),
  totalLines: z.number().int(),
  note: z.string().exactOptional(),
  notice: z.string().exactOptional(),
});

const DESCRIPTION = `Makes a file or replaces the whole of one.
- To change parts of a file use Edit: it costs only the new lines.
- A file that exists must have been shown to you completely (Read without a cut) since it last changed; otherwise the call fails with WRITE_STALE. Set overwrite: true to replace it unseen.
- Folders are made as needed. The file is replaced in one step: a failed or stopped call leaves the old one whole.
- Encoding, byte order mark and line endings of an existing file are kept.
- Give the plain text: no "[path#TAG]" header, no "N:" line numbers from Read.
- The result's tag is ready for Edit. Do not Read the file back.`;

/** The tool that makes and overwrites files (spec 2.6). */
export function createWriteTool(_context: DescriptionContext): Tool<WriteInput, WriteResult> {
  return { name: "Write", description: DESCRIPTION, risk: "edit", inputSchema, outputSchema, execute };
}

async function execute(input: WriteInput, env: ToolEnv): Promise<WriteResult> {
  return whilePathHeld(env, input.path, async (held) => {
    const [page] = await cleanPages([input.content], env);
    const asked = env.session.snapshots.latest(held.located.absolute)?.asked;
    const output = await writeFile(held, page?.text ?? input.content, input.overwrite ?? false, asked, env);
    return resultOf(output, page?.cleaned ?? false, asked, env);
  });
}

type Written = Extract<WriteFileOutput, { readonly status: "written" }>;

function writeFile(
  { located, request }: Held,
  content: string,
  overwrite: boolean,
  asked: EncodingName | undefined,
  env: ToolEnv,
): Promise<Written> {
  const { workers, snapshots } = env.session;
  const { absolute } = located;
  const known = snapshots.versions(absolute).map(({ hash, bytes, seen }) => ({ hash, bytes, seen }));
  const isLarge = content.length > LARGE || known.some(({ bytes }) => bytes > LARGE);
  return untilClaimed<WriteFileOutput>(env, located.path, () =>
    workers.run(
      "writeFile",
      { request, absolute, content, overwrite, known, ...(asked !== undefined && { asked }) },
      { signal: env.signal, onAbort: "wait", lane: isLarge ? "long" : "short" },
    ),
  );
}

/** Bytes or characters from which on a job counts as long. */
const LARGE = 4 * 1024 * 1024;

function resultOf(
  written: Written,
  cleaned: boolean,
  asked: EncodingName | undefined,
  { session }: ToolEnv,
): WriteResult {
  const { located, landed, totalLines } = written;
  const seen = landed.asWritten ? "all" : [];
  const snapshot = session.snapshots.record(located.absolute, landed, seen, {
    ...(asked !== undefined && { asked }),
    ...(landed.asWritten && { totalLines, ...(written.bytes !== undefined && { text: written.bytes }) }),
  });
  const notice = noticeOf(written, cleaned);
  return {
    path: located.path,
    root: located.root,
    tag: snapshot.tag,
    header: formatHeader(located.path, snapshot.tag),
    created: written.created,
    bytes: landed.bytes,
    totalLines,
    ...(landed.asWritten && { note: APPLIED_NOTE }),
    ...(notice !== "" && { notice }),
  };
}

const APPLIED_NOTE = "The file now holds exactly this content: there is no need to read it back.";

function noticeOf({ landed, encoding, crlf }: Written, cleaned: boolean): string {
  const sentences: string[] = [];
  if (!landed.asWritten)
    sentences.push("Something else changed the file right after the write: Read it before the next change.");
  if (cleaned) sentences.push("The content was a page from Read: its header and line numbers were taken off.");
  if (crlf) sentences.push("Lines end with CRLF, as the file's did.");
  if (encoding.name !== "utf-8") sentences.push(`It is written in ${encoding.name}, as the file was.`);
  if (landed.inPlace !== undefined) sentences.push(inPlaceSentence(landed.inPlace));
  return sentences.join(" ");
}

/** What a change in place was for. */
export function inPlaceSentence(reason: InPlaceReason): string {
  const why = {
    "hard links": "it has other names (hard links)",
    owner: "it belongs to another user",
    "mount point": "it is mounted",
  };
  return `The file was written in place, because ${why[reason]}.`;
}
