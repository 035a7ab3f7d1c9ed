// The totals: pure, from the ledger. What the three views show and `--json` prints.
import type { AgentName } from "./fact.ts";
import type { LedgerState, ResultRow, UsageTotals } from "./ledger.ts";
import type { LimitedKind, WhatIfResults } from "./what-if.ts";

/** Sums over results. */
export interface Totals {
  readonly results: number;
  readonly tokens: number;
  /** Tokens times the later requests that carried them, until a compaction. */
  readonly resent: number;
  readonly largest: number;
  readonly errors: number;
  readonly truncated: number;
  readonly images: number;
  /** Results that showed what was in the context already, and their cost. */
  readonly repeats: number;
  readonly repeatTokens: number;
  readonly repeatResent: number;
}

export interface NamedTotals extends Totals {
  readonly name: string;
}

export interface TurnTotals extends Totals {
  readonly context: string;
  /** From 1; 0 is before the first prompt. */
  readonly turn: number;
  readonly requests: number;
}

export interface ReportCompaction {
  readonly context: string;
  readonly afterRequest: number;
  readonly cause: "compaction" | "rewind";
  readonly isPartial: boolean;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
}

export interface ReportTimeline {
  readonly context: string;
  readonly tools: readonly string[];
  readonly points: readonly {
    readonly request: number;
    readonly tools: readonly number[];
    readonly words: number;
    readonly inputTokens?: number;
  }[];
}

export interface Report {
  readonly agent: AgentName;
  readonly id: string;
  readonly cwd?: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Whether result tokens are estimated (a quarter of a token an ASCII character, one any other) or counted (o200k_base). */
  readonly counting: "estimate" | "exact";
  readonly requests: number;
  readonly turns: number;
  readonly calls: number;
  /** As the providers counted; `requests` is 0 where the transcript has none. */
  readonly usage: UsageTotals;
  readonly totals: Totals;
  readonly tools: readonly NamedTotals[];
  readonly paths: readonly NamedTotals[];
  readonly byTurn: readonly TurnTotals[];
  readonly contexts: readonly (Totals & { readonly name: string; readonly requests: number })[];
  readonly compactions: readonly ReportCompaction[];
  /** Of the session's own context. */
  readonly timeline: ReportTimeline;
  readonly whatIf: WhatIfResults;
  readonly damage: LedgerState["damage"];
}

export interface ReportSource {
  readonly agent: AgentName;
  readonly id: string;
  readonly files: Report["files"];
  readonly counting: Report["counting"];
}

export function createReport(state: LedgerState, source: ReportSource): Report {
  const { rows, tools, paths, contexts } = state;
  const contextName = (index: number): string => contexts[index]?.name ?? "";
  const [main] = contexts;
  return {
    agent: source.agent,
    id: state.id ?? source.id,
    ...(state.cwd === undefined ? {} : { cwd: state.cwd }),
    files: source.files,
    counting: source.counting,
    requests: contexts.reduce((sum, { requests }) => sum + requests, 0),
    turns: contexts.reduce((sum, { turns }) => sum + turns, 0),
    calls: state.calls,
    usage: state.usage,
    totals: totalsOf(rows),
    tools: byCost(
      groups(rows, ({ tool }) => tool).map(([tool, some]) => ({ name: tools[tool] ?? "?", ...totalsOf(some) })),
    ),
    paths: byCost(
      groups(rows, ({ path }) => path)
        .filter(([path]) => path >= 0)
        .map(([path, some]) => ({ name: paths[path] ?? "?", ...totalsOf(some) })),
    ),
    byTurn: contexts.flatMap(({ name, index, requestsByTurn }) => {
      const turns = new Map(
        groups(
          rows.filter(({ context }) => context === index),
          ({ turn }) => turn,
        ),
      );
      return requestsByTurn.flatMap((requests, turn) => {
        const some = turns.get(turn) ?? [];
        return requests + some.length === 0 ? [] : [{ context: name, turn, requests, ...totalsOf(some) }];
      });
    }),
    contexts: contexts.map(({ name, index, requests }) => ({
      name,
      requests,
      ...totalsOf(rows.filter(({ context }) => context === index)),
    })),
    compactions: state.compactions.map(({ context, ...rest }) => ({ context: contextName(context), ...rest })),
    timeline: { context: main?.name ?? "main", tools, points: main?.timeline() ?? [] },
    whatIf: whatIfResults(rows),
    damage: state.damage,
  };
}

export function totalsOf(rows: readonly ResultRow[]): Totals {
  const sum = {
    ...{ results: 0, tokens: 0, resent: 0, largest: 0, errors: 0, truncated: 0, images: 0 },
    ...{ repeats: 0, repeatTokens: 0, repeatResent: 0 },
  };
  for (const { tokens, sends, isError, truncated, images, isRepeat } of rows) {
    sum.results += 1;
    sum.tokens += tokens;
    sum.resent += tokens * sends;
    sum.largest = Math.max(sum.largest, tokens);
    sum.images += images;
    if (isError) sum.errors += 1;
    if (truncated) sum.truncated += 1;
    if (!isRepeat) continue;
    sum.repeats += 1;
    sum.repeatTokens += tokens;
    sum.repeatResent += tokens * sends;
  }
  return sum;
}

function groups(rows: readonly ResultRow[], keyOf: (row: ResultRow) => number): [number, ResultRow[]][] {
  const found = new Map<number, ResultRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = found.get(key);
    if (group === undefined) found.set(key, [row]);
    else group.push(row);
  }
  return [...found];
}

function byCost(list: readonly NamedTotals[]): NamedTotals[] {
  return [...list].sort((a, b) => b.resent - a.resent || b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
}

/** No limit is set below this: a shorter result can only be dropped as a repeat. */
export const LEAST_LIMIT_TOKENS = 250;

function whatIfResults(rows: readonly ResultRow[]): WhatIfResults {
  const some = rows.filter(({ tokens, isRepeat }) => isRepeat || tokens > LEAST_LIMIT_TOKENS);
  return {
    kinds: some.map(({ callKind }): LimitedKind => (callKind === "edit" ? "other" : callKind)),
    tokens: some.map(({ tokens }) => tokens),
    sends: some.map(({ sends }) => sends),
    repeats: some.map(({ isRepeat }) => (isRepeat ? 1 : 0)),
  };
}
