import { setTimeout as sleep } from "node:timers/promises";
import { HostError } from "./error.ts";
import type { AgentEvent } from "./event.ts";
import { BrokenStreamError, classifyModelFailure } from "./model-error.ts";
import { MAX_RETRIES, retryWait } from "./retry.ts";

/** An answer whose request was refused because it was too long. `cause` is the provider's error. */
export class OverflowFailure extends Error {
  override readonly name = "OverflowFailure";
}

/** Early ends in a row after which the request itself is suspected: some providers end an overflowing stream without a word. */
const EARLY_ENDS_BEFORE_SUSPICION = 3;

export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
  /** Milliseconds before retry 1, 2, … by default `retryWait`. */
  readonly waitFor?: (retry: number, askedMs?: number) => number | undefined;
}

/**
 * Sends a request until it is answered, waiting as long as the provider asks between attempts.
 * @throws OverflowFailure, HostError MODEL_FAILED, the abort reason.
 */
export async function withRetries<Reply>(
  send: (attempt: number) => Promise<Reply>,
  options: RetryOptions,
): Promise<Reply> {
  const { signal, emit, waitFor = retryWait } = options;
  let earlyEnds = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(attempt);
    } catch (error) {
      const failure = classifyModelFailure(error, signal);
      if (failure.kind === "aborted") throw signal.reason;
      if (failure.kind === "overflow") throw new OverflowFailure(failure.message, { cause: error });
      if (failure.kind === "fatal") throw fatal(failure.message, failure.status, failure.authentication, error);
      earlyEnds = error instanceof BrokenStreamError ? earlyEnds + 1 : 0;
      if (earlyEnds === EARLY_ENDS_BEFORE_SUSPICION) {
        throw new OverflowFailure(`The stream ended early ${earlyEnds} times in a row`, { cause: error });
      }
      const waitMs = waitFor(attempt, failure.retryAfterMs);
      if (waitMs === undefined) throw exhausted(failure.message, attempt, failure.retryAfterMs, error);
      emit(retryWarning(failure.message, attempt, waitMs, failure.status));
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function retryWarning(message: string, retry: number, waitMs: number, status: number | undefined): AgentEvent {
  return {
    type: "warning",
    code: "MODEL_RETRY",
    message: `The model request failed (${message}); retry ${retry} of ${MAX_RETRIES} in ${formatWait(waitMs)}`,
    details: { retry, waitMs, ...(status === undefined ? {} : { status }) },
  };
}

function fatal(message: string, status: number | undefined, authentication: boolean, cause: unknown): HostError {
  const next = authentication ? "check the key and what it may use" : "check the model's name and settings";
  const details = status === undefined ? {} : { status };
  return new HostError("MODEL_FAILED", `The model refused the request (${message})`, { next, details, cause });
}

function exhausted(message: string, attempts: number, askedMs: number | undefined, cause: unknown): HostError {
  const what =
    askedMs !== undefined && attempts <= MAX_RETRIES
      ? `The provider asks for a wait of ${formatWait(askedMs)} (${message})`
      : `The model request failed ${attempts} times (${message})`;
  return new HostError("MODEL_FAILED", what, { next: "try again later", details: { attempts }, cause });
}

function formatWait(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
