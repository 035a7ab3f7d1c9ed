import type { Budget } from "./budget.ts";

export const BUDGET_SEARCH: Budget = Object.freeze({ maxBytes: 131_072, maxLines: 4_000, keep: "head" });
export const BUDGET_SHELL: Budget = Object.freeze({ maxBytes: 98_304, maxLines: 4_000, keep: "head" });
export const BUDGET_SHELL_ERR: Budget = Object.freeze({ maxBytes: 98_304, maxLines: 4_000, keep: "tail" });

export const MAX_LINE_CHARS = 16_384;
export const READ_DEFAULT_LINES = 2_000;
export const READ_MAX_LINES = 4_000;
export const READ_MAX_CHARS = 100_000;
export const GREP_HEAD_LIMIT = 200;
export const GLOB_LIMIT = 100;
export const GLOB_MAX_LIMIT = 1_000;

export const CAPTURE_MAX_BYTES = 524_288;
export const CAPTURE_MAX_LINES = 200_000;
export const SPILL_MAX_BYTES = 524_288;

export const BASH_TIMEOUT_S = 60;
export const BASH_MIN_TIMEOUT_S = 1;
export const BASH_MAX_TIMEOUT_S = 21_600;

export const EDIT_OPS_MAX_BYTES = 262_144;
export const EDIT_MAX_OPS = 200;

export const RETAINED_USER_MESSAGE_TOKENS = 20_000;
