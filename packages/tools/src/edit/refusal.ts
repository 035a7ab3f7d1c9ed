import { ToolError } from "../error.ts";
import { formatRanges, type LineRange } from "../line-ranges.ts";
import { tagOf } from "../tag.ts";
import type { ToolEnv } from "../tool.ts";
import type { Drifted, Refused } from "../worker/edit-file.ts";
import { formatRevealed } from "./reveal.ts";

/** The error of a refused edit. The lines that it shows in full are recorded as shown. */
export function refusalError(refused: Refused, tag: string, env: ToolEnv): ToolError {
  return refused.gate === "provenance" ? unseenError(refused, tag, env) : mismatchError(refused, tag, env);
}

function unseenError(refused: Refused, tag: string, { session }: ToolEnv): ToolError {
  const { located, version, lines, revealed, totalLines } = refused;
  const isLive = tagOf(version.hash) === tag;
  const counts = revealed.all && isLive;
  // All or nothing: a model that was shown a part takes it for the whole.
  if (counts) session.snapshots.record(located.absolute, version, lines, { totalLines });
  const shown = formatRevealed(revealed);
  const [first = [1, 1], ...others] = lines;
  const isOne = others.length === 0 && first[0] === first[1];
  const what = `${isOne ? "Line" : "Lines"} ${formatRanges(lines)}`;
  const them = isOne ? "it" : "them";
  const next = counts
    ? `now shown here and counted as shown, repeat the call if this is what you expected:\n${shown}`
    : `Read ${them} first (offset ${first[0]})${shown === "" ? "" : `, here is how it begins:\n${shown}`}`;
  return new ToolError(
    "EDIT_LINES_UNSEEN",
    `${what} of "${located.path}" ${isOne ? "was" : "were"} not shown to you in full`,
    {
      next,
      details: { path: located.path, tag, lines: formatRanges(lines), revealed: revealed.lines, countAsShown: counts },
    },
  );
}

function mismatchError(refused: Refused, tag: string, { session }: ToolEnv): ToolError {
  const { located, version, revealed, totalLines } = refused;
  const whole = revealed.lines.filter((line) => line.whole).map(({ line }): LineRange => [line, line]);
  const liveTag = tagOf(version.hash);
  if (whole.length > 0) session.snapshots.record(located.absolute, version, whole, { totalLines });
  const shown = formatRevealed(revealed);
  const next =
    shown === ""
      ? "Read it again"
      : `Read it again, or use tag ${liveTag} if these lines, as they are now, are enough:\n${shown}`;
  return new ToolError(
    "EDIT_TAG_MISMATCH",
    `"${located.path}" changed since tag ${tag} and the ops do not carry over`,
    {
      next,
      details: { path: located.path, tag, liveTag, totalLines, revealed: revealed.lines },
    },
  );
}

/** The warning of an edit that was applied to another version than the tagged one. */
export function describeDrift(drift: Drifted, tag: string): string {
  if (drift.kind === "head or tail")
    return `The file changed since tag ${tag}; the ops go to its head or tail and were applied.`;
  const moved = drift.offset === 0 ? "did not move" : `moved by ${drift.offset > 0 ? "+" : ""}${drift.offset}`;
  return `The file changed since tag ${tag}; the lines that the ops name are unchanged (they ${moved}) and were edited.`;
}
