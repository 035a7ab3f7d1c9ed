// The book of a session: every result with how often it was sent, every request, every compaction. Pure.
import { type ContextBook, createContextBook } from "./context-book.ts";
import type { CallKind, CompactionFact, DamageFact, Fact, RequestUsage } from "./fact.ts";
import { createNames } from "./names.ts";

/** One result. Numbers only: `tool` and `path` are places in the ledger's lists. */
export interface ResultRow {
  readonly context: number;
  /** In its context, from 1; 0 before the first prompt. */
  readonly turn: number;
  readonly tool: number;
  /** -1 where the call is about no file, or about several. */
  readonly path: number;
  readonly callKind: CallKind;
  tokens: number;
  readonly images: number;
  readonly isError: boolean;
  truncated: boolean;
  /** What it shows was in the context already. */
  readonly isRepeat: boolean;
  /** Requests of its context before it. */
  readonly arrivedAfter: number;
  /** Requests that carried it, once it has left or the session is over. */
  sends: number;
  isLive: boolean;
}

export interface LedgerCompaction {
  readonly context: number;
  /** The last request before it. */
  readonly afterRequest: number;
  readonly cause: CompactionFact["cause"];
  readonly isPartial: boolean;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
}

export interface Ledger {
  add(fact: Fact): void;
  /** Closes the book: what is still in a context was sent with all later requests. */
  finish(): LedgerState;
}

export interface LedgerState {
  readonly id?: string;
  readonly cwd?: string;
  readonly tools: readonly string[];
  readonly paths: readonly string[];
  readonly rows: readonly ResultRow[];
  readonly contexts: readonly ContextBook[];
  readonly compactions: readonly LedgerCompaction[];
  readonly usage: UsageTotals;
  readonly calls: number;
  readonly damage: Readonly<Record<DamageFact["reason"], { readonly lines: number; readonly bytes: number }>>;
}

export interface UsageTotals {
  /** Requests whose usage the transcript has. */
  readonly requests: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly largestInputTokens: number;
}

export function createLedger(): Ledger {
  const tools = createNames();
  const paths = createNames();
  const rows: ResultRow[] = [];
  const contexts = new Map<string, ContextBook>();
  const compactions: LedgerCompaction[] = [];
  const damage = emptyDamage();
  const session: { id?: string; cwd?: string } = {};
  const bookOf = (name: string): ContextBook => {
    const known = contexts.get(name);
    if (known !== undefined) return known;
    const book = createContextBook({ name, index: contexts.size, tools, paths, rows });
    contexts.set(name, book);
    return book;
  };
  const add = (fact: Fact): void => {
    switch (fact.kind) {
      case "session":
        session.id ??= fact.id ?? "";
        session.cwd ??= fact.cwd ?? "";
        break;
      case "damage":
        damage[fact.reason].lines += 1;
        damage[fact.reason].bytes += fact.bytes;
        break;
      case "turn":
        bookOf(fact.context).turn();
        break;
      case "request":
        bookOf(fact.context).request(fact.id, fact.usage);
        break;
      case "words":
        bookOf(fact.context).words(fact.tokens);
        break;
      case "call":
        bookOf(fact.context).call(fact);
        break;
      case "result":
        bookOf(fact.context).result(fact);
        break;
      case "compaction": {
        const book = bookOf(fact.context);
        const { cause, tokensBefore, tokensAfter } = fact;
        compactions.push({
          context: book.index,
          afterRequest: book.requests,
          cause,
          isPartial: !fact.leaves.all,
          ...(tokensBefore === undefined ? {} : { tokensBefore }),
          ...(tokensAfter === undefined ? {} : { tokensAfter }),
        });
        book.compact(fact.leaves);
        break;
      }
    }
  };
  return {
    add,
    finish: () => {
      const books = [...contexts.values()];
      for (const book of books) book.close();
      return {
        ...(session.id ? { id: session.id } : {}),
        ...(session.cwd ? { cwd: session.cwd } : {}),
        tools: tools.list,
        paths: paths.list,
        rows,
        contexts: books,
        compactions,
        usage: addUsage(books.flatMap((book) => book.usages())),
        calls: books.reduce((sum, book) => sum + book.calls, 0),
        damage,
      };
    },
  };
}

function emptyDamage(): Record<DamageFact["reason"], { lines: number; bytes: number }> {
  const none = (): { lines: number; bytes: number } => ({ lines: 0, bytes: 0 });
  return { "not-json": none(), oversized: none(), unfinished: none(), unreadable: none() };
}

function addUsage(usages: readonly RequestUsage[]): UsageTotals {
  const sum = { requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, largestInputTokens: 0 };
  for (const { inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 } of usages) {
    sum.requests += 1;
    sum.inputTokens += inputTokens;
    sum.cachedInputTokens += cachedInputTokens;
    sum.outputTokens += outputTokens;
    sum.largestInputTokens = Math.max(sum.largestInputTokens, inputTokens);
  }
  return sum;
}
