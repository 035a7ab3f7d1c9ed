// Says to other processes which file this one is writing, and lets any of them clean up after one that died.
// Synchronous: it runs in worker threads.
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { type ClaimOwner, isOwnerAlive, ownOwner } from "./claim-owner.ts";
import { undoInPlace } from "./in-place.ts";

/** What a claim file holds; read by whoever finds its owner dead. */
interface ClaimRecord {
  readonly target: string;
  /** Lies in the target's folder until the write is done. */
  readonly temporary: string;
  /** Lies there while the target itself is being overwritten. */
  readonly backup: string;
}

export interface Claim {
  readonly temporary: string;
  readonly backup: string;
  /** To be called when the backup is complete and synced, before the first byte of the target is overwritten. */
  markInPlace(): void;
  release(): void;
}

export interface Busy {
  readonly pid: number;
}

const OWN_FILE = /^\.spillway-[0-9a-f]{16}\.(tmp|bak)$/;
/** Last part of a claim's name once its target is being overwritten. */
const IN_PLACE = "inplace";

/**
 * Claims a canonical path for this process, or says who has it. First every claim of a dead process is cleaned up: its
 * temporary file goes, a half-overwritten target gets its old content back.
 *
 * Each claimant makes a file of its own and then looks for others, so of two that meet at least one sees the other and
 * steps back; nothing is ever stolen. Where no private folder for claims can be had the claim guards nothing, and the
 * check directly before the rename is what is left.
 */
export function claimPath(target: string): Claim | Busy {
  return claim(target, true);
}

function claim(target: string, mayClaimOthers: boolean): Claim | Busy {
  const nonce = randomBytes(8).toString("hex");
  const temporary = join(dirname(target), `.spillway-${nonce}.tmp`);
  const backup = join(dirname(target), `.spillway-${nonce}.bak`);
  const key = keyOf(target);
  const folder = claimsFolder();
  let own = folder && join(folder, claimName(key, nonce));
  if (folder === undefined || own === undefined || !writeClaim(own, { target, temporary, backup })) {
    return { temporary, backup, markInPlace: () => undefined, release: () => undefined };
  }
  const { alive, dead } = readClaims(folder, key, own);
  const rival = alive.find((found) => found.key === key);
  if (rival !== undefined) {
    unlinkQuietly(own);
    return { pid: rival.owner.pid };
  }
  for (const found of dead) recover(found, key, mayClaimOthers);
  return {
    temporary,
    backup,
    markInPlace: () => {
      own = own && markInPlace(own);
    },
    release: () => {
      if (own !== undefined) unlinkQuietly(own);
    },
  };
}

/** Cleans up after every dead process; what is being written right now is left alone. */
export function recoverWrites(): void {
  const folder = claimsFolder();
  if (folder === undefined) return;
  for (const dead of readClaims(folder).dead) recover(dead, "", true);
}

/** Where this user's claims lie; nothing is made. */
export function claimsPath(): string {
  return join(tmpdir(), `spillway-${userInfo().uid}`, "writes");
}

/** The private folder of this user's claims; undefined where it cannot be made or is not private. */
function claimsFolder(): string | undefined {
  const folder = claimsPath();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isPrivate(dirname(folder)) && isPrivate(folder) ? folder : undefined;
  } catch {
    // A full or read-only temporary directory must not stop a write elsewhere.
    return undefined;
  }
}

function isPrivate(folder: string): boolean {
  if (process.platform === "win32") return true;
  const stat = lstatSync(folder);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
}

function claimName(key: string, nonce: string): string {
  const { host, pid, start } = ownOwner();
  return [key, host, pid, start, nonce].join(".");
}

/** A rename is one step: whoever reads the claim finds it whole, before or after. */
function markInPlace(own: string): string {
  const fd = openSync(own, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  const marked = `${own}.${IN_PLACE}`;
  renameSync(own, marked);
  return marked;
}

interface Found {
  readonly file: string;
  readonly key: string;
  readonly owner: ClaimOwner;
  readonly inPlace: boolean;
}

/**
 * @param held whoever asks has this process's turn on that path (path-locks), so another claim of the process on it was
 * left behind by a thread that died.
 */
function readClaims(folder: string, held = "", own = ""): { readonly alive: Found[]; readonly dead: Found[] } {
  const alive: Found[] = [];
  const dead: Found[] = [];
  const self = ownOwner();
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (file === own) continue;
    const [key = "", host = "", pid = "", start = "", , mark] = name.split(".");
    const owner = { host, pid: Number(pid), start };
    const isLeftBehind = key === held && owner.pid === self.pid && host === self.host;
    const found = { file, key, owner, inPlace: mark === IN_PLACE };
    (!isLeftBehind && isOwnerAlive(owner, file) ? alive : dead).push(found);
  }
  return { alive, dead };
}

function recover({ file, key, inPlace }: Found, heldKey: string, mayClaim: boolean): void {
  const record = readClaim(file);
  if (record !== undefined && inPlace && key !== heldKey) {
    // Only its claimant may touch the target: claiming it comes back here with the key held.
    const claimed = mayClaim ? claim(record.target, false) : undefined;
    if (claimed !== undefined && "release" in claimed) claimed.release();
    return;
  }
  if (record !== undefined) {
    // A backup without the mark was never needed: its target is whole.
    if (!inPlace || undoInPlace(record.target, record.temporary, record.backup)) unlinkOwn(record.backup);
    unlinkOwn(record.temporary);
  }
  unlinkQuietly(file);
}

function writeClaim(file: string, record: ClaimRecord): boolean {
  try {
    const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      writeSync(fd, JSON.stringify(record));
    } finally {
      closeSync(fd);
    }
    return true;
  } catch {
    // See claimPath: without a claim the check before the rename is what is left.
    unlinkQuietly(file);
    return false;
  }
}

function readClaim(file: string): ClaimRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isClaimRecord(record) ? record : undefined;
  } catch {
    // Its owner died before it had written anything, or somebody else cleaned up first.
    return undefined;
  }
}

function isClaimRecord(value: unknown): value is ClaimRecord {
  if (typeof value !== "object" || value === null) return false;
  return ["target", "temporary", "backup"].every(
    (name) => typeof Object.getOwnPropertyDescriptor(value, name)?.value === "string",
  );
}

function keyOf(target: string): string {
  return createHash("sha256").update(target).digest("hex").slice(0, 16);
}

/** Only what a claim can have named. */
function unlinkOwn(file: string): void {
  if (OWN_FILE.test(basename(file))) unlinkQuietly(file);
}

function unlinkQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Gone already, which is what was wanted.
  }
}
