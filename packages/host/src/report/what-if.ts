// What other limits would have cost. The page runs this very file: nothing of Node in here.

export type LimitedKind = "read" | "search" | "command" | "other";

/** Every result that a limit or a dropped repeat could change, in columns. */
export interface WhatIfResults {
  readonly kinds: readonly LimitedKind[];
  readonly tokens: readonly number[];
  /** Requests that carried it. */
  readonly sends: readonly number[];
  /** 1 for a result whose content was in the context already. */
  readonly repeats: readonly number[];
}

/** The most tokens that one result of a kind may have. */
export type WhatIfLimits = Readonly<Record<LimitedKind, number>> & { readonly dropRepeats: boolean };

export interface Saving {
  /** Result tokens that would not have come into the context. */
  readonly tokens: number;
  /** The same, times the requests that carried them. */
  readonly resent: number;
  /** Results that would have been shorter or not there. */
  readonly results: number;
}

export function whatIf(results: WhatIfResults, limits: WhatIfLimits): Saving {
  let tokens = 0;
  let resent = 0;
  let changed = 0;
  for (const [index, size] of results.tokens.entries()) {
    const isDropped = limits.dropRepeats && results.repeats[index] === 1;
    const saved = isDropped ? size : Math.max(0, size - limits[results.kinds[index] ?? "other"]);
    if (saved === 0) continue;
    tokens += saved;
    resent += saved * (results.sends[index] ?? 0);
    changed += 1;
  }
  return { tokens, resent, results: changed };
}

/** One limit for every kind. */
export function sameLimit(tokens: number, dropRepeats = false): WhatIfLimits {
  return { read: tokens, search: tokens, command: tokens, other: tokens, dropRepeats };
}
