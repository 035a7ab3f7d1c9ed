// The Glob job, one thread's share: walks, matches names, stats what matched and keeps the newest.
import { lstatSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { ToolError } from "../error.ts";
import { compileGlob, compileGlobBelow, type GlobPattern } from "../glob-pattern.ts";
import { hasGlobSyntax } from "../glob-syntax.ts";
import { contains, type Located, type LocateRequest, locate, type PathPolicy, rootOf } from "../path.ts";
import { createNewest, type Dated, type Newest } from "../search/newest.ts";
import { openSharedWork, type WorkItem } from "../search/shared-work.ts";
import { createWalk, folderPrefix, isUndecodable, type WalkCounts } from "../walk.ts";
import type { JobContext } from "./jobs.ts";

export interface ListFilesInput {
  readonly request: LocateRequest;
  readonly pattern: string;
  /** How many of the newest files are wanted. */
  readonly needed: number;
  /** Of `createSharedWork`. */
  readonly work: SharedArrayBuffer;
}

export interface ListFilesOutput {
  /** False: the search was over before this thread came. */
  readonly joined: boolean;
  readonly located: Located;
  readonly files: readonly Dated[];
  readonly seen: WalkCounts;
}

/** Names of one folder that are looked at before others may take some. */
const CHUNK = 256;

/** @throws ToolError those of `locate`, INVALID_PATTERN, INVALID_ARGUMENT when the root is no folder. */
export function listFilesJob({ request, pattern, needed, work }: ListFilesInput, context: JobContext): ListFilesOutput {
  const located = locateFolder(request);
  const shared = openSharedWork(work, context);
  const newest = createNewest<Dated>(needed);
  const patterns = globsFor(pattern, located.absolute);
  const walk = createWalk({
    root: located.absolute,
    base: contains(request.policy.workspace, located.absolute) ? request.policy.workspace : located.absolute,
    enters: (path) => patterns.some((glob) => glob.mayMatchBelow(path)),
  });
  const inRoot = folderPrefix(located.absolute);
  const add = (path: string): void => {
    const mtimeMs = mtimeOf(inRoot + path);
    if (mtimeMs === undefined && isUndecodable(path)) walk.seen.unreadable += 1;
    if (mtimeMs === undefined || mtimeMs < shared.floor()) return;
    newest.add({ path, mtimeMs, weight: 1 });
    const floor = newest.floor();
    if (floor > shared.floor()) shared.raiseFloor(floor);
  };
  const visit = (item: WorkItem): readonly WorkItem[] => {
    const listing = item.names === undefined ? walk.list(item) : { files: item.names, folders: [] };
    if (listing === undefined) return [];
    const { files, folders } = listing;
    const pieces = item.names === undefined ? chunks(item, files) : [];
    if (pieces.length > 0) return [...folders, ...pieces];
    for (const name of files) {
      const path = item.path + name;
      if (patterns.some((glob) => glob.matches(path, name))) add(path);
    }
    return folders;
  };
  const joined = shared.drain({ path: "", rules: "unknown" }, visit);
  if (joined) addLiteral(pattern, located, request.policy, newest);
  return { joined, located, files: newest.entries, seen: walk.seen };
}

/** A located folder. */
export function locateFolder(request: LocateRequest): Located {
  const located = locate(request);
  if (located.kind !== "directory") {
    throw new ToolError("INVALID_ARGUMENT", `"path" ${JSON.stringify(request.path)} is a ${located.kind}, no folder`, {
      next: "name the folder that it lies in",
      details: { path: request.path, kind: located.kind },
    });
  }
  return located;
}

/** The files of a large folder in pieces that other threads can take; none for a small one. */
export function chunks(item: WorkItem, files: readonly string[]): WorkItem[] {
  const items: WorkItem[] = [];
  if (files.length <= CHUNK) return items;
  for (let at = 0; at < files.length; at += CHUNK) items.push({ ...item, names: files.slice(at, at + CHUNK) });
  return items;
}

/**
 * The pattern, and the same pattern with those of its first folders taken as they are that exist under that very name:
 * `app/(shop)/[id]/*.tsx` means the folders as well as what it says as a pattern.
 */
function globsFor(pattern: string, root: string): readonly GlobPattern[] {
  const globs = [compileGlob(pattern)];
  const parts = pattern.split("/");
  let base = 0;
  while (base < parts.length - 1 && isFolder(join(root, ...parts.slice(0, base + 1)))) base += 1;
  if (parts.slice(0, base).some(hasGlobSyntax)) {
    globs.push(compileGlobBelow(parts.slice(0, base).join("/"), parts.slice(base).join("/")));
  }
  return globs;
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    // Not there under this name: then it is a pattern.
    return false;
  }
}

/** A pattern that is the path of an existing file matches it, ignored or not. */
function addLiteral(pattern: string, { absolute }: Located, policy: PathPolicy, newest: Newest<Dated>): void {
  try {
    const canonical = realpathSync.native(join(absolute, pattern));
    if (rootOf(canonical, policy) === undefined) return;
    const stat = statSync(canonical);
    const path = relative(absolute, join(absolute, pattern)).split(sep).join("/");
    if (!stat.isFile() || newest.entries.some((entry) => entry.path === path)) return;
    newest.add({ path, mtimeMs: stat.mtimeMs, weight: 1 });
  } catch {
    // It is no path of a file: only a pattern.
  }
}

function mtimeOf(path: string): number | undefined {
  try {
    return lstatSync(path).mtimeMs;
  } catch {
    // It went away meanwhile.
    return undefined;
  }
}
