import type { ResolvedSpan } from "../edit/ops.ts";
import type { EditResult } from "../edit.ts";
import type { Rendering } from "../tool.ts";

const MAX_SPANS = 40;

/** Short by construction: hunks are for people and not part of it. */
export const editRendering: Rendering<EditResult> = { text, size: () => 0, take: (result) => result };

function text({ header, added, removed, spans = [], warnings = [], note }: EditResult): string {
  const facts = `${header} +${added} -${removed}`;
  const echoed = spans.slice(0, MAX_SPANS).map(spanLine);
  const more = spans.length > MAX_SPANS ? [`… and ${spans.length - MAX_SPANS} more ops`] : [];
  return [facts, ...echoed, ...more, ...warnings, note].join("\n");
}

function spanLine({ op, first, last, newFirst, newLast }: ResolvedSpan): string {
  const old = op.includes("*") && last >= first ? ` covered ${lines(first, last)}` : "";
  const now = newLast < newFirst ? "nothing stands there now" : `${lines(newFirst, newLast)} now`;
  return `${op} ->${old === "" ? "" : `${old},`} ${now}`;
}

function lines(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}
