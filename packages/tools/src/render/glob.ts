import type { GlobResult } from "../glob.ts";
import { shownName } from "../shown-name.ts";
import { charCount } from "../text-cost.ts";
import type { Rendering } from "../tool.ts";
import { withoutMore } from "./search-parts.ts";

/** One path a line, then the notice in brackets; it shrinks by whole paths from its end. */
export const globRendering: Rendering<GlobResult> = {
  text: ({ matches, notice }) =>
    [
      ...matches.map(shownName),
      ...(notice === undefined ? [] : [...(matches.length > 0 ? [""] : []), `[${notice}]`]),
    ].join("\n"),
  size: ({ matches }) => matches.reduce((sum, path) => sum + charCount(shownName(path)) + 1, 0),
  take: (result, maxChars) => {
    let left = maxChars;
    const kept = result.matches.findIndex((path) => {
      left -= charCount(shownName(path)) + 1;
      return left < 0;
    });
    if (kept === -1) return result;
    const dropped = result.matches.length - kept;
    const next =
      typeof result.next?.offset === "number" ? { ...result.next, offset: result.next.offset - dropped } : undefined;
    const { next: _, ...rest } = result;
    return {
      ...rest,
      matches: result.matches.slice(0, kept),
      count: kept,
      truncated: true,
      ...(next !== undefined && { next }),
      notice: withoutMore(result.notice, "files", kept, "Glob", next),
    };
  },
};
