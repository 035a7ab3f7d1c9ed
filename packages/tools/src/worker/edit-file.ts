import { narrowEdit, withoutSecondMark } from "../edit/apply.ts";
import { linesAround, matchVersion, seenAfter, type TaggedVersion } from "../edit/check.ts";
import { countChanges, type Hunks, hunksOf } from "../edit/hunks.ts";
import { spansOf } from "../edit/lower.ts";
import type { LineOp, ResolvedSpan } from "../edit/ops.ts";
import type { Register } from "../edit/registers.ts";
import { type Revealed, revealLines } from "../edit/reveal.ts";
import type { EncodingName } from "../encoding.ts";
import { ToolError } from "../error.ts";
import { fileChanged } from "../file-changed.ts";
import { loadHasher } from "../hash.ts";
import type { LineRange } from "../line-ranges.ts";
import { removeFile } from "../move-file.ts";
import { assertNewFilePath } from "../new-file-path.ts";
import { notFile } from "../open-file.ts";
import { type Located, type LocateRequest, locate } from "../path.ts";
import { holdsSecret, isSecretName, secretContent } from "../secrets.ts";
import type { FileVersion, SeenLines } from "../snapshots.ts";
import type { Landed } from "../text-file.ts";
import { type Claim, claimPath } from "../write-claim.ts";
import { type PlannedEdit, planEdit } from "./edit-plan.ts";
import { noChange, writeEdits } from "./edit-write.ts";
import type { JobContext } from "./jobs.ts";
import { type LiveFile, readLiveFile } from "./live-file.ts";
import { assertWritable } from "./write-file.ts";

/** A path and where it led when its lock was taken. */
export interface EditTarget {
  readonly request: LocateRequest;
  readonly absolute: string;
}

export interface EditFileInput {
  readonly target: EditTarget;
  readonly tag: string;
  readonly ops: readonly LineOp[];
  /** What happens to the file itself. */
  readonly fileOp?: "remove" | { readonly destination: EditTarget };
  /** The session's records under the tag, newest first; never empty. */
  readonly versions: readonly TaggedVersion[];
  /** The encoding that the caller named when the file was shown. */
  readonly asked?: EncodingName;
  /** The session's registers that the ops paste. */
  readonly registers: ReadonlyMap<string, Register>;
  /** Characters of the file that an error may show. */
  readonly maxRevealedChars: number;
}

export interface Edited {
  readonly status: "edited";
  readonly located: Located;
  /** Where an `MV` put the file. */
  readonly moved?: Located;
  readonly landed: Landed;
  readonly totalLines: number;
  readonly seen: SeenLines;
  readonly added: number;
  readonly removed: number;
  readonly hunks: Hunks;
  readonly spans: readonly ResolvedSpan[];
  readonly captured: ReadonlyMap<string, Register>;
  readonly drift?: Drifted;
  /** The new bytes, where they are few enough to be kept. */
  readonly bytes?: Uint8Array;
}

/** How the live file differed from the tagged one, and was edited nevertheless. */
export type Drifted = { readonly kind: "head or tail" } | { readonly kind: "recovered"; readonly offset: number };

export interface Removed {
  readonly status: "removed";
  readonly located: Located;
  readonly totalLines: number;
}

/** The edit was refused; what the error shows counts as shown. */
export interface Refused {
  readonly status: "refused";
  readonly gate: "provenance" | "version";
  readonly located: Located;
  readonly version: FileVersion;
  readonly totalLines: number;
  readonly lines: readonly LineRange[];
  readonly revealed: Revealed;
}

export type EditFileOutput = Edited | Removed | Refused | { readonly status: "busy"; readonly pid: number };

/** Verifies, edits and replaces one file in one go. */
export async function editFileJob(input: EditFileInput, context: JobContext): Promise<EditFileOutput> {
  await loadHasher();
  const claims: Claim[] = [];
  try {
    for (const absolute of claimedPaths(input)) {
      const claim = claimPath(absolute);
      if (!("release" in claim)) return { status: "busy", pid: claim.pid };
      claims.push(claim);
    }
    const located = locateSame(input.target);
    if (located.kind !== "file") throw notFile(located.path, located.kind);
    assertWritable(located);
    const live = readLiveFile(located, input.target.request.policy, input.asked, context);
    try {
      return await editLive({ input, context, located, live, claims });
    } finally {
      live.close();
    }
  } finally {
    for (const claim of claims) claim.release();
  }
}

interface Job {
  readonly input: EditFileInput;
  readonly context: JobContext;
  readonly located: Located;
  readonly live: LiveFile;
  /** That of the file, then that of an `MV`'s destination. */
  readonly claims: readonly Claim[];
}

async function editLive(job: Job): Promise<EditFileOutput> {
  const { input, located, live } = job;
  const matched = matchVersion(input.versions, live.version, live.bytes);
  const needsMatch = input.fileOp !== undefined || live.binary !== undefined;
  if (matched === undefined && needsMatch) return mismatch(job);
  if (input.fileOp === "remove") {
    removeFile(located, live.stat);
    return { status: "removed", located, totalLines: live.index.totalLines };
  }
  const plan = await planEdit({ ...input, located, live, matched, cancelled: job.context.cancelled });
  job.context.throwIfCancelled();
  if (plan.kind === "declined") return mismatch(job);
  if (plan.kind === "unseen") return refuse(job, "provenance", plan.lines);
  return applyPlan(job, plan);
}

function applyPlan(job: Job, plan: PlannedEdit): Edited {
  const { input, located, live } = job;
  const { index } = live;
  const edits = plan.edits
    .map((edit) => narrowEdit(withoutSecondMark(edit, index), index))
    .filter((edit) => edit !== undefined);
  const destination = input.fileOp === undefined || input.fileOp === "remove" ? undefined : input.fileOp.destination;
  if (edits.length === 0 && destination === undefined) throw noChange(located);
  const { added, removed } = countChanges(edits);
  const hunks = shownHunks(job, plan, hunksOf(edits, index));
  const moved = destination === undefined ? undefined : locateFree(destination);
  const { landed, bytes } = writeEdits({ ...job, moved }, edits);
  const totalLines = index.totalLines + added - removed;
  return {
    status: "edited",
    located,
    ...(moved !== undefined && { moved }),
    landed,
    totalLines,
    seen: landed.asWritten ? seenAfter(plan.seen, edits, index.totalLines) : [],
    added,
    removed,
    hunks,
    spans: spansOf(plan.edits, input.ops),
    captured: plan.captured,
    ...(plan.drift !== undefined && { drift: plan.drift }),
    ...(bytes !== undefined && landed.asWritten && { bytes }),
  };
}

/** What stands around the changes may be a secret that somebody else has put there. */
function shownHunks(job: Job, { drift }: PlannedEdit, hunks: Hunks): Hunks {
  if (drift === undefined || !isHidden(job)) return hunks;
  return { hunks: [], omittedHunks: hunks.hunks.length + hunks.omittedHunks };
}

function claimedPaths({ target, fileOp }: EditFileInput): readonly string[] {
  return fileOp === undefined || fileOp === "remove"
    ? [target.absolute]
    : [target.absolute, fileOp.destination.absolute];
}

function locateSame({ request, absolute }: EditTarget): Located {
  const located = locate(request);
  if (located.absolute !== absolute) throw fileChanged(located.path);
  return located;
}

function locateFree(destination: EditTarget): Located {
  const located = locateSame(destination);
  if (located.kind === "missing") {
    assertNewFilePath(destination.request.path);
    return located;
  }
  throw new ToolError("PATH_EXISTS", `"${located.path}" exists already`, {
    next: "choose another name for MV, or remove that file first",
    details: { path: located.path, kind: located.kind },
  });
}

function mismatch(job: Job): Refused {
  return refuse(job, "version", linesAround(job.input.ops, job.live.index.totalLines));
}

function refuse(job: Job, gate: Refused["gate"], lines: readonly LineRange[]): Refused {
  const { input, located, live } = job;
  const revealed = isHidden(job) ? { lines: [], all: false } : revealLines(live.index, lines, input.maxRevealedChars);
  return {
    status: "refused",
    gate,
    located,
    version: live.version,
    totalLines: live.index.totalLines,
    lines,
    revealed,
  };
}

/** What Read would not show is not shown here either. */
function isHidden({ input, located, live }: Job): boolean {
  if (live.binary !== undefined) return true;
  return input.target.request.policy.secrets === "refuse" && isSecret(located, live);
}

function isSecret({ absolute }: Located, { bytes }: LiveFile): boolean {
  if (isSecretName(absolute)) return true;
  const content = secretContent(absolute);
  return content !== undefined && (bytes === undefined || holdsSecret(content, bytes));
}
