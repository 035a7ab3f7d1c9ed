// What the model is told beside the paths. Pure.
import { callText } from "./search/call-text.ts";
import { listHint } from "./search/list-hint.ts";

export interface GlobFindings {
  readonly pattern: string;
  readonly offset: number;
  /** Files known of, and how many are shown. */
  readonly total: number;
  readonly count: number;
  readonly unreadable: number;
  readonly ignored: number;
  readonly next: Record<string, unknown> | undefined;
}

/** The notice's lines; the one about what was left out is the last. Undefined: nothing to report. */
export function globNotice({
  pattern,
  offset,
  total,
  count,
  unreadable,
  ignored,
  next,
}: GlobFindings): string | undefined {
  const lines: string[] = [];
  if (count === 0 && total > 0) lines.push(`No files from offset ${offset} on: there are ${total}.`);
  if (total === 0) {
    const entries = `${ignored} ignored ${ignored === 1 ? "file or folder was" : "files or folders were"} left out`;
    const hint = listHint(pattern);
    lines.push(
      ignored === 0 || hint !== ""
        ? `No files.${hint}`
        : `No files. ${entries}; a folder that is named as path is searched.`,
    );
  }
  if (unreadable > 0)
    lines.push(`${unreadable} ${unreadable === 1 ? "file or folder" : "files or folders"} could not be read.`);
  if (next !== undefined)
    lines.push(`There are more files: narrow the pattern, or go on with ${callText("Glob", next)}.`);
  return lines.length === 0 ? undefined : lines.join("\n");
}
