/** The closed list of codes a run, a session or the command line can fail with, beside those of CheckpointError. */
export const HOST_ERROR_CODES = [
  "CONFIG_INVALID",
  "MODEL_UNAVAILABLE",
  "MODEL_FAILED",
  "CONTEXT_COMPACTION_FAILED",
  "SESSION_NOT_FOUND",
  "REPEATED_FAILURE",
  "MUTATION_RETRY_BUDGET_EXHAUSTED",
  "HOST_FAILED",
] as const;

export type HostErrorCode = (typeof HOST_ERROR_CODES)[number];

export interface HostErrorOptions {
  /** One concrete next step; it is appended to the message after a colon. */
  readonly next?: string;
  /** Finer facts, JSON values only. */
  readonly details?: Record<string, unknown>;
  readonly cause?: unknown;
}

const BRAND = Symbol.for("spillway.host.HostError");

/** An expected failure of the host. A run reports it as its `error`; functions outside a run throw it. */
export class HostError extends Error {
  override readonly name = "HostError";
  readonly code: HostErrorCode;
  readonly next?: string;
  readonly details?: Record<string, unknown>;

  constructor(code: HostErrorCode, what: string, options: HostErrorOptions = {}) {
    super(options.next === undefined ? what : `${what}: ${options.next}`, { cause: options.cause });
    // Not a field: a declared one cannot be named by a symbol where types are emitted file by file.
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    if (options.next !== undefined) this.next = options.next;
    if (options.details !== undefined) this.details = options.details;
  }
}

/** Brand check: true across two installed versions of the package. */
export function isHostError(error: unknown): error is HostError {
  return typeof error === "object" && error !== null && BRAND in error;
}
