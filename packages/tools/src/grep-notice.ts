// What the model is told beside the matches. Pure.
import { callText } from "./search/call-text.ts";
import { listHint } from "./search/list-hint.ts";
import { shownName } from "./shown-name.ts";

export interface GrepFindings {
  readonly path: string | undefined;
  readonly include: string | undefined;
  /** The path is that of a file, which is searched whatever its name is. */
  readonly isFile: boolean;
  /** Files that the filters let through. */
  readonly searched: number;
  readonly offset: number;
  /** Matches (files) known of, and how many are shown. */
  readonly total: number;
  readonly count: number;
  readonly unreadable: number;
  readonly secrets: number;
  readonly ignored: number;
  /** Files too large for a multiline search. */
  readonly tooLarge: number;
  /** The file that was named is binary. */
  readonly binary: boolean;
  /** The file in which the search was stopped for its time. */
  readonly stuckIn: string | undefined;
}

export interface ClippedMatch {
  readonly path: string;
  readonly line: number;
  readonly column?: number;
  readonly lineChars?: number;
  readonly shownChars: number;
}

export interface GrepNoticeFacts extends GrepFindings {
  readonly unit: "match" | "file";
  readonly next: Record<string, unknown> | undefined;
  readonly truncated: boolean;
  /** Files that could not be read any more when their lines were wanted. */
  readonly lost?: number;
  readonly clipped?: readonly ClippedMatch[];
  readonly untagged?: readonly string[];
}

export const CONTEXT_LEFT_OUT = "Some lines around the matches had no room.";

/** Clipped lines and untagged files that are named one by one. */
const MAX_NAMED = 3;

/** The notice's lines; the one about what was left out is the last. Undefined: nothing to report. */
export function grepNotice(facts: GrepNoticeFacts): string | undefined {
  const lines = [...emptyLines(facts), ...skippedLines(facts), ...clippedLines(facts), ...moreLines(facts)];
  return lines.length === 0 ? undefined : lines.join("\n");
}

function emptyLines(facts: GrepNoticeFacts): string[] {
  const { count, total, offset, unit, binary, path, ignored, include, isFile, searched } = facts;
  if (binary) return [`"${path}" is a binary file and was not searched.`];
  if (count > 0) return [];
  if (include !== undefined && searched === 0 && !isFile) {
    return [
      `No matches: include "${include}" lets no text file below path "${path ?? "."}" through.${listHint(include)}`,
    ];
  }
  if (total > 0) return [`No ${plural(unit)} from offset ${offset} on: there are ${total}.`];
  if (ignored === 0) return ["No matches."];
  const entries = `${ignored} ignored ${ignored === 1 ? "file or folder was" : "files or folders were"} left out`;
  return [`No matches. ${entries}; one that is named as path is searched.`];
}

function skippedLines({ unreadable, secrets, tooLarge, stuckIn, lost = 0 }: GrepNoticeFacts): string[] {
  const lines: string[] = [];
  if (unreadable > 0) {
    lines.push(`${unreadable} ${unreadable === 1 ? "file or folder" : "files or folders"} could not be read.`);
  }
  if (secrets > 0) {
    lines.push(
      `${secrets} ${secrets === 1 ? "file that may hold secrets was" : "files that may hold secrets were"} skipped.`,
    );
  }
  if (tooLarge > 0) {
    const files = tooLarge === 1 ? "file was" : "files were";
    lines.push(`${tooLarge} ${files} too large for a multiline search and not searched.`);
  }
  if (stuckIn !== undefined) {
    const where = stuckIn === "" ? "" : ` in ${shownName(stuckIn)}`;
    lines.push(
      `The pattern took too long${where} and the search was stopped there: these are the matches found until then.`,
    );
  }
  if (lost > 0)
    lines.push(`${lost} matching ${lost === 1 ? "file was" : "files were"} gone before the lines were read.`);
  return lines;
}

function clippedLines({ clipped = [], untagged = [] }: GrepNoticeFacts): string[] {
  const lines = clipped.slice(0, MAX_NAMED).map(({ path, line, column = 1, lineChars = 0, shownChars }) => {
    const rest = callText("Read", { path, offset: line, limit: 1, column: 1 });
    return `Line ${line} of ${shownName(path)} is clipped: characters ${column}-${column + shownChars - 1} of ${lineChars} are shown, walk along it with ${rest}.`;
  });
  const more = clipped.length - lines.length;
  if (more > 0) lines.push(`${more} more ${more === 1 ? "line is" : "lines are"} clipped.`);
  if (untagged.length > 0) {
    const named = untagged.slice(0, MAX_NAMED).map(shownName).join(", ");
    const others = untagged.length > MAX_NAMED ? ` and ${untagged.length - MAX_NAMED} more` : "";
    lines.push(`No tag for ${named}${others} (too large, or changing): Read before an Edit.`);
  }
  return lines;
}

function moreLines({ truncated, next, unit, stuckIn }: GrepNoticeFacts): string[] {
  if (!truncated) return [];
  if (next === undefined) return stuckIn === undefined ? [CONTEXT_LEFT_OUT] : [];
  return [`There are more ${plural(unit)}: narrow the search, or go on with ${callText("Grep", next)}.`];
}

function plural(unit: "match" | "file"): string {
  return unit === "match" ? "matches" : "files";
}
