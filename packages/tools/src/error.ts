/** The closed list of codes a tool can fail with; the value says whether the same call may succeed when tried again. */
export const TOOL_ERROR_CODES = {
  INVALID_ARGUMENT: false,
  INVALID_PATTERN: false,
  PATTERN_TIMEOUT: false,
  PATH_NOT_FOUND: false,
  PATH_NOT_FILE: false,
  PATH_EXISTS: false,
  PATH_OUTSIDE_WORKSPACE: false,
  SENSITIVE_PATH: false,
  PERMISSION_DENIED: false,
  DISK_FULL: false,
  FILE_TOO_LARGE: false,
  FILE_CHANGED: true,
  TOOL_BINARY_CONTENT: false,
  RANGE_TOO_LARGE: false,
  ENCODING_UNMAPPABLE: false,
  WRITE_STALE: false,
  TOOL_FAILED: false,
  TIMEOUT: false,
  ABORTED: false,
  SHELL_NOT_FOUND: false,
  UNKNOWN_BACKGROUND_ID: false,
  WORKER_CRASHED: true,
  HOST_OVERLOADED: true,
  EDIT_TAG_REQUIRED: false,
  EDIT_TAG_MISMATCH: false,
  EDIT_TAG_UNKNOWN: false,
  EDIT_LINES_UNSEEN: false,
  EDIT_PARSE_FAILED: false,
  EDIT_RANGE_INVALID: false,
  EDIT_BLOCK_UNRESOLVED: false,
  EDIT_REGISTER_EMPTY: false,
  EDIT_REGISTER_AMBIGUOUS: false,
  EDIT_NO_CHANGE: false,
  EDIT_AMPLIFICATION_LIMIT: false,
} as const;

export type ToolErrorCode = keyof typeof TOOL_ERROR_CODES;

export interface ToolErrorOptions {
  /** One concrete next step; it is appended to the message after a colon. */
  readonly next?: string;
  /** Finer reasons and ready arguments, JSON values only. */
  readonly details?: Record<string, unknown>;
  /** What a command had printed when it failed; only Bash sets it. */
  readonly result?: unknown;
  readonly cause?: unknown;
}

/** Two paths of ordinary length and the words around them. */
const MAX_WHAT_CHARS = 1_000;

const BRAND = Symbol.for("spillway.tools.ToolError");

/** An expected failure of a tool. Thrown inside the package; `call` turns it into a `ToolOutcome`. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ToolErrorCode;
  /** The message without the next step. */
  readonly what: string;
  readonly next?: string;
  readonly details?: Record<string, unknown>;
  readonly result?: unknown;

  constructor(code: ToolErrorCode, what: string, options: ToolErrorOptions = {}) {
    const short = shortened(what);
    super(options.next === undefined ? short : `${short}: ${options.next}`, { cause: options.cause });
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    this.what = short;
    if (options.next !== undefined) this.next = options.next;
    if (options.details !== undefined) this.details = options.details;
    if (options.result !== undefined) this.result = options.result;
  }

  get retriable(): boolean {
    return TOOL_ERROR_CODES[this.code];
  }
}

/** A message quotes what it was given; how long that is must not decide how long the message is. */
function shortened(what: string): string {
  if (what.length <= MAX_WHAT_CHARS) return what;
  const half = MAX_WHAT_CHARS / 2 - 2;
  return `${what.slice(0, half)} … ${what.slice(-half)}`.toWellFormed();
}

/** Brand check: true across two installed versions of the package. */
export function isToolError(error: unknown): error is ToolError {
  return typeof error === "object" && error !== null && BRAND in error;
}
