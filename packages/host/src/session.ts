import { randomBytes } from "node:crypto";
import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildContext, type Checkpoint, type Journal, type ModelMessage, openJournal } from "@spillway/checkpoint";
import { HostError } from "./error.ts";
import type { AgentEvent } from "./event.ts";
import { type HostFact, parseHostFact } from "./host-fact.ts";
import { createTranscript, type Transcript } from "./transcript.ts";

/** One conversation: its journal on disk and what the journal adds up to. */
export interface Session {
  readonly id: string;
  /** The workspace it was begun in. */
  readonly root: string;
  readonly transcript: Transcript;
  /** What opening the journal found broken, to be told once. */
  readonly warnings: readonly AgentEvent[];
  /** Resolves once the fact is on the disk; only then does the transcript know it. Gives the fact's id. */
  append(fact: HostFact): Promise<string>;
  appendCheckpoint(checkpoint: Checkpoint): Promise<string>;
  /** What the next request sees. */
  messages(): ModelMessage[];
  /** Gives the session back. One in which nothing was ever said leaves nothing behind. */
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly dataDir: string;
  readonly root: string;
  /** Default: a new one. */
  readonly sessionId?: string;
}

const SESSION_ID = /^[A-Za-z0-9_-]{1,64}$/;

export function sessionFolder(dataDir: string, sessionId: string): string {
  if (!SESSION_ID.test(sessionId)) {
    throw new HostError("CONFIG_INVALID", `Invalid session id "${sessionId}"`, {
      next: 'use 1 to 64 letters, digits, "-" and "_"',
    });
  }
  return join(dataDir, "sessions", sessionId);
}

/** Date and time first, so that names sort by age. */
export function newSessionId(now: Date = new Date()): string {
  const digits = now.toISOString().replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${randomBytes(3).toString("hex")}`;
}

/** @throws CheckpointError SESSION_LOCKED when another process has it, JOURNAL_UNREADABLE for a file that is no journal. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const id = options.sessionId ?? newSessionId();
  const journal = await openJournal(join(sessionFolder(options.dataDir, id), "journal.jsonl"));
  try {
    return await loadSession(id, journal, options.root);
  } catch (error) {
    await journal.close();
    throw error;
  }
}

async function loadSession(id: string, journal: Journal, currentRoot: string): Promise<Session> {
  const transcript = createTranscript();
  const facts = await journal.entries();
  const checkpoints = new Map((await journal.checkpoints()).map((checkpoint) => [checkpoint.id, checkpoint]));
  let root: string | undefined;
  for (const fact of facts) {
    const parsed = parseHostFact(fact);
    if (parsed?.t === "session") root ??= parsed.root;
    const checkpoint = checkpoints.get(fact.id);
    if (checkpoint === undefined) transcript.add(fact);
    else transcript.setCheckpoint(checkpoint);
  }
  let isUnused = journal.recovery === undefined && facts.every(({ t }) => t === "session");
  if (root === undefined) await journal.append({ t: "session", root: currentRoot } satisfies HostFact);
  return {
    id,
    root: root ?? currentRoot,
    transcript,
    warnings: [...recoveryWarnings(journal), ...rootWarnings(root, currentRoot)],
    append: async (fact) => {
      isUnused = false;
      const stored = await journal.append(fact);
      transcript.add(stored);
      return stored.id;
    },
    appendCheckpoint: async (checkpoint) => {
      isUnused = false;
      const stored = await journal.append({ t: "checkpoint", ...checkpoint });
      transcript.setCheckpoint(checkpoint);
      return stored.id;
    },
    messages: () => buildContext(transcript.entries, transcript.checkpoint),
    close: async () => {
      // Before the lock is given back: nobody else can have written to it.
      if (isUnused) await rm(journal.file, { force: true }).catch(() => undefined);
      await journal.close();
      // Stays when it holds anything else, like the lock of whoever opened it just now.
      if (isUnused) await rmdir(dirname(journal.file)).catch(() => undefined);
    },
  };
}

function recoveryWarnings({ file, recovery }: Journal): AgentEvent[] {
  if (recovery === undefined) return [];
  const { torn, damaged, totalDamaged } = recovery;
  const told: string[] = [];
  if (torn !== undefined) told.push(`a last line cut short by a crash was moved to "${torn.savedTo}"`);
  if (totalDamaged > 0) {
    const lines = damaged.map(({ line }) => line).slice(0, 10);
    told.push(
      `${totalDamaged} damaged lines are left out (${lines.join(", ")}${totalDamaged > lines.length ? ", …" : ""})`,
    );
  }
  return [
    { type: "warning", code: "JOURNAL_RECOVERED", message: `The journal "${file}" was damaged: ${told.join("; ")}` },
  ];
}

function rootWarnings(root: string | undefined, currentRoot: string): AgentEvent[] {
  if (root === undefined || root === currentRoot) return [];
  const message = `The session was begun in "${root}" and goes on in "${currentRoot}"`;
  return [{ type: "warning", code: "ROOT_CHANGED", message }];
}
