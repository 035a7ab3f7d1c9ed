import { DEFAULT_LIMITS, type Limits, readMaxTokens } from "@spillway/limits";
import type { WhatIfLimits } from "./what-if.ts";

const BYTES_PER_TOKEN = 4;

/** The limits of our own tools, in tokens of plain text. */
export function ownLimits(limits: Limits = DEFAULT_LIMITS): WhatIfLimits {
  return {
    read: readMaxTokens(limits),
    search: Math.ceil(limits.search.maxBytes / BYTES_PER_TOKEN),
    command: Math.ceil(limits.shell.maxBytes / BYTES_PER_TOKEN),
    other: Math.ceil(limits.shell.maxBytes / BYTES_PER_TOKEN),
    dropRepeats: false,
  };
}
