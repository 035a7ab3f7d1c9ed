// The sessions of one load: each has a workspace and a script of its own; all share one process, pool and admission.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgent } from "../../src/agent.ts";
import type { AgentEvent } from "../../src/event.ts";
import type { Agent } from "../../src/open-agent.ts";
import type { ScriptedReply } from "../../test/helpers/scripted-model.ts";
import { type Book, noteEvent, noteProblem, noteResult } from "./book.ts";
import { pacedModel } from "./model.ts";
import { FILES_IN_WORKSPACE, notePath, noteText } from "./script.ts";

export interface LotOptions {
  /** An empty folder. */
  readonly base: string;
  readonly book: Book;
  /** Fires when no further turn is to be begun; models then think no more. */
  readonly over: AbortSignal;
}

export interface SlotOptions {
  readonly name: string;
  readonly script: () => () => ScriptedReply;
  /** Milliseconds, from and to. */
  readonly thinkMs: readonly [number, number];
  /** Tokens; small enough for checkpoints. */
  readonly contextWindow: number;
  /** After so many turns the session is closed and another one takes its place. */
  readonly turnsPerSession: number;
  /** Sees each event when it comes, before the next one. */
  readonly onEvent?: (event: AgentEvent, slot: Slot) => Promise<void> | void;
}

/** A place for one session after the other. */
export interface Slot {
  readonly root: string;
  /** Opens a session and leaves it idle. */
  open(): Promise<void>;
  /** Turns, and new sessions, until the load is over; the last session stays open. */
  work(): Promise<void>;
  close(): Promise<void>;
}

export function createSlot(options: SlotOptions, lot: LotOptions): Slot {
  const root = join(lot.base, "work", options.name);
  const dataDir = join(lot.base, "data");
  let agent: Agent | undefined;
  let sessions = 0;
  let turns = 0;

  const thinkMs = (): number => {
    const [from, to] = options.thinkMs;
    return lot.over.aborted ? 0 : from + Math.random() * (to - from);
  };

  const slot: Slot = {
    root,
    open: async () => {
      if (sessions === 0) await makeWorkspace(root);
      sessions += 1;
      // The first ones are of every age, as those of a host that has run for long.
      turns = sessions === 1 ? Math.floor(Math.random() * options.turnsPerSession) : 0;
      agent = await createAgent({
        model: pacedModel({ next: options.script(), thinkMs }),
        root,
        dataDir,
        sessionId: `${options.name}-${sessions}`,
        mode: "auto",
        contextWindow: options.contextWindow,
      });
    },
    work: async () => {
      while (!lot.over.aborted) {
        if (agent === undefined) await slot.open();
        await runTurn(agent);
        turns += 1;
        if (turns >= options.turnsPerSession && !lot.over.aborted) await slot.close();
      }
    },
    close: async () => {
      const closed = agent;
      if (closed === undefined) return;
      agent = undefined;
      await closed.close();
      await rm(join(dataDir, "sessions", closed.sessionId), { recursive: true });
      await rm(join(dataDir, "scratch", closed.sessionId), { recursive: true, force: true });
    },
  };

  const runTurn = async (current: Agent | undefined): Promise<void> => {
    if (current === undefined) return;
    try {
      const run = current.run(`Turn ${turns}: look at the notes.`);
      for await (const event of run) {
        noteEvent(lot.book, event);
        await options.onEvent?.(event, slot);
      }
      noteResult(lot.book, await run.result);
    } catch (error) {
      noteProblem(lot.book, `a run threw ${String(error)}`);
    }
  };
  return slot;
}

async function makeWorkspace(root: string): Promise<void> {
  await mkdir(join(root, "notes"), { recursive: true });
  for (let file = 0; file < FILES_IN_WORKSPACE; file += 1) await writeFile(join(root, notePath(file)), noteText(file));
}
