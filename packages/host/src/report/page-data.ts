import type { PageData, PageTimeline } from "./page-shape.ts";
import { LEAST_LIMIT_TOKENS, type Report, type ReportTimeline } from "./report.ts";
import type { WhatIfLimits, WhatIfResults } from "./what-if.ts";

/** With more results than this the page leaves out the smallest. */
export const MOST_PAGE_RESULTS = 50_000;
/** Tools with an area of their own; the others share one. */
const MOST_TOOLS = 6;

export function pageData(report: Report, ownLimits: WhatIfLimits): PageData {
  const { tokens, resent, largest } = report.totals;
  return {
    totals: { tokens, resent },
    whatIf: largestResults(report.whatIf),
    ownLimits: { ...ownLimits, dropRepeats: false },
    leastLimit: LEAST_LIMIT_TOKENS,
    mostLimit: Math.max(2 * LEAST_LIMIT_TOKENS, largest, ownLimits.read, ownLimits.search, ownLimits.command),
    timeline: pageTimeline(report),
  };
}

function largestResults(results: WhatIfResults): WhatIfResults {
  const { tokens, sends } = results;
  if (tokens.length <= MOST_PAGE_RESULTS) return results;
  const cost = (index: number): number => (tokens[index] ?? 0) * ((sends[index] ?? 0) + 1);
  const kept = [...tokens.keys()].sort((a, b) => cost(b) - cost(a)).slice(0, MOST_PAGE_RESULTS);
  const pick = <Value>(column: readonly Value[]): Value[] => kept.flatMap((index) => column[index] ?? []);
  return { kinds: pick(results.kinds), tokens: pick(tokens), sends: pick(sends), repeats: pick(results.repeats) };
}

function pageTimeline({ timeline, tools, compactions }: Report): PageTimeline {
  const { points } = timeline;
  const places = new Map(timeline.tools.map((name, place) => [name, place]));
  const named = tools.slice(0, tools.length > MOST_TOOLS + 1 ? MOST_TOOLS : MOST_TOOLS + 1);
  const others = tools.slice(named.length).map(({ name }) => name);
  const layer = (name: string, names: readonly string[]): PageTimeline["layers"][number] => ({
    name,
    tokens: points.map((point) => names.reduce((sum, one) => sum + (point.tools[places.get(one) ?? -1] ?? 0), 0)),
  });
  return {
    requests: points.map(({ request }) => request),
    layers: [
      { name: "Words and arguments", tokens: points.map(({ words }) => words) },
      ...named.map(({ name }) => layer(name, [name])),
      ...(others.length === 0 ? [] : [layer(`${others.length} other tools`, others)]),
    ],
    input: points.map((point: ReportTimeline["points"][number]) => point.inputTokens ?? null),
    compactions: compactions
      .filter(({ context }) => context === timeline.context)
      .map(({ afterRequest, cause }) => ({ afterRequest, cause })),
  };
}
