import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { CheckpointError } from "./error.ts";
import { parseFact } from "./fact.ts";
import { type Line, readLines } from "./lines.ts";
import { errorCode } from "./process-identity.ts";

export interface DamagedLine {
  /** 1-based. */
  readonly line: number;
  readonly reason: string;
}

export interface Recovery {
  /** A last line that a crash cut short: its bytes were moved to a file beside the journal. */
  readonly torn?: { readonly line: number; readonly bytes: number; readonly savedTo: string };
  /** Lines that hold no fact, the first 100 of them. They stay where they are and are read over. */
  readonly damaged: readonly DamagedLine[];
  readonly totalDamaged: number;
}

export interface Recovered {
  /** Bytes of the file that end with a line feed. */
  readonly size: number;
  readonly recovery: Recovery | undefined;
}

/** Checks every line, ends a whole last line that lost its line feed, and sets a torn one aside. Syncs what it changes. */
export async function recover(file: string, handle: FileHandle): Promise<Recovered> {
  const { size } = await handle.stat();
  if (size === 0) {
    await syncDirectory(dirname(file));
    return { size: 0, recovery: undefined };
  }
  const damaged: DamagedLine[] = [];
  let totalDamaged = 0;
  let last: Line | undefined;
  for await (const line of readLines(handle, size)) {
    const reason = damageOf(line, file);
    if (!line.terminated) last = line;
    if (reason === undefined || !line.terminated) continue;
    totalDamaged += 1;
    if (damaged.length < MAX_REPORTED) damaged.push({ line: line.number, reason });
  }
  const torn =
    last !== undefined && damageOf(last, file) !== undefined ? await setAside(file, handle, last, size) : undefined;
  const end = torn === undefined ? size : size - torn.bytes;
  const unended = last !== undefined && torn === undefined;
  if (unended) await handle.write("\n", end);
  if (unended || torn !== undefined) await handle.sync();
  const isSound = torn === undefined && totalDamaged === 0;
  const recovery = isSound ? undefined : { ...(torn === undefined ? {} : { torn }), damaged, totalDamaged };
  return { size: unended ? end + 1 : end, recovery };
}

function damageOf(line: Line, file: string): string | undefined {
  if (line.text === undefined) return "not UTF-8, or too long";
  if (line.text === "") return undefined;
  const { damage, isNewer } = parseFact(line.text);
  if (isNewer !== true) return damage;
  throw new CheckpointError(
    "JOURNAL_UNREADABLE",
    `Line ${line.number} of the journal "${file}" was ${damage} — update this program, or start a new session`,
    { details: { file, line: line.number } },
  );
}

// The fragment is safe on the disk before the journal loses it.
async function setAside(
  file: string,
  handle: FileHandle,
  line: Line,
  size: number,
): Promise<NonNullable<Recovery["torn"]>> {
  const { path: savedTo, handle: copy } = await createBeside(file);
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    for (let position = line.offset; position < size; ) {
      const { bytesRead } = await handle.read(block, 0, Math.min(block.length, size - position), position);
      if (bytesRead === 0) break;
      await copy.writeFile(block.subarray(0, bytesRead));
      position += bytesRead;
    }
    await copy.sync();
  } finally {
    await copy.close();
  }
  await syncDirectory(dirname(file));
  await handle.truncate(line.offset);
  return { line: line.number, bytes: size - line.offset, savedTo };
}

async function createBeside(file: string): Promise<{ path: string; handle: FileHandle }> {
  for (let n = 1; ; n++) {
    const path = `${file}.torn-${n}`;
    try {
      return { path, handle: await open(path, "wx", 0o600) };
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

/** Makes a new file's name survive a power failure. Windows has no such call and does it by itself. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const MAX_REPORTED = 100;
const BLOCK_BYTES = 256 * 1024;
