// The first half of a Grep, one thread's share: walks, counts matches and keeps the newest files that have some.
import { lstatSync } from "node:fs";
import type { MessagePort } from "node:worker_threads";
import { errnoOf, fromErrno } from "../errno.ts";
import { notFile } from "../open-file.ts";
import { contains, type Located, type LocateRequest, locate, sensitive } from "../path.ts";
import type { PatternRequest } from "../pattern.ts";
import { type CountOptions, countHits, countSegment, type FileHits } from "../search/count-hits.ts";
import { createFileFilter, isBinaryName } from "../search/file-filter.ts";
import { compareDated, createNewest, type Dated } from "../search/newest.ts";
import { openProgress } from "../search/progress.ts";
import { createSearcher } from "../search/searcher.ts";
import { holdsSecrets } from "../search/secret-files.ts";
import type { Segment } from "../search/segments.ts";
import { openSharedWork, type SharedWork, type WorkItem } from "../search/shared-work.ts";
import { createWalk, folderPrefix, isUndecodable, type WalkCounts } from "../walk.ts";
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

/** A file with matches; a large one may come in several pieces. */
export interface FoundFile extends Dated {
  /** Matching lines, counted up to what is needed. */
  readonly count: number;
  /** No line of the piece matches in front of this byte of the file; absent where that is not known. */
  readonly firstAt?: number;
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
  /** Files that the filters let through. */
  searched: number;
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
    // What gets stuck must be known by its file.
    splits: report === undefined,
    progress: report && openProgress(report.progress),
    context,
  };
  const shared = openSharedWork(input.work, context);
  const newest = createNewest<FoundFile>(needed);
  const inRoot = folderPrefix(located.absolute);
  const absolute = (path: string): string => (path === "" ? located.absolute : inRoot + path);
  const add = (path: string, hits: FileHits, weight: number): void => {
    const file = { path, ...hits, weight: mode === "matches" ? hits.count : weight };
    newest.add(file);
    report?.port.postMessage(file);
    const floor = newest.floor();
    if (floor > shared.floor()) shared.raiseFloor(floor);
  };
  const seen: SearchCounts = { unreadable: 0, ignored: 0, searched: 0, secrets: 0, tooLarge: 0, binary: false };
  /** Searches one file; gives what is left to do of it. */
  const search = (path: string): readonly WorkItem[] => {
    if (input.request.policy.secrets === "refuse" && holdsSecrets(absolute(path), context)) {
      if (path === "") throw sensitive(input.request.path, located.absolute);
      seen.secrets += 1;
      return [];
    }
    const hits = countHits(absolute(path), path, searcher, options);
    if (hits === "too large") seen.tooLarge += 1;
    else if (hits === "binary") seen.binary = path === "";
    else if (hits !== "none" && "segments" in hits) {
      // The last item is taken first.
      return hits.segments.map((segment): WorkItem => ({ path, rules: "unknown", segment })).reverse();
    } else if (hits !== "none") add(path, hits, 1);
    return [];
  };
  const searchSegment = (path: string, segment: Segment): void => {
    const [start, , mtimeMs] = segment;
    if (searcher.multiline || mtimeMs < shared.floor() || start > (fullFrom.get(path) ?? start)) return;
    const hits = countSegment(absolute(path), segment, searcher, options);
    if (hits === "none") return;
    // The pieces of one file weigh as much as one file where files are counted.
    add(path, hits, start === 0 ? 1 : 0);
    if (hits.count >= options.max) fullFrom.set(path, start);
  };
  /** Where a piece with enough matches begins: what lies behind it in the file is not needed. */
  const fullFrom = new Map<string, number>();
  const task: Search = { input, located, shared, seen, search, searchSegment, context };
  if (located.kind === "directory") return { located, joined: searchFolder(task), files: newest.entries, seen };
  if (located.kind === "file") return { located, joined: searchFile(task), files: newest.entries, seen };
  throw notFile(located.path, located.kind);
}

interface Search {
  readonly input: SearchFilesInput;
  readonly located: Located;
  readonly shared: SharedWork;
  readonly seen: SearchCounts;
  readonly search: (path: string) => readonly WorkItem[];
  readonly searchSegment: (path: string, segment: Segment) => void;
  readonly context: JobContext;
}

function searchFolder({ input, located, shared, seen, search, searchSegment, context }: Search): boolean {
  const { workspace, secrets } = input.request.policy;
  const root = located.absolute;
  const inRoot = folderPrefix(root);
  const filter = createFileFilter({ ...input, secrets, root });
  const walk = createWalk({ root, base: contains(workspace, root) ? workspace : root, enters: filter.enters });
  let waiting: { path: string; mtimeMs: number }[] = [];

  const tolerant = (path: string, act: () => readonly WorkItem[]): readonly WorkItem[] => {
    try {
      return act();
    } catch (error) {
      noteFailure(error, path, seen);
      return [];
    }
  };
  /** Newest first, as long as they are new enough to matter. */
  const searchWaiting = (): WorkItem[] => {
    const sorted = waiting.sort(compareDated);
    waiting = [];
    const left: WorkItem[] = [];
    for (const { path, mtimeMs } of sorted) {
      context.throwIfCancelled();
      if (mtimeMs < shared.floor()) break;
      left.push(...tolerant(path, () => search(path)));
    }
    return left;
  };
  /** Once enough was found, only files that are not older than what was found are searched, newest first. */
  const wait = (path: string): readonly WorkItem[] => {
    const mtimeMs = mtimeOf(inRoot + path);
    if (mtimeMs === undefined || mtimeMs < shared.floor()) return [];
    waiting.push({ path, mtimeMs });
    return waiting.length >= MAX_WAITING ? searchWaiting() : [];
  };
  const searchNames = (folder: string, names: readonly string[]): WorkItem[] => {
    const left: WorkItem[] = [];
    for (const name of names) {
      const taken = filter.takes(folder, name);
      if (taken === "secret") seen.secrets += 1;
      if (taken !== "yes") continue;
      seen.searched += 1;
      context.throwIfCancelled();
      const path = folder + name;
      const isOpen = shared.floor() === Number.NEGATIVE_INFINITY;
      for (const item of isOpen ? tolerant(path, () => search(path)) : wait(path)) left.push(item);
    }
    return left;
  };
  const visit = (item: WorkItem): readonly WorkItem[] => {
    const { path, names, segment } = item;
    if (segment !== undefined) {
      return tolerant(path, () => {
        searchSegment(path, segment);
        return [];
      });
    }
    if (names !== undefined) return searchNames(path, names);
    const listing = walk.list(item);
    if (listing === undefined) return [];
    const pieces = chunks(item, listing.files);
    return [...listing.folders, ...(pieces.length > 0 ? pieces : searchNames(path, listing.files))];
  };
  const joined = shared.drain({ path: "", rules: "unknown" }, visit, searchWaiting);
  seen.unreadable += walk.seen.unreadable;
  seen.ignored += walk.seen.ignored;
  return joined;
}

/** A file that was named is searched whatever the rules say. */
function searchFile({ input, located, shared, seen, search, searchSegment }: Search): boolean {
  return shared.drain({ path: "", rules: "unknown" }, ({ segment }) => {
    try {
      if (segment !== undefined) searchSegment("", segment);
      else if (!isBinaryName(located.absolute)) return search("");
      else seen.binary = true;
      return [];
    } catch (error) {
      throw fromErrno(error, input.request.path);
    }
  });
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
function noteFailure(error: unknown, path: string, seen: WalkCounts): void {
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  if (!/^(?:ENOENT|ENOTDIR|ELOOP)$/.test(errno) || isUndecodable(path)) seen.unreadable += 1;
}
