export type CheckpointErrorCode =
  | "CONTEXT_COMPACTION_FAILED"
  | "SESSION_LOCKED"
  | "JOURNAL_CLOSED"
  | "JOURNAL_UNREADABLE"
  | "JOURNAL_WRITE_FAILED";

export interface CheckpointErrorOptions {
  /** Whether the same call can succeed later without a change by the caller. */
  readonly retriable?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

const BRAND = Symbol.for("spillway.checkpoint.CheckpointError");

/** The one error of this package: branch on `code`; the message ends with what to do next. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
  readonly code: CheckpointErrorCode;
  readonly retriable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: CheckpointErrorCode, message: string, options: CheckpointErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    // Not a field: where types are emitted file by file, a symbol cannot name one.
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    this.retriable = options.retriable ?? false;
    this.details = options.details ?? {};
  }
}

/** True for a `CheckpointError` of any installed copy of this package. */
export function isCheckpointError(error: unknown): error is CheckpointError {
  return typeof error === "object" && error !== null && Reflect.get(error, BRAND) === true;
}
