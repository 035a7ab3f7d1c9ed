import { z } from "zod";
import type { Snapshot } from "../snapshots.ts";
import { formatHeader } from "../tag.ts";
import type { ToolEnv } from "../tool.ts";
import type { Edited, Removed } from "../worker/edit-file.ts";
import { inPlaceSentence } from "../write.ts";
import type { Hunk } from "./hunks.ts";
import type { ResolvedSpan } from "./ops.ts";
import { describeDrift } from "./refusal.ts";

export interface EditResult {
  /** Where the file is now. */
  readonly path: string;
  readonly root: "workspace" | "scratch" | "external";
  /** Names the version that now lies on disk; after REM the one that was deleted. */
  readonly tag: string;
  /** `[path#TAG]` */
  readonly header: string;
  readonly added: number;
  readonly removed: number;
  /** For people: bounded, see `Hunk`. */
  readonly hunks: readonly Hunk[];
  /** Hunks beyond those that are listed. */
  readonly omittedHunks?: number;
  /** What each op came to, in their order. */
  readonly spans?: readonly ResolvedSpan[];
  readonly warnings?: readonly string[];
  readonly note: string;
}

const hunkSchema: z.ZodType<Hunk> = z.strictObject({
  oldStart: z.number().int(),
  oldLines: z.number().int(),
  newStart: z.number().int(),
  newLines: z.number().int(),
  lines: z.array(z.string()),
  omittedLines: z.number().int().exactOptional(),
});

const spanSchema: z.ZodType<ResolvedSpan> = z.strictObject({
  op: z.string(),
  first: z.number().int(),
  last: z.number().int(),
  newFirst: z.number().int(),
  newLast: z.number().int(),
});

export const editResultSchema: z.ZodType<EditResult> = z.strictObject({
  path: z.string(),
  root: z.enum(["workspace", "scratch", "external"]),
  tag: z.string(),
  header: z.string(),
  added: z.number().int(),
  removed: z.number().int(),
  hunks: z.array(hunkSchema),
  omittedHunks: z.number().int().exactOptional(),
  spans: z.array(spanSchema).exactOptional(),
  warnings: z.array(z.string()).exactOptional(),
  note: z.string(),
});

/** What a result needs to know of its call. */
export interface ResultContext {
  /** The tag that the call gave. */
  readonly tag: string;
  readonly warnings: readonly string[];
  readonly env: ToolEnv;
}

/** Records what landed, with the registers that were filled, and tells it. */
export function editedResult(
  edited: Edited,
  versions: readonly Snapshot[],
  { tag: oldTag, warnings, env: { session } }: ResultContext,
): EditResult {
  const { located, moved, landed, totalLines, seen, bytes, hunks } = edited;
  const place = moved ?? located;
  if (moved !== undefined) session.snapshots.rename(located.absolute, moved.absolute);
  // Other calls of the same step may lean on the same version.
  session.snapshots.touch(place.absolute, versions);
  const asked = versions[0]?.asked;
  const { tag } = session.snapshots.record(place.absolute, landed, seen, {
    ...(asked !== undefined && { asked }),
    ...(landed.asWritten && { totalLines, ...(bytes !== undefined && { text: bytes }) }),
  });
  for (const [name, register] of edited.captured) session.registers.set(name, register);
  const all = [...warnings, ...warningsOf(edited, oldTag)];
  return {
    path: place.path,
    root: place.root,
    tag,
    header: formatHeader(place.path, tag),
    added: edited.added,
    removed: edited.removed,
    hunks: hunks.hunks,
    ...(hunks.omittedHunks > 0 && { omittedHunks: hunks.omittedHunks }),
    ...(edited.spans.length > 0 && { spans: edited.spans }),
    ...(all.length > 0 && { warnings: all }),
    note: landed.asWritten ? APPLIED_NOTE : CHANGED_AGAIN_NOTE,
  };
}

const APPLIED_NOTE = "The change is applied: there is no need to read it back.";
const CHANGED_AGAIN_NOTE =
  "The change was applied, but something else changed the file right after: Read it before the next change.";

function warningsOf({ drift, landed }: Edited, oldTag: string): string[] {
  const warnings: string[] = [];
  if (drift !== undefined) warnings.push(describeDrift(drift, oldTag));
  if (landed.inPlace !== undefined) warnings.push(inPlaceSentence(landed.inPlace));
  return warnings;
}

/** Forgets the file and tells that it is gone. */
export function removedResult({ located, totalLines }: Removed, { tag, warnings, env }: ResultContext): EditResult {
  env.session.snapshots.forget(located.absolute);
  return {
    path: located.path,
    root: located.root,
    tag,
    header: formatHeader(located.path, tag),
    added: 0,
    removed: totalLines,
    hunks: [],
    ...(warnings.length > 0 && { warnings }),
    note: "The file is deleted.",
  };
}
