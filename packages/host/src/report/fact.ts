// What every transcript comes down to. A reader gives these in the order in which the model's context grew.

export const AGENTS = ["spillway", "claude-code", "codex", "pi", "kimi-code", "gemini-cli"] as const;
export type AgentName = (typeof AGENTS)[number];

/** Tokens of one request as the provider counted them; `inputTokens` holds cached ones as well. */
export interface RequestUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
}

/** What a transcript says about itself. */
export interface SessionFact {
  readonly kind: "session";
  readonly id?: string;
  readonly cwd?: string;
}

/** A person's prompt. Several without a request between them are one turn. */
export interface TurnFact {
  readonly kind: "turn";
  readonly context: string;
}

/** A model request was answered: it carried everything that came before in its context. */
export interface RequestFact {
  readonly kind: "request";
  readonly context: string;
  readonly id?: string;
  /** May come again for the same request: the last one counts. */
  readonly usage?: RequestUsage;
}

/** What left the context: everything, but for the newest results or those named, or only the results named. */
export interface CompactionFact {
  readonly kind: "compaction";
  readonly context: string;
  readonly leaves:
    | { readonly all: true; readonly keepNewest?: number; readonly keep?: readonly string[] }
    | { readonly all: false; readonly cleared: readonly string[] };
  /** A rewind or a clear is no compaction that the agent made for want of room. */
  readonly cause: "compaction" | "rewind";
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
}

/** A line that could not be used. */
export interface DamageFact {
  readonly kind: "damage";
  readonly reason: "not-json" | "oversized" | "unfinished" | "unreadable";
  readonly bytes: number;
}

interface CallStart {
  readonly kind: "call";
  readonly context: string;
  readonly id: string;
  readonly tool: string;
}

interface ResultStart {
  readonly kind: "result";
  readonly context: string;
  readonly id: string;
  /** Where the call itself is not in the transcript. */
  readonly tool?: string;
  readonly images: number;
  readonly isError: boolean;
  readonly truncated: boolean;
  /** A later version of a result that is there already. */
  readonly replaces?: boolean;
}

/** A fact as it is read: with the text, which nobody keeps. */
export type TextFact =
  | SessionFact
  | TurnFact
  | RequestFact
  | CompactionFact
  | DamageFact
  | (CallStart & { readonly args: unknown })
  | (ResultStart & { readonly text: string })
  /** Words of a person, the model or the agent that are in the context beside the results. */
  | { readonly kind: "words"; readonly context: string; readonly text: string };

export type CallKind = "read" | "search" | "command" | "edit" | "other";

/** Lines of a file that a read asked for, from 1; without an end when it did not say. */
export interface ReadRange {
  readonly start: number;
  readonly end?: number;
}

/** What a call is about, without what it says. */
export interface CallTarget {
  readonly callKind: CallKind;
  readonly paths: readonly string[];
  /** Only of a read of one file. */
  readonly range?: ReadRange;
  /** The same for calls of a tool with the same arguments. */
  readonly key: string;
}

/** A fact in numbers. */
export type Fact =
  | SessionFact
  | TurnFact
  | RequestFact
  | CompactionFact
  | DamageFact
  | (CallStart & CallTarget & { readonly tokens: number })
  | (ResultStart & { readonly tokens: number })
  | { readonly kind: "words"; readonly context: string; readonly tokens: number };
