import type { GrepContentResult, GrepMatch, GrepResult } from "../grep.ts";
import { CONTEXT_LEFT_OUT } from "../grep-notice.ts";
import { callText } from "../search/call-text.ts";
import { shownName } from "../shown-name.ts";
import { formatHeader } from "../tag.ts";
import { charCount, unitIndex } from "../text-cost.ts";
import type { Rendering } from "../tool.ts";
import { withoutMore } from "./search-parts.ts";

/** Matches under their files' headers, then the notice in brackets; it shrinks by whole matches from its end. */
export const grepRendering: Rendering<GrepResult> = {
  text: (result) => {
    const lines = linesOf(result);
    const { notice } = result;
    return [...lines, ...(notice === undefined ? [] : [...(lines.length > 0 ? [""] : []), `[${notice}]`])].join("\n");
  },
  size: (result) => sizeOf(linesOf(result)),
  take: (result, maxChars) => {
    if (sizeOf(linesOf(result)) <= maxChars) return result;
    return "matches" in result ? takeMatches(result, maxChars) : takeFiles(result, maxChars);
  },
};

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + charCount(line) + 1, 0);
}

function linesOf(result: GrepResult): string[] {
  if ("matches" in result) return matchLines(result);
  if ("counts" in result) return result.counts.map(({ path, count }) => `${shownName(path)}:${count}`);
  return result.files.map(shownName);
}

function matchLines({ matches, tags }: Pick<GrepContentResult, "matches" | "tags">): string[] {
  const lines: string[] = [];
  let previous: GrepMatch | undefined;
  for (const match of matches) {
    if (match.path !== previous?.path) {
      if (previous !== undefined) lines.push("");
      const tag = tags[match.path];
      lines.push(tag === undefined ? `[${shownName(match.path)}]` : formatHeader(match.path, tag));
    } else if (hasContext(matches) && match.line > lastLine(previous) + 1) lines.push("--");
    lines.push(formatMatch(match));
    previous = match;
  }
  return lines;
}

function hasContext(matches: readonly GrepMatch[]): boolean {
  return matches.some(({ context }) => context === true);
}

function lastLine({ line, text }: GrepMatch): number {
  return line + text.split("\n").length - 1;
}

/** `N:text`; a line near a match is `N-text`, a part of a line `N (from character C):text`. */
function formatMatch({ line, text, column, context }: GrepMatch): string {
  const sign = context === true ? "-" : ":";
  const from = column === undefined ? "" : ` (from character ${column})`;
  const [first = "", ...more] = text.split("\n");
  return [`${line}${from}${sign}${first}`, ...more.map((row, index) => `${line + index + 1}${sign}${row}`)].join("\n");
}

function takeMatches(result: GrepContentResult, maxChars: number): GrepContentResult {
  let end = result.matches.length;
  while (end > 0 && sizeOf(matchLines({ ...result, matches: result.matches.slice(0, end) })) > maxChars) {
    // Lines in front of a match that has no room tell nothing.
    const last = result.matches.findLastIndex(({ context }, index) => index < end && context !== true);
    end = result.matches.findLastIndex(({ context }, index) => index < last && context !== true) + 1;
  }
  // A match that has room itself is not cut for the lines around it.
  if (end === 0 && hasContext(result.matches)) return takeMatches(withoutContext(result), maxChars);
  const pieces = end === 0 ? firstPiece(result, maxChars) : [];
  const whole = result.matches.slice(0, end);
  const matches = [...pieces, ...whole];
  const count = matches.filter(({ context }) => context !== true).length;
  const paths = new Set(matches.map(({ path }) => path));
  const tags = Object.fromEntries(Object.entries(result.tags).filter(([path]) => paths.has(path)));
  const notice = [...factsLeft(result.notice, whole), ...pieces.map(pieceSentence)].join("\n");
  return { ...shrunk({ ...result, notice }, count, "matches"), matches, tags, files: paths.size };
}

function withoutContext(result: GrepContentResult): GrepContentResult {
  const facts = (result.notice ?? "").split("\n").filter((text) => text !== "" && text !== CONTEXT_LEFT_OUT);
  return {
    ...result,
    matches: result.matches.filter(({ context }) => context !== true),
    notice: [CONTEXT_LEFT_OUT, ...facts].join("\n"),
  };
}

/** By the sentences of grep-notice.ts; a result from a journal has nothing else to be made smaller from. */
const CLIPPED = /^Line (\d+) of (.*) is (?:clipped|cut to the room that is left): /;
const MORE_CLIPPED = /^\d+ more lines? (?:is|are) clipped\.$/;

/** The notice without what was said of clipped lines that are not shown any more. */
function factsLeft(notice: string | undefined, matches: readonly GrepMatch[]): string[] {
  const clipped = new Set(
    matches.filter(({ column }) => column !== undefined).map(({ path, line }) => `${line} ${shownName(path)}`),
  );
  const facts = (notice ?? "").split("\n").filter((text) => {
    const [, line, path] = CLIPPED.exec(text) ?? [];
    return !MORE_CLIPPED.test(text) && (line === undefined || clipped.delete(`${line} ${path}`));
  });
  const more = clipped.size;
  return more === 0 ? facts : [...facts, `${more} more ${more === 1 ? "line is" : "lines are"} clipped.`];
}

function pieceSentence({ path, line, text, column = 1 }: GrepMatch): string {
  const walk = callText("Read", { path, offset: line, limit: 1, column: 1 });
  const shown = text === "" ? "nothing of it is" : `characters ${column}-${column + charCount(text) - 1} are`;
  return `Line ${line} of ${shownName(path)} is cut to the room that is left: ${shown} shown, walk along it with ${walk}.`;
}

/** As much of the first match as has room; nothing where not even its header has. */
function firstPiece(result: GrepContentResult, maxChars: number): GrepMatch[] {
  const first = result.matches.find(({ context }) => context !== true);
  if (first === undefined) return [];
  const piece = (text: string): GrepMatch => ({ ...first, text, column: first.column ?? 1 });
  const room = maxChars - sizeOf(matchLines({ ...result, matches: [piece("")] }));
  return room <= 0 ? [] : [piece(first.text.slice(0, unitIndex(first.text, room)))];
}

type PathsResult = Exclude<GrepResult, GrepContentResult>;

function takeFiles(result: PathsResult, maxChars: number): PathsResult {
  const lines = linesOf(result);
  let left = maxChars;
  const kept = Math.max(
    0,
    lines.findIndex((line) => {
      left -= charCount(line) + 1;
      return left < 0;
    }),
  );
  return "counts" in result
    ? { ...shrunk(result, kept, "files"), counts: result.counts.slice(0, kept) }
    : { ...shrunk(result, kept, "files"), files: result.files.slice(0, kept) };
}

/** The facts of a result once `kept` of its matches (files) are left. */
function shrunk<Result extends GrepResult>(result: Result, kept: number, unit: "matches" | "files"): Result {
  const offset = result.next?.offset;
  const next = typeof offset === "number" ? { ...result.next, offset: offset - result.count + kept } : undefined;
  const notice = withoutMore(result.notice, unit, kept, "Grep", next);
  return { ...result, count: kept, truncated: true, ...(next !== undefined && { next }), notice };
}
