import type { CompactionFact, Fact, RequestUsage } from "./fact.ts";
import type { ResultRow } from "./ledger.ts";
import type { Names } from "./names.ts";
import { createSeen } from "./seen.ts";
import { createTimeline, type TimelinePoint } from "./timeline.ts";

type CallFact = Extract<Fact, { kind: "call" }>;
type ResultFact = Extract<Fact, { kind: "result" }>;

/** One context: that of the session, or of an agent it sent out. */
export interface ContextBook {
  readonly name: string;
  readonly index: number;
  readonly requests: number;
  readonly turns: number;
  readonly calls: number;
  /** Requests by turn, from turn 0. */
  readonly requestsByTurn: readonly number[];
  turn(): void;
  request(id: string | undefined, usage: RequestUsage | undefined): void;
  words(tokens: number): void;
  call(call: CallFact): void;
  result(result: ResultFact): void;
  compact(leaves: CompactionFact["leaves"]): void;
  close(): void;
  usages(): readonly RequestUsage[];
  timeline(): readonly TimelinePoint[];
}

export interface ContextBookOptions {
  readonly name: string;
  readonly index: number;
  readonly tools: Names;
  readonly paths: Names;
  /** Shared by all contexts. */
  readonly rows: ResultRow[];
}

export function createContextBook({ name, index, tools, paths, rows }: ContextBookOptions): ContextBook {
  const seen = createSeen();
  const timeline = createTimeline();
  const usages: RequestUsage[] = [];
  const usagePlaces = new Map<string, number>();
  const requestIds = new Map<string, number>();
  const openCalls = new Map<string, CallFact & { readonly isRepeat: boolean }>();
  /** Rows that are in the context now, by call id, in order of arrival. */
  const live = new Map<string, number>();
  const callIds = new Set<string>();
  const tokensByTool: number[] = [];
  let words = 0;
  let requests = 0;
  let turns = 0;
  let calls = 0;
  let isTurnNew = false;
  const requestsByTurn: number[] = [0];

  const isLive = (row: number): boolean => rows[row]?.isLive === true;
  const leave = (id: string, row: number): void => {
    const one = rows[row];
    live.delete(id);
    if (one === undefined) return;
    one.isLive = false;
    one.sends = requests - one.arrivedAfter;
    tokensByTool[one.tool] = (tokensByTool[one.tool] ?? 0) - one.tokens;
  };
  const replaceResult = (row: ResultRow, { tokens, truncated }: ResultFact): void => {
    if (row.isLive) tokensByTool[row.tool] = (tokensByTool[row.tool] ?? 0) + tokens - row.tokens;
    row.tokens = tokens;
    row.truncated ||= truncated;
  };

  return {
    name,
    index,
    get requests() {
      return requests;
    },
    get turns() {
      return turns;
    },
    get calls() {
      return calls;
    },
    requestsByTurn,
    turn() {
      if (isTurnNew) return;
      isTurnNew = true;
      turns += 1;
      requestsByTurn.push(0);
    },
    request(id, usage) {
      let request = id === undefined ? undefined : requestIds.get(id);
      if (request === undefined) {
        requests += 1;
        request = requests;
        isTurnNew = false;
        requestsByTurn[turns] = (requestsByTurn[turns] ?? 0) + 1;
        if (id !== undefined) requestIds.set(id, request);
        timeline.add({ request, tools: tokensByTool.map((tokens) => tokens ?? 0), words });
      }
      if (usage === undefined) return;
      const key = id ?? `#${request}`;
      const place = usagePlaces.get(key) ?? usages.length;
      usagePlaces.set(key, place);
      usages[place] = usage;
      if (usage.inputTokens !== undefined) timeline.setInput(request, usage.inputTokens);
    },
    words(tokens) {
      words += tokens;
    },
    call(call) {
      // A transcript that goes on with another repeats its lines.
      if (callIds.has(call.id)) return;
      callIds.add(call.id);
      calls += 1;
      words += call.tokens;
      openCalls.set(call.id, { ...call, isRepeat: seen.has(call, isLive) });
    },
    result(result) {
      const existing = live.get(result.id);
      const known = existing === undefined ? undefined : rows[existing];
      if (known !== undefined) {
        if (result.replaces === true) replaceResult(known, result);
        return;
      }
      const call = openCalls.get(result.id);
      // The second result of a call that has left already, or was never there.
      if (call === undefined && (callIds.has(result.id) || result.replaces === true)) return;
      openCalls.delete(result.id);
      callIds.add(result.id);
      if (call === undefined) calls += 1;
      const tool = tools.index(call?.tool ?? result.tool ?? "?");
      const [path] = call?.paths.length === 1 ? call.paths : [];
      const row = rows.length;
      rows.push({
        context: index,
        turn: turns,
        tool,
        path: path === undefined ? -1 : paths.index(path),
        callKind: call?.callKind ?? "other",
        tokens: result.tokens,
        images: result.images,
        isError: result.isError,
        truncated: result.truncated,
        isRepeat: call?.isRepeat === true && !result.isError,
        arrivedAfter: requests,
        sends: 0,
        isLive: true,
      });
      live.set(result.id, row);
      tokensByTool[tool] = (tokensByTool[tool] ?? 0) + result.tokens;
      if (call === undefined || result.isError) return;
      seen.add(call, row, result.truncated);
      seen.forget(call);
    },
    compact(leaves) {
      if (!leaves.all) {
        for (const id of leaves.cleared) {
          const row = live.get(id);
          if (row !== undefined) leave(id, row);
        }
        return;
      }
      const kept = new Set(leaves.keep ?? []);
      const newest = leaves.keepNewest ?? 0;
      const ids = [...live.keys()];
      for (const id of ids.slice(0, ids.length - newest)) {
        const row = live.get(id);
        if (row !== undefined && !kept.has(id)) leave(id, row);
      }
      words = 0;
    },
    close() {
      for (const [id, row] of [...live]) leave(id, row);
    },
    usages: () => usages,
    timeline: () => timeline.points(),
  };
}
