import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * The log of a background command: a head file and, once that is full, numbered segments of which the newest stay. A
 * file is only ever appended to, so its line numbers never shift.
 */
export interface BackgroundLog {
  readonly folder: string;
  /** The head; the place to start reading. */
  readonly headPath: string;
  /** Where the newest output is. */
  newestPath(): string;
  /** Every byte is in the head. */
  isWhole(): boolean;
  /** Why nothing more is written, as an errno. */
  failure(): string | undefined;
  /** A promise while the disk is slower than the command: the caller reads on when it resolves. */
  push(chunk: Uint8Array): Promise<void> | undefined;
  /** Writes what is pending. */
  close(): Promise<void>;
}

export interface LogLimits {
  /** Of one file. */
  readonly maxFileBytes: number;
  /** How many of the newest segments stay, besides the head. */
  readonly maxSegments: number;
}

/** More than this waits for the disk only with the command's pipe closed to further output. */
const MAX_PENDING_BYTES = 1_048_576;
const LINE_FEED = 10;

/** @throws the system's error when the head file cannot be made. */
export async function openBackgroundLog(folder: string, limits: LogLimits): Promise<BackgroundLog> {
  const pathOf = (file: number): string => join(folder, `${String(file).padStart(6, "0")}.log`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let handle: FileHandle = await open(pathOf(1), "wx", 0o600);
  let file = 1;
  let fileBytes = 0;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let failure: string | undefined;
  let writing: Promise<void> | undefined;

  const rotate = async (): Promise<void> => {
    await handle.close();
    file += 1;
    fileBytes = 0;
    handle = await open(pathOf(file), "wx", 0o600);
    const oldest = file - limits.maxSegments;
    if (oldest > 1) await rm(pathOf(oldest), { force: true });
  };
  const writeAll = async (bytes: Uint8Array): Promise<void> => {
    let rest = bytes;
    while (rest.length > 0) {
      const part = rest.subarray(0, wholeLines(rest, limits.maxFileBytes - fileBytes, fileBytes === 0));
      if (part.length > 0) await handle.appendFile(part);
      fileBytes += part.length;
      rest = rest.subarray(part.length);
      if (rest.length > 0) await rotate();
    }
  };
  const drain = async (): Promise<void> => {
    try {
      while (pending.length > 0 && failure === undefined) {
        const bytes = Buffer.concat(pending);
        pending = [];
        pendingBytes = 0;
        await writeAll(bytes);
      }
    } catch (error) {
      // The command goes on; its result says that the log ends early.
      failure = error instanceof Error && "code" in error ? String(error.code) : String(error);
      pending = [];
      pendingBytes = 0;
    }
    writing = undefined;
  };

  return {
    folder,
    headPath: pathOf(1),
    newestPath: () => pathOf(file),
    isWhole: () => file === 1 && failure === undefined,
    failure: () => failure,
    push: (chunk) => {
      if (failure !== undefined) return undefined;
      pending.push(chunk);
      pendingBytes += chunk.length;
      writing ??= drain();
      return pendingBytes > MAX_PENDING_BYTES ? writing : undefined;
    },
    close: async () => {
      await writing;
      await handle.close().catch(() => undefined);
    },
  };
}

/** How many bytes go into a file that has `room`: up to its last line end, or for a line longer than a whole file up to a character's. */
function wholeLines(bytes: Uint8Array, room: number, fileIsEmpty: boolean): number {
  if (bytes.length <= room) return bytes.length;
  const end = bytes.subarray(0, room).lastIndexOf(LINE_FEED) + 1;
  if (end > 0 || !fileIsEmpty) return end;
  let cut = room;
  while (cut > 1 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  return cut;
}
