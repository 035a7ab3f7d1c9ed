import { z } from "zod";
import { cleanBodies } from "./edit/clean-bodies.ts";
import { editDescription } from "./edit/description.ts";
import type { EditScript, LineOp } from "./edit/ops.ts";
import { parseOps } from "./edit/parse.ts";
import { refusalError } from "./edit/refusal.ts";
import { type EditResult, editedResult, editResultSchema, removedResult } from "./edit/result.ts";
import { type EditPlace, holdEditTargets } from "./edit/targets.ts";
import { ToolError } from "./error.ts";
import { untilClaimed } from "./mutation.ts";
import { notFile } from "./open-file.ts";
import type { Snapshot } from "./snapshots.ts";
import { formatHeader, isTag } from "./tag.ts";
import type { DescriptionContext, Risk, Tool, ToolEnv } from "./tool.ts";
import type { EditFileInput, EditFileOutput } from "./worker/edit-file.ts";

export type { EditResult } from "./edit/result.ts";

export interface EditInput {
  readonly path: string;
  readonly tag?: string | undefined;
  readonly ops: string;
}

/** The tool that changes parts of files (spec chapter 3). */
export function createEditTool({ limits }: DescriptionContext): Tool<EditInput, EditResult> {
  return {
    name: "Edit",
    description: editDescription(limits),
    risk: "edit",
    riskOf: ({ ops }) => riskOf(ops),
    inputSchema: inputSchema(limits.editMaxOps),
    outputSchema: editResultSchema,
    execute,
  };
}

function inputSchema(maxOps: number): z.ZodType<EditInput> {
  return z
    .strictObject({
      path: z.string().describe("The file, as the header names it. Relative to the workspace or absolute."),
      tag: z
        .string()
        .optional()
        .describe("The 4 hex digits of the header: they name the version your line numbers are from."),
      ops: z.string().describe(`The ops with their bodies, at most ${maxOps}. See the table.`),
    })
    .meta({ required: ["path", "tag", "ops"] });
}

/** The risk of ops that cannot be read is that of an edit: they will be refused. */
function riskOf(ops: string): Risk {
  return /^\s*(?:REM|MV)\b/m.test(ops) ? "destructive" : "edit";
}

async function execute(input: EditInput, env: ToolEnv): Promise<EditResult> {
  const { limits } = env.session;
  const tag = requireTag(input);
  const script = parseOps(input.ops, { maxBytes: limits.editOpsMaxBytes, maxOps: limits.editMaxOps });
  const destination = script.ops.find((op) => op.kind === "move")?.destination;
  return holdEditTargets(env, { path: input.path, tag, destination }, async (place) => {
    assertHeader(script, place, input, tag);
    if (place.file.kind !== "file") throw notFile(place.file.path, place.file.kind);
    const versions = env.session.snapshots.byTag(place.file.absolute, tag);
    if (versions.length === 0) throw tagUnknown(place, tag);
    const { ops, cleaned } = await cleanBodies(script.ops, env);
    const lineOps = ops.filter((op): op is LineOp => op.kind === "put" || op.kind === "cut" || op.kind === "paste");
    const removes = ops.some((op) => op.kind === "remove");
    const output = await editFile(place, { tag, ops: lineOps, versions, removes }, env);
    if (output.status === "refused") throw refusalError(output, tag, env);
    const context = { tag, warnings: [...place.warnings, ...(cleaned ? [CLEANED_WARNING] : [])], env };
    return output.status === "removed" ? removedResult(output, context) : editedResult(output, versions, context);
  });
}

const CLEANED_WARNING = "A body was a page from Read: its header and line numbers were taken off.";

function requireTag({ tag, path }: EditInput): string {
  const upper = (tag ?? "").trim().replace(/^#/, "").toUpperCase();
  if (isTag(upper)) return upper;
  const what = upper === "" ? 'Edit needs "tag"' : `"${tag}" is no tag`;
  throw new ToolError("EDIT_TAG_REQUIRED", what, {
    next: `Read "${path}" and give the 4 hex digits after # in its header`,
    details: { path },
  });
}

function assertHeader({ header }: EditScript, { file }: EditPlace, { path }: EditInput, tag: string): void {
  if (header === undefined) return;
  const plain = (name: string): string => name.replace(/^(?:\.\/)+/, "");
  const names = [plain(path), file.path, file.absolute];
  if (header.tag === tag && names.includes(plain(header.path))) return;
  throw new ToolError(
    "INVALID_ARGUMENT",
    `The ops are headed ${formatHeader(header.path, header.tag)}, the call names "${path}" and ${tag}`,
    { next: "make them agree, or leave the header line out", details: { path, tag, header } },
  );
}

function tagUnknown({ file }: EditPlace, tag: string): ToolError {
  return new ToolError("EDIT_TAG_UNKNOWN", `This session has not been shown "${file.path}" under tag ${tag}`, {
    next: `Read "${file.path}" and use the tag of its header`,
    details: { path: file.path, tag },
  });
}

interface EditCall {
  readonly tag: string;
  readonly ops: readonly LineOp[];
  readonly versions: readonly Snapshot[];
  readonly removes: boolean;
}

/** Bytes of the file from which on a job counts as long. */
const LARGE = 4 * 1024 * 1024;

function editFile(
  place: EditPlace,
  call: EditCall,
  env: ToolEnv,
): Promise<Exclude<EditFileOutput, { readonly status: "busy" }>> {
  const { limits, registers, workers } = env.session;
  const { tag, ops, versions, removes } = call;
  const names = ops.flatMap((op) => (op.kind === "paste" && op.register !== undefined ? [op.register] : []));
  const filled = names.map((name) => [name, registers.get(name)] as const);
  const fileOp = removes ? "remove" : place.destination && { destination: place.destination };
  const asked = versions[0]?.asked;
  const job: EditFileInput = {
    target: place.target,
    tag,
    ops,
    versions,
    registers: new Map(filled.flatMap(([name, register]) => (register === undefined ? [] : [[name, register]]))),
    maxRevealedChars: Math.min(MAX_REVEALED_CHARS, (limits.errorMaxChars ?? Number.POSITIVE_INFINITY) - 600),
    ...(fileOp !== undefined && { fileOp }),
    ...(asked !== undefined && { asked }),
  };
  const isLarge = versions.some(({ bytes }) => bytes > LARGE);
  return untilClaimed<EditFileOutput>(env, place.file.path, () =>
    workers.run("editFile", job, { signal: env.signal, onAbort: "wait", lane: isLarge ? "long" : "short" }),
  );
}

/** 40 lines of 512 characters with their numbers. */
const MAX_REVEALED_CHARS = 22_000;
