// The sessions in a data folder, seen from outside: nothing here holds one open longer than it looks at it.
import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isCheckpointError, openJournal } from "@spillway/checkpoint";
import { HostError } from "./error.ts";
import { sessionFolder } from "./session.ts";

export interface SessionSummary {
  readonly id: string;
  /** The folder it works in, if its first lines can be read. */
  readonly root?: string;
  /** The first prompt, shortened. */
  readonly prompt?: string;
  readonly modified: Date;
  /** Of the journal. */
  readonly bytes: number;
}

/** Newest first. A folder without a journal is none. */
export async function listSessions(dataDir: string): Promise<SessionSummary[]> {
  const names = await readdir(join(dataDir, "sessions")).catch(() => []);
  const found: SessionSummary[] = [];
  // A process may have only so many files open at once.
  for (let at = 0; at < names.length; at += OPEN_AT_ONCE) {
    const some = await Promise.all(names.slice(at, at + OPEN_AT_ONCE).map((id) => summarize(dataDir, id)));
    found.push(...some.filter((session) => session !== undefined));
  }
  return found.sort((a, b) => b.modified.getTime() - a.modified.getTime() || (a.id < b.id ? 1 : -1));
}

const OPEN_AT_ONCE = 32;

/** The named session, or the newest. @throws HostError SESSION_NOT_FOUND */
export async function findSession(dataDir: string, id: string | undefined): Promise<SessionSummary> {
  if (id !== undefined) {
    const folder = sessionFolder(dataDir, id);
    const found = await summarize(dataDir, id);
    if (found !== undefined) return found;
    throw new HostError("SESSION_NOT_FOUND", `There is no session "${id}" ("${folder}")`, {
      next: '"spillway sessions" lists them',
    });
  }
  const [newest] = await listSessions(dataDir);
  if (newest !== undefined) return newest;
  throw new HostError("SESSION_NOT_FOUND", `There is no session in "${dataDir}"`, {
    next: 'begin one with "spillway run"',
  });
}

/** Removes a session with what its commands saved. False when another process has it open. */
export async function removeSession(dataDir: string, id: string): Promise<boolean> {
  const folder = sessionFolder(dataDir, id);
  try {
    // Having it for a moment proves that nobody else has it.
    await (await openJournal(join(folder, "journal.jsonl"))).close();
  } catch (error) {
    if (isCheckpointError(error) && error.code === "SESSION_LOCKED") return false;
    // A journal that cannot be read is no reason to keep it.
  }
  await rm(join(dataDir, "scratch", id), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  return true;
}

const HEAD_BYTES = 64 * 1024;
const PROMPT_CHARS = 200;

async function summarize(dataDir: string, id: string): Promise<SessionSummary | undefined> {
  const file = join(dataDir, "sessions", id, "journal.jsonl");
  try {
    const { size, mtime } = await stat(file);
    return { id, modified: mtime, bytes: size, ...(await firstFacts(file)) };
  } catch {
    // No journal, or none that we may read: nothing to list.
    return undefined;
  }
}

async function firstFacts(file: string): Promise<{ root?: string; prompt?: string }> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const facts = buffer.toString("utf8", 0, bytesRead).split("\n").map(parseLine);
    const root = facts.find(({ t }) => t === "session")?.root;
    const text = Reflect.get(Object(facts.find(({ t }) => t === "user")?.message), "content");
    return {
      ...(typeof root === "string" ? { root } : {}),
      ...(typeof text === "string" ? { prompt: text.slice(0, PROMPT_CHARS) } : {}),
    };
  } finally {
    await handle.close();
  }
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    // A damaged line, or one cut by the end of what was read.
    return {};
  }
}
