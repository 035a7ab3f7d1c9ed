import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createToolbox, type Toolbox } from "@spillway/tools";
import { afterAll, beforeAll } from "vitest";
import { type AgentOptions, createAgent } from "../../src/agent.ts";
import type { AgentEvent, RunResult } from "../../src/event.ts";
import type { Agent } from "../../src/open-agent.ts";
import type { AgentRun } from "../../src/run.ts";

let keeper: Promise<Toolbox> | undefined;

/** Keeps one worker pool alive for a whole test file, as a process with several sessions does. */
export function keepWorkers(): void {
  beforeAll(() => {
    keeper = createToolbox({ root: tmpdir() });
    return keeper.then(() => undefined);
  });
  afterAll(async () => (await keeper)?.close({ remove: true }));
}

/** A workspace and a data folder of their own, removed with `remove`. */
export interface TestHost {
  readonly root: string;
  readonly dataDir: string;
  path(name: string): string;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  agent(options: Omit<AgentOptions, "root" | "dataDir">): Promise<Agent>;
  /** The facts of a session's journal. */
  facts(sessionId: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
}

export async function createTestHost(files: Readonly<Record<string, string>> = {}): Promise<TestHost> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "spillway-host-")));
  const root = join(base, "work");
  const dataDir = join(base, "data");
  const agents: Agent[] = [];
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  };
  await mkdir(root);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return {
    root,
    dataDir,
    path: (name) => join(root, name),
    write,
    read: (name) => readFile(join(root, name), "utf8"),
    agent: async (options) => {
      const agent = await createAgent({ ...options, root, dataDir });
      agents.push(agent);
      return agent;
    },
    facts: async (sessionId) => {
      const text = await readFile(join(dataDir, "sessions", sessionId, "journal.jsonl"), "utf8");
      return text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    },
    remove: async () => {
      await Promise.all(agents.map((agent) => agent.close()));
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** All events of a run and its result. */
export async function collect(run: AgentRun): Promise<{ events: AgentEvent[]; result: RunResult }> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return { events, result: await run.result };
}

export function eventsOf<Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}
