// What the model is told beside a page: the next call and everything that is not ordinary. Pure.
import type { PageCaps } from "./page.ts";
import { callText, type NextCall, rangeSentence } from "./read-range.ts";
import { type ReadInput, withRange } from "./window.ts";
import type { Page } from "./worker/build-page.ts";
import type { FileIndex } from "./worker/file-index.ts";

export interface NoticeFacts {
  readonly input: ReadInput;
  readonly page: Page;
  readonly index: Pick<FileIndex, "totalLines" | "encoding" | "asked" | "endings" | "undecodable" | "bytes">;
  readonly caps: PageCaps;
  readonly maxLineChars: number;
  /** The tags of the version this session was shown last and of this one, where they are two versions. */
  readonly changed: { readonly from: string; readonly to: string } | undefined;
  readonly settled: boolean;
}

/** The notice's lines, in order; the one about the page's range is the last. Undefined: nothing to report. */
export function readNotice(facts: NoticeFacts, next: NextCall | undefined): string | undefined {
  const range = rangeSentence(facts.page, facts.index.totalLines, facts.caps, next);
  const lines = [...fileLines(facts), ...clippedLines(facts), ...(range === undefined ? [] : [range])];
  return lines.length === 0 ? undefined : lines.join("\n");
}

function fileLines({ index, changed, settled }: NoticeFacts): string[] {
  const lines: string[] = [];
  if (changed !== undefined) {
    lines.push(
      `The file changed since it was last read: its tag was ${changed.from} and is ${changed.to}, earlier pages are of another version.`,
    );
  }
  if (!settled)
    lines.push(
      "The file kept changing while it was read: its lines may be of different moments, Read it again before an Edit.",
    );
  return [...lines, ...encodingLines(index), ...endingLines(index.endings)];
}

const DETECTED = "detected: if the text looks wrong, name another one with encoding";

function encodingLines({ encoding, asked, undecodable }: NoticeFacts["index"]): string[] {
  const { name, bom } = encoding;
  const lines: string[] = [];
  if (bom && name !== "utf-8") lines.push(`Encoding ${name}, with byte order mark.`);
  else if (name !== "utf-8") lines.push(`Encoding ${name}, ${asked === undefined ? DETECTED : "as asked"}.`);
  if (undecodable > 0) {
    lines.push(
      `${undecodable} ${undecodable === 1 ? "place is" : "places are"} not valid ${name} and shown as \ufffd; the bytes stay as they are.`,
    );
  }
  return lines;
}

function endingLines({ lf, crlf, loneCr }: FileIndex["endings"]): string[] {
  const lines: string[] = [];
  if (lf > 0 && crlf > 0) lines.push(`Mixed line endings: ${crlf} CRLF, ${lf} LF.`);
  if (loneCr > 0)
    lines.push(`${loneCr} CR ${loneCr === 1 ? "character" : "characters"} inside lines, shown as they are.`);
  return lines;
}

function clippedLines({ input, page, maxLineChars }: NoticeFacts): string[] {
  const lines = page.clipped.map(({ line, chars }) => {
    const rest = callText(withRange(input, { offset: line, limit: 1, column: maxLineChars + 1 }));
    return `Line ${line} is clipped: ${maxLineChars} of its ${chars} characters are shown, the rest by ${rest}.`;
  });
  const others = page.clippedCount - page.clipped.length;
  if (others > 0)
    lines.push(`${others} more ${others === 1 ? "line is" : "lines are"} clipped at ${maxLineChars} characters.`);
  return lines;
}
