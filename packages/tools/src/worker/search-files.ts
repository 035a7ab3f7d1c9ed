// The first half of a Grep, one thread's share: walks, counts matches and keeps the newest files that have some.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { errnoOf, fromErrno } from "../errno.ts";
import { notFile } from "../open-file.ts";
import { contains, type Located, type LocateRequest, locate, sensitive } from "../path.ts";
import type { PatternRequest } from "../pattern.ts";
import { type CountOptions, countHits, type FileHits, type NoHits } from "../search/count-hits.ts";
import { createFileFilter, isBinaryName } from "../search/file-filter.ts";
import { compareDated, createNewest, type Dated } from "../search/newest.ts";
import { openProgress } from "../search/progress.ts";
import { createSearcher } from "../search/searcher.ts";
import { holdsSecrets } from "../search/secret-files.ts";
import { openSharedWork, type SharedWork, type WorkItem } from "../search/shared-work.ts";
import { createWalk, type WalkCounts } from "../walk.ts";
import type { JobContext } from "./jobs.ts";
import { chunks } from "./list-files.ts";

export interface SearchFilesInput {
  readonly request: LocateRequest;
  readonly pattern: PatternRequest;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** What `needed` counts, and how far matches of one file are counted: all of them for `counts`. */
  readonly mode: "matches" | "files" | "counts";
  /** How many of the newest matches (files) are wanted. */
  readonly needed: number;
  /** Of `createSharedWork`. */
  readonly work: SharedArrayBuffer;
  /** For a search that may get stuck: where it tells what it has found (a `FoundFile` each) and what it is at. */
  readonly report?: { readonly port: MessagePort; readonly progress: SharedArrayBuffer };
}

export interface FoundFile extends Dated {
  /** Matching lines, counted up to what is needed. */
  readonly count: number;
}

export interface SearchFilesOutput {
  /** False: the search was over before this thread came. */
  readonly joined: boolean;
  readonly located: Located;
  /** Newest first; `path` is relative to the located folder, empty for a located file. */
  readonly files: readonly FoundFile[];
  readonly seen: SearchCounts;
}

export interface SearchCounts extends WalkCounts {
  /** Files left out because they may hold secrets. */
  secrets: number;
  /** Files left out because they are too large to be searched across their lines. */
  tooLarge: number;
  /** Whether the one file that was named is binary. */
  binary: boolean;
}

/** Files that wait to be searched newest first. */
const MAX_WAITING = 2048;

/** @throws ToolError those of `locate`, PATH_NOT_FILE, SENSITIVE_PATH, INVALID_PATTERN. */
export function searchFilesJob(input: SearchFilesInput, context: JobContext): SearchFilesOutput {
  const located = locate(input.request);
  const { mode, needed, report } = input;
  const searcher = createSearcher(input.pattern, context.throwIfCancelled);
  const options: CountOptions = {
    max: mode === "files" ? 1 : mode === "counts" ? Number.MAX_SAFE_INTEGER : needed,
    progress: report && openProgress(report.progress),
    context,
  };
  const count = (path: string): FileHits | NoHits => countHits(join(located.absolute, path), path, searcher, options);
  const shared = openSharedWork(input.work, context);
  const newest = createNewest<FoundFile>(needed);
  const add = (path: string, hits: FileHits): void => {
    const file = { path, ...hits, weight: mode === "matches" ? hits.count : 1 };
    newest.add(file);
    report?.port.postMessage(file);
    const floor = newest.floor();
    if (floor > shared.floor()) shared.raiseFloor(floor);
  };
  const search: Search = { input, located, shared, count, add, context };
  if (located.kind === "directory") return { located, ...searchFolder(search), files: newest.entries };
  if (located.kind === "file") return { located, ...searchFile(search), files: newest.entries };
  throw notFile(located.path, located.kind);
}

interface Search {
  readonly input: SearchFilesInput;
  readonly located: Located;
  readonly shared: SharedWork;
  readonly count: (path: string) => FileHits | NoHits;
  readonly add: (path: string, hits: FileHits) => void;
  readonly context: JobContext;
}

function searchFolder({
  input,
  located,
  shared,
  count,
  add,
  context,
}: Search): Pick<SearchFilesOutput, "joined" | "seen"> {
  const { workspace, secrets } = input.request.policy;
  const root = located.absolute;
  const filter = createFileFilter({ ...input, secrets, root });
  const walk = createWalk({ root, base: contains(workspace, root) ? workspace : root, enters: filter.enters });
  const seen: SearchCounts = Object.assign(walk.seen, { secrets: 0, tooLarge: 0, binary: false });
  let waiting: { path: string; mtimeMs: number }[] = [];

  const search = (path: string): void => {
    try {
      if (secrets === "refuse" && holdsSecrets(join(root, path), context)) {
        seen.secrets += 1;
        return;
      }
      const hits = count(path);
      if (hits === "too large") seen.tooLarge += 1;
      if (typeof hits !== "string") add(path, hits);
    } catch (error) {
      noteFailure(error, seen);
    }
  };
  const searchWaiting = (): void => {
    const sorted = waiting.sort(compareDated);
    waiting = [];
    for (const { path, mtimeMs } of sorted) {
      context.throwIfCancelled();
      if (mtimeMs < shared.floor()) break;
      search(path);
    }
  };
  /** Once enough was found, only files that are not older than what was found are searched, newest first. */
  const wait = (path: string): void => {
    const mtimeMs = mtimeOf(join(root, path));
    if (mtimeMs === undefined || mtimeMs < shared.floor()) return;
    waiting.push({ path, mtimeMs });
    if (waiting.length >= MAX_WAITING) searchWaiting();
  };
  const joined = shared.drain({ path: "", rules: "unknown" }, (item: WorkItem): readonly WorkItem[] => {
    const listing = item.names === undefined ? walk.list(item) : { files: item.names, folders: [] };
    if (listing === undefined) return [];
    const pieces = item.names === undefined ? chunks(item, listing.files) : [];
    if (pieces.length > 0) return [...listing.folders, ...pieces];
    for (const name of listing.files) {
      const taken = filter.takes(item.path, name);
      if (taken === "secret") seen.secrets += 1;
      if (taken !== "yes") continue;
      context.throwIfCancelled();
      if (shared.floor() === Number.NEGATIVE_INFINITY) search(item.path + name);
      else wait(item.path + name);
    }
    return listing.folders;
  });
  searchWaiting();
  return { joined, seen };
}

/** A file that was named is searched whatever the rules say. */
function searchFile({
  input,
  located,
  shared,
  count,
  add,
  context,
}: Search): Pick<SearchFilesOutput, "joined" | "seen"> {
  const { request } = input;
  const seen: SearchCounts = { unreadable: 0, ignored: 0, secrets: 0, tooLarge: 0, binary: false };
  const joined = shared.drain({ path: "", rules: "unknown" }, () => {
    try {
      if (request.policy.secrets === "refuse" && holdsSecrets(located.absolute, context))
        throw sensitive(request.path, located.absolute);
      const hits = isBinaryName(located.absolute) ? "binary" : count("");
      if (hits === "binary") seen.binary = true;
      else if (hits === "too large") seen.tooLarge += 1;
      else if (hits !== "none") add("", hits);
      return [];
    } catch (error) {
      throw fromErrno(error, request.path);
    }
  });
  return { joined, seen };
}

function mtimeOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    // Its folder went away or is locked: opening the file would fail as well.
    return undefined;
  }
}

/** What went away meanwhile is not missed; everything else is counted. */
function noteFailure(error: unknown, seen: WalkCounts): void {
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  if (errno !== "ENOENT" && errno !== "ENOTDIR" && errno !== "ELOOP") seen.unreadable += 1;
}
