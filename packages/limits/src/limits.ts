import type { Budget } from "./budget.ts";
import { tokensForChars } from "./budget.ts";
import * as numbers from "./defaults.ts";

/** Every number of one deployment; absent result caps are off. */
export interface Limits {
  readonly search: Budget;
  readonly shell: Budget;
  readonly shellErr: Budget;
  readonly maxLineChars: number;
  readonly readDefaultLines: number;
  readonly readMaxLines: number;
  readonly readMaxChars: number;
  readonly grepHeadLimit: number;
  readonly globLimit: number;
  readonly globMaxLimit: number;
  readonly captureMaxBytes: number;
  readonly captureMaxLines: number;
  readonly spillMaxBytes: number;
  readonly bashTimeoutS: number;
  readonly bashMinTimeoutS: number;
  readonly bashMaxTimeoutS: number;
  readonly editOpsMaxBytes: number;
  readonly editMaxOps: number;
  readonly retainedUserMessageTokens: number;
  readonly resultMaxChars?: number;
  readonly resultMaxTokens?: number;
  readonly errorMaxChars?: number;
}

/** Overrides for `resolveLimits`: any field, budgets field by field. */
export type PartialLimits = {
  readonly [Name in keyof Limits]?: Limits[Name] extends Budget ? Partial<Budget> : Limits[Name];
};

export const DEFAULT_LIMITS: Limits = Object.freeze({
  search: numbers.BUDGET_SEARCH,
  shell: numbers.BUDGET_SHELL,
  shellErr: numbers.BUDGET_SHELL_ERR,
  maxLineChars: numbers.MAX_LINE_CHARS,
  readDefaultLines: numbers.READ_DEFAULT_LINES,
  readMaxLines: numbers.READ_MAX_LINES,
  readMaxChars: numbers.READ_MAX_CHARS,
  grepHeadLimit: numbers.GREP_HEAD_LIMIT,
  globLimit: numbers.GLOB_LIMIT,
  globMaxLimit: numbers.GLOB_MAX_LIMIT,
  captureMaxBytes: numbers.CAPTURE_MAX_BYTES,
  captureMaxLines: numbers.CAPTURE_MAX_LINES,
  spillMaxBytes: numbers.SPILL_MAX_BYTES,
  bashTimeoutS: numbers.BASH_TIMEOUT_S,
  bashMinTimeoutS: numbers.BASH_MIN_TIMEOUT_S,
  bashMaxTimeoutS: numbers.BASH_MAX_TIMEOUT_S,
  editOpsMaxBytes: numbers.EDIT_OPS_MAX_BYTES,
  editMaxOps: numbers.EDIT_MAX_OPS,
  retainedUserMessageTokens: numbers.RETAINED_USER_MESSAGE_TOKENS,
});

/** The token cap of one Read page: what a page of ASCII at the character ceiling weighs, so it never bites there first. */
export function readMaxTokens(limits: Pick<Limits, "readMaxChars">): number {
  return tokensForChars(limits.readMaxChars);
}
