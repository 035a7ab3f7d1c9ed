import { statSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Limits } from "@spillway/limits";
import { claimSession, releaseSession } from "./shell/session-owner.ts";

export { sweepDeadSessions } from "./shell/session-sweep.ts";

export interface SpillStore {
  /** `<scratch>/tool-output`; made with the first spill. */
  readonly directory: string;
  /**
   * Writes the fuller copy of one output and gives its absolute path, or undefined when it could not be written whole: a
   * spill that fails costs only the hint. Parts beyond `spillMaxBytes` are not written.
   */
  save(label: string, bytes: Uint8Array | readonly Uint8Array[]): Promise<string | undefined>;
  /** The session has ended: its folder may be swept some day. */
  close(): Promise<void>;
}

export interface SpillOptions {
  readonly dataDir: string;
  readonly sessionId: string;
  readonly limits: Pick<Limits, "spillMaxBytes">;
}

/** The file operations of a spill; tests put failing ones in their place. */
export interface SpillFiles {
  makeFolder(path: string): Promise<unknown>;
  /** Creates the file (it must not exist) and writes it to its end. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  remove(path: string): Promise<unknown>;
}

const FILES: SpillFiles = {
  makeFolder: (path) => mkdir(path, { recursive: true, mode: 0o700 }),
  write: async (path, bytes) => {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
  },
  remove: (path) => rm(path, { force: true }),
};

/** The session's place for output that is longer than a result may be: `<dataDir>/scratch/<sessionId>/tool-output`. */
export function createSpillStore(options: SpillOptions, files: SpillFiles = FILES): SpillStore {
  const { dataDir, sessionId, limits } = options;
  const session = join(dataDir, "scratch", sessionId);
  const directory = join(session, "tool-output");
  let sequence = 0;
  // A folder that an earlier run of this session left must not be swept from under this one.
  let claimed = isFolder(session) ? claimSession(session) : false;

  return {
    directory,
    save: async (label, bytes) => {
      sequence += 1;
      const path = join(directory, `${label}-${Date.now()}-${sequence}.log`);
      try {
        await files.makeFolder(directory);
        if (!claimed) claimed = claimSession(session);
        await files.write(path, firstBytes(bytes, limits.spillMaxBytes));
        return path;
      } catch {
        // What is lost is the fuller copy; half of one would be worse than none.
        await files.remove(path).catch(() => undefined);
        return undefined;
      }
    },
    close: () => releaseSession(session),
  };
}

function firstBytes(bytes: Uint8Array | readonly Uint8Array[], maxBytes: number): Uint8Array {
  const whole = bytes instanceof Uint8Array ? bytes : Buffer.concat(bytes);
  return whole.length <= maxBytes ? whole : whole.subarray(0, maxBytes);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // A file in the way, or no right to look: there is no folder to keep.
    return false;
  }
}
