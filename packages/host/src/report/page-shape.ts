import type { WhatIfLimits, WhatIfResults } from "./what-if.ts";

/** What the page's script needs beside the tables. */
export interface PageData {
  readonly totals: { readonly tokens: number; readonly resent: number };
  readonly whatIf: WhatIfResults;
  readonly ownLimits: WhatIfLimits;
  /** The slider's ends, in tokens. */
  readonly leastLimit: number;
  readonly mostLimit: number;
  readonly timeline: PageTimeline;
}

export interface PageTimeline {
  readonly requests: readonly number[];
  /** From the bottom of the stack to its top. */
  readonly layers: readonly { readonly name: string; readonly tokens: readonly number[] }[];
  /** What the provider counted, where it did. */
  readonly input: readonly (number | null)[];
  readonly compactions: readonly { readonly afterRequest: number; readonly cause: "compaction" | "rewind" }[];
}
