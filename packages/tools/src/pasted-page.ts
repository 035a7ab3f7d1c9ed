// Pure: takes the header and the line numbers off a page that was shown by Read and came back as content.
import { parseHeader } from "./tag.ts";

export interface ShownLine {
  readonly line: number;
  readonly text: string;
}

/** What the session knows of what it showed. */
export interface PageProof {
  minted(tag: string): boolean;
  /** Whether all of these lines were shown, with these numbers, in one version of one file. */
  shown(lines: readonly ShownLine[]): boolean;
}

export interface CleanedPage {
  readonly text: string;
  readonly cleaned: boolean;
}

/** No page is longer; a longer text is the file itself. */
const MAX_PAGE_CHARS = 2_000_000;

/**
 * The content behind a pasted page, only where it is proven to be one: its header's tag was minted by this session, or
 * every line is `N:` and the text that was shown at line N. Everything else comes back as it is.
 */
export function cleanPastedPage(text: string, proof: PageProof): CleanedPage {
  const asIs = { text, cleaned: false };
  if (text.length > MAX_PAGE_CHARS) return asIs;
  const firstLine = firstLineOf(text);
  const header = parseHeader(firstLine);
  if (header !== undefined && proof.minted(header.tag)) {
    return { text: cleanLines(text.slice(firstLine.length + 1), proof), cleaned: true };
  }
  if (numbered(firstLine) === undefined) return asIs;
  const lines = numberedLines(text);
  // Numbers in front of nothing are content of their own kind: empty lines are the same everywhere.
  if (lines === undefined || lines.every((line) => line.text.trim() === "") || !proof.shown(lines)) return asIs;
  return { text: withoutNumbers(text, lines), cleaned: true };
}

/** Whether it takes a proof to tell; looks at the first line only. */
export function mayBePage(text: string): boolean {
  if (text.length > MAX_PAGE_CHARS) return false;
  const firstLine = firstLineOf(text);
  return numbered(firstLine) !== undefined || parseHeader(firstLine) !== undefined;
}

function firstLineOf(text: string): string {
  const end = text.indexOf("\n");
  return end === -1 ? text : text.slice(0, end);
}

/** Below a header that is ours: all lines are numbered, or those that are proven, and those that were edited between them. */
function cleanLines(text: string, proof: PageProof): string {
  const lines = numberedLines(text);
  if (lines !== undefined && isIncreasing(lines)) return withoutNumbers(text, lines);
  const rows = text.split("\n").map((row) => {
    const found = numbered(row);
    return { row, found, proven: found !== undefined && proof.shown([found]) };
  });
  // A row that was edited keeps its place: its number lies between those of its proven neighbours.
  const next = nextProven(rows);
  let last = 0;
  return rows
    .map(({ row, found, proven }, index) => {
      if (found === undefined) return row;
      if (!proven && (found.line <= last || found.line >= (next[index] ?? 0))) return row;
      last = found.line;
      return found.text;
    })
    .join("\n");
}

/** For each row the number of the first proven one behind it, 0 where there is none. */
function nextProven(rows: readonly { readonly found: ShownLine | undefined; readonly proven: boolean }[]): number[] {
  const next: number[] = [];
  let line = 0;
  for (const [index, { found, proven }] of [...rows.entries()].reverse()) {
    next[index] = line;
    if (proven && found !== undefined) line = found.line;
  }
  return next;
}

/** Undefined unless every line is numbered; what follows a final LF is no line. */
function numberedLines(text: string): readonly ShownLine[] | undefined {
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const found: ShownLine[] = [];
  for (const line of lines) {
    const parts = numbered(line);
    if (parts === undefined) return undefined;
    found.push(parts);
  }
  return found;
}

function numbered(line: string): ShownLine | undefined {
  const match = /^(\d{1,10}):/.exec(line);
  return match === null ? undefined : { line: Number(match[1]), text: line.slice(match[0].length) };
}

function isIncreasing(lines: readonly ShownLine[]): boolean {
  return lines.every(({ line }, index) => index === 0 || line > (lines[index - 1]?.line ?? 0));
}

function withoutNumbers(text: string, lines: readonly ShownLine[]): string {
  return lines.map((line) => line.text).join("\n") + (text.endsWith("\n") ? "\n" : "");
}
