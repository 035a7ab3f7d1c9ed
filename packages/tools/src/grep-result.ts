// Makes Grep's results of what the threads found.
import { posix } from "node:path";
import { byteLength, type Limits } from "@spillway/limits";
import type { GrepContentResult, GrepCountsResult, GrepFilesResult, GrepInput, GrepMatch } from "./grep.ts";
import { type GrepFindings, grepNotice } from "./grep-notice.ts";
import type { Searched } from "./grep-search.ts";
import type { LineRange } from "./line-ranges.ts";
import type { Located } from "./path.ts";
import { pathPolicy } from "./path-grants.ts";
import type { PatternRequest } from "./pattern.ts";
import type { Row } from "./search/cut-rows.ts";
import { compareDated } from "./search/newest.ts";
import type { Session } from "./session.ts";
import { tagOf } from "./tag.ts";
import type { ToolEnv } from "./tool.ts";
import type { FoundFile, SearchFilesOutput } from "./worker/search-files.ts";
import type { FileToShow, ShownFile } from "./worker/show-matches.ts";

export interface GrepSearch extends Searched {
  readonly input: GrepInput;
  readonly offset: number;
  /** How many matches (files) may be shown. */
  readonly limit: number;
}

/** A file that changed between the two halves may hold up the second one. */
const SHOW_LIMIT_MS = 20_000;

export async function contentResult(
  search: GrepSearch,
  pattern: PatternRequest,
  env: ToolEnv,
): Promise<GrepContentResult> {
  const { input, offset, limit } = search;
  const { session } = env;
  const found = foundFiles(search);
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const shown =
    total <= offset
      ? { files: [], full: false, lost: 0 }
      : await session.workers.run(
          "showMatches",
          {
            policy: pathPolicy(session, grantedBy(search)),
            pattern,
            files: filesToShow(found, offset, limit, search),
            before: input.before ?? 0,
            after: input.after ?? 0,
            maxLineChars: session.limits.maxLineChars,
            maxBytes: session.limits.search.maxBytes,
            maxRows: session.limits.search.maxLines,
          },
          { signal: env.signal, lane: "long", deadlineMs: SHOW_LIMIT_MS },
        );
  const matches = shown.files.flatMap(({ located, rows }) => rows.map((row) => matchOf(located.path, row)));
  const count = matches.filter(({ context }) => context !== true).length;
  const isCut = total > offset + Math.min(limit, count) || shown.full || search.stuckIn !== undefined;
  const next = isCut && total > offset + count && count > 0 ? { ...input, offset: offset + count } : undefined;
  for (const file of shown.files) recordShown(session, file);
  const notice = grepNotice({
    ...findingsOf(search, total, count),
    unit: "match",
    next,
    truncated: isCut,
    lost: shown.lost,
    clipped: shown.files.flatMap(({ located, rows }) =>
      rows.flatMap((row) =>
        row.column === undefined ? [] : [{ path: located.path, ...row, shownChars: charsOf(row.text) }],
      ),
    ),
    untagged: shown.files.filter(({ version }) => version === undefined).map(({ located }) => located.path),
  });
  return {
    matches,
    tags: Object.fromEntries(
      shown.files.flatMap(({ located, version }) =>
        version === undefined ? [] : [[located.path, tagOf(version.hash)]],
      ),
    ),
    count,
    files: shown.files.length,
    truncated: isCut,
    ...(next !== undefined && { next }),
    ...(notice !== undefined && { notice }),
  };
}

export function filesResult(search: GrepSearch, limits: Limits): GrepFilesResult {
  const { page, facts } = filesPage(search, limits);
  return { files: page.map(({ path }) => shownPath(search, path)), ...facts };
}

export function countsResult(search: GrepSearch, limits: Limits): GrepCountsResult {
  const { page, facts } = filesPage(search, limits);
  return { counts: page.map(({ path, count }) => ({ path: shownPath(search, path), count })), ...facts };
}

function filesPage(search: GrepSearch, { search: budget }: Limits) {
  const { input, offset, limit } = search;
  const found = foundFiles(search);
  const page: FoundFile[] = [];
  let bytes = 0;
  for (const file of found.slice(offset, offset + limit)) {
    bytes += byteLength(shownPath(search, file.path)) + String(file.count).length + 2;
    if (page.length > 0 && bytes > budget.maxBytes) break;
    page.push(file);
  }
  const isMore = found.length > offset + page.length;
  const truncated = isMore || search.stuckIn !== undefined;
  const next = isMore ? { ...input, offset: offset + page.length } : undefined;
  const notice = grepNotice({ ...findingsOf(search, found.length, page.length), unit: "file", next, truncated });
  return {
    page,
    facts: {
      count: page.length,
      truncated,
      ...(next !== undefined && { next }),
      ...(notice !== undefined && { notice }),
    },
  };
}

function foundFiles({ outputs }: GrepSearch): FoundFile[] {
  const files = new Map<string, FoundFile>();
  for (const file of outputs.flatMap((output) => output.files)) {
    const known = files.get(file.path);
    files.set(file.path, known === undefined ? file : joined(known, file));
  }
  return [...files.values()].sort(compareDated);
}

/** Two pieces of one file. */
function joined(left: FoundFile, right: FoundFile): FoundFile {
  const firstAt = Math.min(left.firstAt ?? 0, right.firstAt ?? 0);
  return { ...left, count: left.count + right.count, weight: left.weight + right.weight, firstAt };
}

/** The folder or file that was searched. */
function rootOf({ outputs }: GrepSearch): Located | undefined {
  return outputs[0]?.located;
}

function shownPath(search: GrepSearch, path: string): string {
  const root = rootOf(search)?.path ?? ".";
  if (path === "") return root;
  return root === "." ? path : posix.join(root, path);
}

function filesToShow(found: readonly FoundFile[], offset: number, limit: number, search: GrepSearch): FileToShow[] {
  const root = rootOf(search);
  if (root === undefined) return [];
  const files: FileToShow[] = [];
  let toSkip = offset;
  let left = limit;
  for (const { path, count, firstAt = 0, mtimeMs } of found) {
    if (left === 0) break;
    const skip = Math.min(toSkip, count);
    toSkip -= skip;
    const take = Math.min(left, count - skip);
    if (take === 0) continue;
    left -= take;
    const absolute = path === "" ? root.absolute : posix.join(root.absolute, path);
    files.push({
      located: { absolute, path: shownPath(search, path), root: root.root, kind: "file" },
      skip,
      take,
      firstAt,
      mtimeMs,
    });
  }
  return files;
}

function grantedBy(search: GrepSearch): string[] {
  const root = rootOf(search);
  return root?.root === "external" ? [root.absolute] : [];
}

function matchOf(path: string, { line, text, column, context }: Row): GrepMatch {
  return { path, line, text, ...(column !== undefined && { column }), ...(context && { context }) };
}

function charsOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Only lines shown in full become anchors. */
function recordShown({ snapshots }: Session, { located, rows, version }: ShownFile): void {
  if (version === undefined) return;
  const seen = rows
    .filter(({ column }) => column === undefined)
    .map(({ line, lastLine = line }): LineRange => [line, lastLine]);
  snapshots.record(located.absolute, version, seen, { byGrep: true });
}

function findingsOf({ input, outputs, offset, stuckIn }: GrepSearch, total: number, count: number): GrepFindings {
  const sum = (pick: (output: SearchFilesOutput) => number): number =>
    outputs.reduce((all, output) => all + pick(output), 0);
  return {
    path: input.path,
    include: input.include,
    isFile: outputs.some(({ located }) => located.kind === "file"),
    searched: sum(({ seen }) => seen.searched),
    offset,
    total,
    count,
    unreadable: sum(({ seen }) => seen.unreadable),
    secrets: sum(({ seen }) => seen.secrets),
    ignored: sum(({ seen }) => seen.ignored),
    tooLarge: sum(({ seen }) => seen.tooLarge),
    binary: outputs.some(({ seen }) => seen.binary),
    stuckIn,
  };
}
