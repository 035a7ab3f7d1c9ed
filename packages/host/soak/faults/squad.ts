// The sessions that meet a fault: they run, they end in whatever way, they are opened again and come to their end.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { LanguageModel } from "ai";
import { createAgent } from "../../src/agent.ts";
import type { Agent } from "../../src/open-agent.ts";
import { pacedModel } from "../load/model.ts";
import { createLedger, enter, type Ledger } from "./ledger.ts";
import type { Stage } from "./stage.ts";
import { PROMPT, replyTo, summaryOf } from "./steps.ts";

export interface Squad {
  readonly ledgers: readonly Ledger[];
  /** Resolves once half of the sessions are in the middle of their steps. */
  underWay(): Promise<void>;
  /** Resolves once a request had to be sent again, or every run has ended. */
  retried(): Promise<void>;
  /** Resolves once every run has ended. */
  ended(): Promise<void>;
  /** What closing them threw, in words. */
  close(): Promise<readonly string[]>;
}

/** Results that a session has when it is in the middle. */
const MIDDLE = 4;
/** Small enough for a checkpoint on the way. */
const CONTEXT_WINDOW = 24_000;

export function sessionId(session: number): string {
  return `s${session}`;
}

export function workspaceOf(stage: Stage, session: number): string {
  return join(stage.work, sessionId(session));
}

export async function makeWorkspaces(stage: Stage, sessions: number): Promise<void> {
  for (let session = 0; session < sessions; session += 1) {
    const root = workspaceOf(stage, session);
    await mkdir(root, { recursive: true });
    await writeFile(join(root, "note.txt"), "one\ntwo\nthree\n");
  }
}

export async function startSquad(
  stage: Stage,
  sessions: number,
  modelFor: (session: number) => LanguageModel = () => steppingModel(stage),
): Promise<Squad> {
  const numbers = Array.from({ length: sessions }, (_, session) => session);
  const agents = await Promise.all(numbers.map((session) => openSession(stage, session, modelFor)));
  const ledgers = agents.map(createLedger);
  const inTheMiddle = ({ results, ending }: Ledger): boolean => results.size >= MIDDLE || ending !== undefined;
  const middle = untilTrue(() => ledgers.filter(inTheMiddle).length * 2 >= sessions);
  const retried = untilTrue(() => ledgers.some(({ warnings }) => warnings.includes("MODEL_RETRY")));
  const look = (): void => {
    middle.look();
    retried.look();
  };
  const runs = agents.map((agent, session) => follow(agent, ledgers[session] ?? createLedger(), stage, look));
  const ended = Promise.all(runs).then(() => undefined);
  return {
    ledgers,
    underWay: () => middle.met,
    retried: () => Promise.race([retried.met, ended]),
    ended: () => ended,
    close: () => closeAll(agents),
  };
}

/** Opens each session again and lets it go on to its end; what it came to, by session. */
export async function resumeAll(stage: Stage, sessions: number): Promise<{ ledgers: Ledger[]; problems: string[] }> {
  const ledgers = Array.from({ length: sessions }, createLedger);
  const problems: string[] = [];
  const resume = async (ledger: Ledger, session: number): Promise<void> => {
    try {
      const agent = await openSession(stage, session, () => steppingModel(stage));
      for await (const event of agent.resume({ signal: stage.signal })) enter(ledger, event);
      problems.push(...(await closeAll([agent])));
    } catch (error) {
      problems.push(`${sessionId(session)} could not be resumed: ${String(error)}`);
    }
  };
  await Promise.all(ledgers.map(resume));
  return { ledgers, problems };
}

async function openSession(
  stage: Stage,
  session: number,
  modelFor: (session: number) => LanguageModel,
): Promise<Agent> {
  const { dataDir } = stage;
  const root = workspaceOf(stage, session);
  const model = modelFor(session);
  return createAgent({
    model,
    root,
    dataDir,
    sessionId: sessionId(session),
    mode: "auto",
    contextWindow: CONTEXT_WINDOW,
  });
}

async function follow(agent: Agent, ledger: Ledger, stage: Stage, look: () => void): Promise<void> {
  for await (const event of agent.run(PROMPT, { signal: stage.signal })) {
    enter(ledger, event);
    look();
  }
}

/** `met` resolves with the first look at which the condition holds. */
function untilTrue(condition: () => boolean): { readonly met: Promise<void>; look(): void } {
  let resolve = (): void => undefined;
  const met = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { met, look: () => (condition() ? resolve() : undefined) };
}

async function closeAll(agents: readonly Agent[]): Promise<string[]> {
  const closed = await Promise.allSettled(agents.map((agent) => agent.close()));
  return closed.flatMap((end) => (end.status === "rejected" ? [`a session could not be closed: ${end.reason}`] : []));
}

const THINK_MS = 30;

/** Takes the steps at a pace that lets a fault come in between. */
function steppingModel({ steps }: Stage): LanguageModelV3 {
  return pacedModel({
    next: (prompt) => replyTo(prompt, steps),
    summarize: (prompt) => ({ text: summaryOf(prompt) }),
    thinkMs: () => THINK_MS,
  });
}
