// The parts of a Read notice, found again by the sentences of read-notice.ts and read-range.ts. A smaller page keeps what is
// still true and gets a new range; a result that comes back from a journal has nothing else to be made smaller from.

export interface NoticeParts {
  /** What holds for the whole file, and what was said about the arguments. */
  readonly facts: readonly string[];
  readonly clippedLines: readonly { readonly line: number; readonly text: string }[];
  /** Line to its length in characters. */
  readonly clipped: ReadonlyMap<number, number>;
  /** The encoding the caller asked for. */
  readonly encoding: string | undefined;
}

const RANGE = /^(?:Lines? \d+(?:-\d+)? of \d+|No line of \d+|Offset \d+ is past|Column \d+ is past|empty file)/;
const CLIPPED = /^Line (\d+) is clipped: \d+ of its (\d+) characters/;
const MORE_CLIPPED = /^\d+ more lines? (?:is|are) clipped/;
const ASKED = /^Encoding (\S+), as asked/;
/** What was said about the arguments stands in front of the notice's first line. */
const REDUCED = /^(?:\w+ \d+ was reduced to the maximum \d+\. ?)+/;

export function splitNotice(notice: string | undefined): NoticeParts {
  const facts: string[] = [];
  const clippedLines: { line: number; text: string }[] = [];
  const clipped = new Map<number, number>();
  let encoding: string | undefined;
  for (const text of noticeLines(notice)) {
    const [, line, chars] = CLIPPED.exec(text) ?? [];
    if (line !== undefined && chars !== undefined) {
      clippedLines.push({ line: Number(line), text });
      clipped.set(Number(line), Number(chars));
      continue;
    }
    encoding ??= ASKED.exec(text)?.[1];
    if (!RANGE.test(text) && !MORE_CLIPPED.test(text)) facts.push(text);
  }
  return { facts, clippedLines, clipped, encoding };
}

function noticeLines(notice = ""): string[] {
  const [reduced = ""] = REDUCED.exec(notice) ?? [];
  return [reduced.trimEnd(), ...notice.slice(reduced.length).split("\n")].filter((line) => line !== "");
}

/** Whether the page had ended before the range that its caller named. */
export function rangeWasCut(notice: string | undefined): boolean {
  return /: (?:the page ended at|cut to) /.test(notice ?? "");
}
