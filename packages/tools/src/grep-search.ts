// Runs the first half of a Grep on the pool's threads.
import { once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { isToolError, ToolError } from "./error.ts";
import type { LocateRequest } from "./path.ts";
import { createNewest } from "./search/newest.ts";
import { createProgressMemory, type InHand, readProgress } from "./search/progress.ts";
import { runShared } from "./search/run-shared.ts";
import { createSharedWork } from "./search/shared-work.ts";
import type { ToolEnv } from "./tool.ts";
import { createLane, type Lane } from "./worker/lanes.ts";
import type { FoundFile, SearchFilesInput, SearchFilesOutput } from "./worker/search-files.ts";

export type SearchRequest = Omit<SearchFilesInput, "request" | "work" | "report">;

export interface Searched {
  /** Of each thread that took part. */
  readonly outputs: readonly SearchFilesOutput[];
  /** The file in which the search was stopped for its time. */
  readonly stuckIn?: string;
}

/** How long a pattern that backtracks may keep a thread busy. */
const TIME_LIMIT_MS = 10_000;

/** @throws ToolError those of the `searchFiles` job, PATTERN_TIMEOUT. */
export async function searchFiles(search: SearchRequest, request: LocateRequest, env: ToolEnv): Promise<Searched> {
  if (mayBacktrack(search.pattern.pattern) && !search.pattern.literal) return searchWithin(search, request, env);
  const { workers } = env.session;
  const outputs = await runShared<SearchFilesOutput>(env, (work, signal) =>
    workers.run("searchFiles", { ...search, request, work }, { signal, lane: "long" }),
  );
  return { outputs };
}

/** Look-around and back references; true for some harmless patterns as well. */
function mayBacktrack(pattern: string): boolean {
  return /\(\?<?[=!]|\(\?P=|\\[1-9k]/.test(pattern);
}

let limited: Lane | undefined;

/** One thread that is ended after a while; what it had found until then counts. Few of these run at once, or they would take all threads. */
async function searchWithin(search: SearchRequest, request: LocateRequest, env: ToolEnv): Promise<Searched> {
  const { workers } = env.session;
  limited ??= createLane(Math.max(1, workers.threads), TIME_LIMIT_MS * 2);
  const leave = await limited.enter(env.signal);
  const { port1, port2 } = new MessageChannel();
  const progress = createProgressMemory();
  const newest = createNewest<FoundFile>(search.needed);
  port1.on("message", newest.add);
  const input = { ...search, request, work: createSharedWork(), report: { port: port2, progress } };
  try {
    const options = { signal: env.signal, lane: "long", deadlineMs: TIME_LIMIT_MS, transfer: [port2] } as const;
    return { outputs: [await workers.run("searchFiles", input, options)] };
  } catch (error) {
    if (!isToolError(error) || error.details?.reason !== "deadline") throw error;
    await once(port1, "close");
    const inHand = readProgress(progress);
    if (inHand !== undefined && inHand.count > 0) newest.add(partOf(inHand, search.mode));
    if (newest.entries.length === 0) throw timedOut(search.pattern.pattern, inHand?.path, request.path);
    const located = await workers.run("locate", request, { signal: env.signal });
    const seen = { unreadable: 0, ignored: 0, searched: 1, secrets: 0, tooLarge: 0, binary: false };
    const stuckIn = inHand === undefined ? "" : inHand.path || located.path;
    return { outputs: [{ joined: true, located, files: newest.entries, seen }], stuckIn };
  } finally {
    port1.close();
    leave();
  }
}

/** What was found in the file that the search got stuck in. */
function partOf({ path, mtimeMs, count }: InHand, mode: SearchRequest["mode"]): FoundFile {
  return { path, mtimeMs, count, weight: mode === "matches" ? count : 1 };
}

function timedOut(pattern: string, path: string | undefined, root: string): ToolError {
  const where = path === undefined ? "" : ` in "${path === "" ? root : path}"`;
  const seconds = TIME_LIMIT_MS / 1000;
  return new ToolError("PATTERN_TIMEOUT", `The search for "${pattern}" was stopped after ${seconds} s${where}`, {
    next: "leave out look-around and back references (without them no pattern takes long), or narrow path",
    details: { pattern, ...(path !== undefined && { path: path === "" ? root : path }) },
  });
}
