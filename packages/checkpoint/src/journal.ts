import { constants, type FileHandle, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CheckpointError, isCheckpointError } from "./error.ts";
import { type Fact, factLine, type NewFact, parseFact } from "./fact.ts";
import { readLines } from "./lines.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { type Checkpoint, parseCheckpoint } from "./record.ts";
import { type Recovery, recover } from "./recovery.ts";
import { createWriter } from "./writer.ts";

export interface Journal {
  /** The real path of the file. */
  readonly file: string;
  /** What opening it found broken; undefined if nothing was. A torn tail is named by one opening only. */
  readonly recovery?: Recovery;
  /** Writes one fact and resolves once it is on the disk, with the fact as it will be read back. */
  append(fact: NewFact): Promise<Fact>;
  /** All facts in order, or those from the named one on, itself included; all of them if it is not there. */
  entries(options?: { from?: string }): Promise<Fact[]>;
  /** The checkpoints whose `throughId` stands before them, oldest first. */
  checkpoints(): Promise<StoredCheckpoint[]>;
  /** Waits for pending appends and gives the lock back. */
  close(): Promise<void>;
}

export interface StoredCheckpoint extends Checkpoint {
  readonly id: string;
}

/**
 * Opens (or creates) an append-only journal of JSON lines for this process alone.
 * @throws CheckpointError `SESSION_LOCKED` if another living process has it, `JOURNAL_UNREADABLE` if it is no journal
 * of this version.
 */
export async function openJournal(file: string): Promise<Journal> {
  try {
    return await openLocked(file);
  } catch (cause) {
    if (isCheckpointError(cause)) throw cause;
    throw cannotOpen(resolve(file), cause);
  }
}

async function openLocked(file: string): Promise<Journal> {
  const folder = dirname(resolve(file));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = await realFile(join(await realpath(folder), basename(file)));
  const lock = await acquireLock(path);
  try {
    const handle = await openFile(path);
    try {
      return await startJournal(path, handle, lock);
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startJournal(file: string, handle: FileHandle, lock: Lock): Promise<Journal> {
  const { size, recovery } = await recover(file, handle);
  const writer = createWriter(file, handle, size);
  let closing: Promise<void> | undefined;
  const readFacts = async (): Promise<Fact[]> => {
    if (closing !== undefined) throw closedError(file);
    await writer.settled();
    return readAll(handle, writer.size());
  };
  return {
    file,
    ...(recovery === undefined ? {} : { recovery }),
    async append(fact) {
      if (closing !== undefined) throw closedError(file);
      const line = factLine(fact);
      await writer.write(line);
      return JSON.parse(line);
    },
    async entries({ from } = {}) {
      const facts = await readFacts();
      const at = from === undefined ? 0 : facts.findIndex(({ id }) => id === from);
      return at > 0 ? facts.slice(at) : facts;
    },
    async checkpoints() {
      return checkpointsOf(await readFacts());
    },
    close() {
      closing ??= writer
        .settled()
        .then(() => handle.close())
        .finally(() => lock.release());
      return closing;
    },
  };
}

async function readAll(handle: FileHandle, size: number): Promise<Fact[]> {
  const facts: Fact[] = [];
  for await (const line of readLines(handle, size)) {
    const { fact } = parseFact(line.text ?? "");
    if (fact !== undefined) facts.push(fact);
  }
  return facts;
}

function checkpointsOf(facts: readonly Fact[]): StoredCheckpoint[] {
  const before = new Set<string>();
  const checkpoints: StoredCheckpoint[] = [];
  for (const fact of facts) {
    const checkpoint = fact.t === "checkpoint" ? parseCheckpoint(fact) : undefined;
    if (checkpoint !== undefined && before.has(checkpoint.throughId)) checkpoints.push({ id: fact.id, ...checkpoint });
    before.add(fact.id);
  }
  return checkpoints;
}

async function realFile(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // Not there yet: it will be created under this very name.
    return path;
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (cause) {
    throw cannotOpen(path, cause);
  }
  throw new CheckpointError("JOURNAL_UNREADABLE", `"${path}" is not a regular file — choose a file for the journal`);
}

function cannotOpen(path: string, cause: unknown): CheckpointError {
  const what = `Cannot open the journal "${path}": ${messageOf(cause)}`;
  return new CheckpointError("JOURNAL_UNREADABLE", `${what} — choose a file this user may write`, { cause });
}

function closedError(file: string): CheckpointError {
  return new CheckpointError("JOURNAL_CLOSED", `The journal "${file}" is closed — open it again`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
