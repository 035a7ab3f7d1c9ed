export type { Budget, Caps, KeptEnd, Unit } from "./budget.ts";
export { type Capture, type CaptureOptions, type CaptureResult, createCapture } from "./capture.ts";
export { clipLine } from "./clip.ts";
export { takeTokens, takeWithin } from "./cut.ts";
export {
  BASH_MAX_TIMEOUT_S,
  BASH_MIN_TIMEOUT_S,
  BASH_TIMEOUT_S,
  BUDGET_SEARCH,
  BUDGET_SHELL,
  BUDGET_SHELL_ERR,
  CAPTURE_MAX_BYTES,
  CAPTURE_MAX_LINES,
  EDIT_MAX_OPS,
  EDIT_OPS_MAX_BYTES,
  GLOB_LIMIT,
  GLOB_MAX_LIMIT,
  GREP_HEAD_LIMIT,
  MAX_LINE_CHARS,
  READ_DEFAULT_LINES,
  READ_MAX_CHARS,
  READ_MAX_LINES,
  RETAINED_USER_MESSAGE_TOKENS,
  SPILL_MAX_BYTES,
} from "./defaults.ts";
export { type Fit, fitLines } from "./fit.ts";
export { DEFAULT_LIMITS, type Limits, type PartialLimits, readMaxTokens } from "./limits.ts";
export { CHECKPOINT_MARKER } from "./marker.ts";
export { byteLength, countLines, estimateTokens, splitLines, type TokenCounter } from "./measure.ts";
export { type TruncateMiddleOptions, truncateMiddle } from "./middle.ts";
export { resolveLimits } from "./resolve.ts";
export { truncate } from "./truncate.ts";
export type { CaptureTotals, Omitted, PartialLine, StoppedBy, TruncateOptions, Truncation } from "./truncation.ts";
