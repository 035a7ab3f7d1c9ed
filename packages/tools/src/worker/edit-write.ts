// The last step of an edit: the changed file takes the old one's place, under its name or that of an MV.
import { lstatSync } from "node:fs";
import { spliceEdits, writeSpliced } from "../edit/apply.ts";
import type { LineEdit } from "../edit/ops.ts";
import { ToolError } from "../error.ts";
import { fileChanged } from "../file-changed.ts";
import { isSameFile } from "../in-place.ts";
import { moveFile, removeFile } from "../move-file.ts";
import type { Located } from "../path.ts";
import { type Landed, type Replacement, replaceFile } from "../text-file.ts";
import type { Claim } from "../write-claim.ts";
import type { JobContext } from "./jobs.ts";
import type { LiveFile } from "./live-file.ts";

export interface EditWrite {
  readonly located: Located;
  readonly live: LiveFile;
  /** That of the file, then that of an `MV`'s destination. */
  readonly claims: readonly Claim[];
  readonly context: JobContext;
  /** Where an `MV` puts the file. */
  readonly moved: Located | undefined;
}

export interface WrittenEdits {
  readonly landed: Landed;
  /** The new content, where it is small enough to be kept. */
  readonly bytes?: Uint8Array;
}

const MAX_RETURNED_BYTES = 2 * 1024 * 1024;

/** @throws ToolError EDIT_NO_CHANGE and those of `replaceFile` and `moveFile`. */
export function writeEdits(write: EditWrite, edits: readonly LineEdit[]): WrittenEdits {
  const { located, live, moved } = write;
  const [claim, moveClaim] = write.claims;
  if (claim === undefined) throw new Error("An edit without a claim");
  if (moved === undefined || moveClaim === undefined) {
    return writeTo(write, edits, { located, before: live.stat, claim, accept: refuseSame(located, live) });
  }
  if (edits.length === 0 && moveFile(located, moved, live.stat)) return unchanged(live);
  if (mustStay(live)) return moveThenWrite(write, edits, moved, moveClaim);
  const written = writeTo(write, edits, { located: moved, before: undefined, like: live.stat, claim: moveClaim });
  removeAfterMove(located, moved, live);
  return written;
}

export function noChange({ path }: Located): ToolError {
  return new ToolError("EDIT_NO_CHANGE", `The ops leave "${path}" as it is`, {
    next: "the file already holds this text: go on with the next step",
    details: { path },
  });
}

function writeTo(
  { live, context }: EditWrite,
  edits: readonly LineEdit[],
  place: Pick<Replacement, "located" | "before" | "like" | "claim" | "accept">,
): WrittenEdits {
  const splices = spliceEdits(edits, live.index);
  const kept: Uint8Array[] | undefined = live.version.bytes <= MAX_RETURNED_BYTES ? [] : undefined;
  const landed = replaceFile({
    ...place,
    produce: (sink) =>
      writeSpliced(live.index.source, splices, (piece) => {
        kept?.push(new Uint8Array(piece));
        sink(piece);
      }),
    throwIfCancelled: context.throwIfCancelled,
  });
  const bytes = kept === undefined ? undefined : Buffer.concat(kept);
  return bytes !== undefined && bytes.length <= MAX_RETURNED_BYTES ? { landed, bytes } : { landed };
}

function refuseSame(located: Located, { version }: LiveFile): NonNullable<Replacement["accept"]> {
  return (written) => {
    if (written.hash === version.hash && written.bytes === version.bytes) throw noChange(located);
  };
}

function unchanged({ version, bytes }: LiveFile): WrittenEdits {
  const landed = { ...version, asWritten: true };
  return bytes !== undefined && bytes.length <= MAX_RETURNED_BYTES ? { landed, bytes } : { landed };
}

/** A new file in its place would cut its other names off or belong to somebody else. */
function mustStay({ stat }: LiveFile): boolean {
  const user = process.geteuid?.();
  return stat.nlink > 1n || (user !== undefined && user !== 0 && stat.uid !== BigInt(user));
}

/** The very file gets its new name and is then written in place; the name goes back if that fails. */
function moveThenWrite(write: EditWrite, edits: readonly LineEdit[], moved: Located, claim: Claim): WrittenEdits {
  const { located, live } = write;
  if (!moveFile(located, moved, live.stat)) throw otherFileSystem(moved);
  const before = lstatSync(moved.absolute, { bigint: true });
  try {
    // The renaming itself moves ctime only.
    if (!isSameFile(before, live.stat) || before.size !== live.stat.size || before.mtimeNs !== live.stat.mtimeNs)
      throw fileChanged(located.path);
    return writeTo(write, edits, { located: moved, before, claim });
  } catch (error) {
    moveFile(moved, located, lstatSync(moved.absolute, { bigint: true }));
    throw error;
  }
}

function otherFileSystem({ path }: Located): ToolError {
  return new ToolError(
    "PERMISSION_DENIED",
    `"${path}" is on another file system, where the file cannot keep its owner and other names`,
    {
      next: "choose a place beside the file",
      details: { path },
    },
  );
}

/** The new file stands already: it goes again if the old one cannot. */
function removeAfterMove(located: Located, moved: Located, live: LiveFile): void {
  try {
    removeFile(located, live.stat);
  } catch (error) {
    removeFile(moved, undefined);
    throw error;
  }
}
