// The last step of a write: a finished temporary file takes the target's place. Synchronous: it runs in worker threads.
import { type BigIntStats, closeSync, constants, fstatSync, linkSync, openSync, renameSync, unlinkSync } from "node:fs";
import { basename } from "node:path";
import { errnoOf } from "./errno.ts";
import { ToolError } from "./error.ts";
import { fileChanged } from "./file-changed.ts";
import type { Folder } from "./folder.ts";
import { copyOver, isUnchanged } from "./in-place.ts";
import type { Claim } from "./write-claim.ts";

/** Why a file was written in place: a rename would have broken its other names or changed its owner, or was not possible. */
export type InPlaceReason = "hard links" | "owner" | "mount point";

export interface Publication {
  readonly folder: Folder;
  readonly target: string;
  readonly temporary: string;
  readonly fd: number;
  readonly before: BigIntStats | undefined;
  readonly claim: Claim;
  readonly ownerKept: boolean;
  readonly path: string;
}

/** Says why, where the target was written in place instead of being replaced. */
export function publish(publication: Publication): InPlaceReason | undefined {
  const { target, temporary, before, ownerKept } = publication;
  if (before === undefined) return publishNew(publication);
  const reason = before.nlink > 1n ? "hard links" : ownerKept ? undefined : "owner";
  if (reason !== undefined) return overwrite(publication, before, reason);
  try {
    renameSync(temporary, target);
    return undefined;
  } catch (error) {
    // A single file that a container mounts cannot be renamed over.
    if (errnoOf(error) !== "EBUSY") throw error;
    return overwrite(publication, before, "mount point");
  }
}

/** A link fails where a rename would silently replace a file that came into being meanwhile. */
function publishNew({ target, temporary, path }: Publication): undefined {
  try {
    linkSync(temporary, target);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw fileChanged(path);
    // A file system without hard links: the check was a moment ago.
    renameSync(temporary, target);
  }
}

function overwrite(
  { folder, target, fd, claim, path }: Publication,
  before: BigIntStats,
  reason: InPlaceReason,
): InPlaceReason {
  const backup = folder.at(basename(claim.backup));
  const old = openSync(target, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    if (!isUnchanged(fstatSync(old, { bigint: true }), before)) throw fileChanged(path);
    const kept = openSync(backup, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      copyOver(old, kept);
      folder.sync();
      claim.markInPlace();
      if (!isUnchanged(fstatSync(old, { bigint: true }), before)) throw fileChanged(path);
      overwriteOrUndo(fd, old, kept, claim.backup, path);
    } finally {
      closeSync(kept);
    }
    unlinkQuietly(backup);
    return reason;
  } catch (error) {
    if (!(error instanceof ToolError && error.details?.backup !== undefined)) unlinkQuietly(backup);
    throw error;
  } finally {
    closeSync(old);
  }
}

function overwriteOrUndo(from: number, to: number, kept: number, backup: string, path: string): void {
  try {
    copyOver(from, to);
  } catch (error) {
    try {
      copyOver(kept, to);
    } catch (undoError) {
      throw new ToolError("DISK_FULL", `"${path}" could only be written in part and not be restored`, {
        next: `ask the user to copy "${backup}", its old content, back over it`,
        details: { path, backup },
        cause: undoError,
      });
    }
    throw error;
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Never made.
  }
}
