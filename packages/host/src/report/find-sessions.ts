// Looks for transcripts, read-only: names of files, and the first lines where a name does not tell the folder.
import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { AgentName } from "./fact.ts";
import { agentHomes, claudeFolder, geminiHash, kimiSuffix, piFolder } from "./homes.ts";
import { isRecord, recordAt, stringAt } from "./json.ts";
import type { Transcript } from "./load.ts";

export interface FoundSession extends Transcript {
  readonly modified: Date;
  /** Of all its files. */
  readonly bytes: number;
}

export interface FindOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Real path of the folder the sessions worked in; without it those of every folder. */
  readonly root?: string;
}

/** Newest first. */
export async function findSessions({ environment, root }: FindOptions): Promise<FoundSession[]> {
  const homes = agentHomes(environment);
  const found = await Promise.all([
    spillwayFiles(homes.spillway, root),
    claudeFiles(homes["claude-code"], root),
    codexFiles(homes.codex, root),
    piFiles(homes.pi, root),
    kimiFiles(homes["kimi-code"], root),
    geminiFiles(homes["gemini-cli"], root),
  ]);
  const sessions: FoundSession[] = [];
  for (const candidate of found.flat()) {
    const session = await describe(candidate);
    if (session !== undefined) sessions.push(session);
  }
  return sessions.sort((a, b) => b.modified.getTime() - a.modified.getTime() || (a.id < b.id ? -1 : 1));
}

/** The session a file is of, with the transcripts of the agents it sent out. */
export async function sessionOfFile(agent: AgentName, path: string): Promise<Transcript> {
  switch (agent) {
    case "claude-code": {
      const id = basename(path, ".jsonl");
      const agents = await list(join(dirname(path), id, "subagents"), /^agent-.*\.jsonl$/);
      return withAgents(agent, id, path, agents);
    }
    case "kimi-code": {
      if (basename(dirname(path)) !== "main") return single(agent, path);
      const folder = dirname(dirname(path));
      const names = (await namesIn(folder)).filter((name) => name !== "main");
      const files = names.map((name) => ({ path: join(folder, name, "wire.jsonl"), context: name }));
      const present = await Promise.all(files.map(async (file) => ((await isFile(file.path)) ? [file] : [])));
      return { agent, id: basename(dirname(folder)), files: [{ path, context: "main" }, ...present.flat()] };
    }
    default:
      return single(agent, path);
  }
}

function single(agent: AgentName, path: string): Transcript {
  const name = basename(path).replace(/\.jsonl?$/, "");
  const id =
    name === "journal" || name === "wire"
      ? basename(dirname(path))
      : name.replace(/^rollout-[\dT-]+?-(?=[0-9a-f]{8}-)/, "");
  return { agent, id, files: [{ path, context: "main" }] };
}

function withAgents(agent: AgentName, id: string, path: string, agents: readonly string[]): Transcript {
  const others = agents.map((file) => ({ path: file, context: basename(file).replace(/\.jsonl?$/, "") }));
  return { agent, id, files: [{ path, context: "main" }, ...others] };
}

type Candidate = { readonly agent: AgentName; readonly path: string };

async function describe({ agent, path }: Candidate): Promise<FoundSession | undefined> {
  const session = await sessionOfFile(agent, path);
  const stats = await Promise.all(session.files.map((file) => stat(file.path).catch(() => undefined)));
  const [first] = stats;
  // Gone since it was listed.
  if (first === undefined || !first.isFile()) return undefined;
  const bytes = stats.reduce((sum, one) => sum + (one?.size ?? 0), 0);
  return { ...session, modified: first.mtime, bytes };
}

async function spillwayFiles(home: string, root: string | undefined): Promise<Candidate[]> {
  const folder = join(home, "sessions");
  const paths = (await namesIn(folder)).map((id) => join(folder, id, "journal.jsonl"));
  return ofFolder("spillway", paths, root, (record) => (record.t === "session" ? stringAt(record, "root") : undefined));
}

async function claudeFiles(home: string, root: string | undefined): Promise<Candidate[]> {
  const projects = join(home, "projects");
  const folders = root === undefined ? await namesIn(projects) : [claudeFolder(root)];
  const paths = await Promise.all(folders.map((name) => list(join(projects, name), /\.jsonl$/)));
  // Before they had a folder of their own, agents that were sent out had files beside it.
  return paths
    .flat()
    .filter((path) => !basename(path).startsWith("agent-"))
    .map((path) => ({ agent: "claude-code", path }));
}

async function codexFiles(home: string, root: string | undefined): Promise<Candidate[]> {
  const paths: string[] = [];
  const sessions = join(home, "sessions");
  for (const year of await namesIn(sessions)) {
    for (const month of await namesIn(join(sessions, year))) {
      for (const day of await namesIn(join(sessions, year, month))) {
        paths.push(...(await list(join(sessions, year, month, day), /^rollout-.*\.jsonl$/)));
      }
    }
  }
  return ofFolder("codex", paths, root, (record) => stringAt(recordAt(record, "payload"), "cwd"));
}

async function piFiles(home: string, root: string | undefined): Promise<Candidate[]> {
  const sessions = join(home, "sessions");
  const folders = root === undefined ? await namesIn(sessions) : [piFolder(root)];
  const paths = await Promise.all(folders.map((name) => list(join(sessions, name), /\.jsonl$/)));
  return paths.flat().map((path) => ({ agent: "pi", path }));
}

async function kimiFiles(home: string, root: string | undefined): Promise<Candidate[]> {
  const sessions = join(home, "sessions");
  const folders = (await namesIn(sessions)).filter((name) => root === undefined || name.endsWith(kimiSuffix(root)));
  const paths = await Promise.all(
    folders.map(async (folder) =>
      (await namesIn(join(sessions, folder))).map((id) => join(sessions, folder, id, "agents", "main", "wire.jsonl")),
    ),
  );
  return paths.flat().map((path) => ({ agent: "kimi-code", path }));
}

async function geminiFiles(home: string, root: string | undefined): Promise<Candidate[]> {
  const folders = root === undefined ? await namesIn(join(home, "tmp")) : await geminiFolders(home, root);
  const paths = await Promise.all(
    folders.map((name) => list(join(home, "tmp", name, "chats"), /^session-.*\.jsonl?$/)),
  );
  return paths.flat().map((path) => ({ agent: "gemini-cli", path }));
}

async function geminiFolders(home: string, root: string): Promise<string[]> {
  try {
    const known: unknown = JSON.parse(await readFile(join(home, "projects.json"), "utf8"));
    const name = isRecord(known) ? stringAt(recordAt(known, "projects"), root) : undefined;
    return [...new Set([geminiHash(root), ...(name === undefined ? [] : [basename(name)])])];
  } catch {
    // Without the list, or with a damaged one, there is the older name.
    return [geminiHash(root)];
  }
}

const LOOK_AT_ONCE = 16;

/** Those whose first lines name the folder. */
async function ofFolder(
  agent: AgentName,
  paths: readonly string[],
  root: string | undefined,
  folderOf: (record: Readonly<Record<string, unknown>>) => string | undefined,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (let at = 0; at < paths.length; at += LOOK_AT_ONCE) {
    const some = await Promise.all(
      paths.slice(at, at + LOOK_AT_ONCE).map(async (path) => {
        const isOf = root === undefined || (await firstFolder(path, folderOf)) === root;
        return isOf ? [{ agent, path }] : [];
      }),
    );
    found.push(...some.flat());
  }
  return found;
}

const HEAD_BYTES = 64 * 1024;
/** Of a first line that is longer than the head. */
const CWD = /"(?:cwd|root)":"((?:[^"\\]|\\.)*)"/;

async function firstFolder(
  path: string,
  folderOf: (record: Readonly<Record<string, unknown>>) => string | undefined,
): Promise<string | undefined> {
  const head = await readHead(path);
  for (const line of head.split("\n").slice(0, 8)) {
    const folder = folderOf(parseLine(line));
    if (folder !== undefined) return folder;
  }
  const match = CWD.exec(head);
  return match === null ? undefined : String(recordAt({ found: parseLine(`{"path":"${match[1]}"}`) }, "found").path);
}

async function readHead(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    // Not there, or not for us.
    return "";
  }
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    // Damaged, or cut by the end of the head.
    return {};
  }
}

async function namesIn(folder: string): Promise<string[]> {
  // No such folder: the agent is not here.
  return (await readdir(folder).catch(() => [])).sort();
}

async function list(folder: string, pattern: RegExp): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => pattern.test(name)).map((name) => join(folder, name));
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
