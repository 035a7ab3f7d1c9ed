// What a failed model request means, whatever the provider and the AI SDK version wrapped it in.
import { type Overflow, parseOverflow } from "@spillway/checkpoint";

/** What the loop does about a failed request. */
export type ModelFailure =
  | { readonly kind: "aborted" }
  | { readonly kind: "overflow"; readonly message: string; readonly overflow: Overflow }
  | { readonly kind: "retry"; readonly message: string; readonly status?: number; readonly retryAfterMs?: number }
  | { readonly kind: "fatal"; readonly message: string; readonly status?: number; readonly authentication: boolean };

/** A request whose stream ended without saying that it was finished. */
export class BrokenStreamError extends Error {
  override readonly name = "BrokenStreamError";
}

/** The facts of a failure, gathered from the error, its data and what it wraps. */
interface Facts {
  readonly texts: string[];
  readonly codes: string[];
  status?: number;
  retryable?: boolean;
  retryAfterMs?: number;
}

export function classifyModelFailure(error: unknown, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return { kind: "aborted" };
  const facts = gatherFacts(error);
  const message = messageOf(error, facts);
  const overflow = parseOverflow(error);
  if (overflow !== undefined) return { kind: "overflow", message, overflow };
  const status = facts.status === undefined ? {} : { status: facts.status };
  if (isFatal(facts)) {
    const authentication = facts.status === 401 || facts.status === 403 || isMissingKey(error);
    return { kind: "fatal", message, authentication, ...status };
  }
  const retryAfter = facts.retryAfterMs === undefined ? {} : { retryAfterMs: facts.retryAfterMs };
  return { kind: "retry", message, ...status, ...retryAfter };
}

const FATAL_CODES = /invalid_request|invalid_api_key|authentication|permission|not_found|insufficient_quota|billing/i;
const RETRIABLE_STATUS: ReadonlySet<number> = new Set([408, 409, 425, 429]);
/** Errors of the SDK itself that the same request would meet again. */
const FATAL_NAMES =
  /^AI_(?:InvalidPrompt|MissingToolResults|LoadAPIKey|LoadSetting|NoSuchModel|InvalidArgument|UnsupportedFunctionality|UnsupportedModelVersion|TypeValidation)/;

function isFatal(facts: Facts): boolean {
  if (facts.codes.some((code) => FATAL_NAMES.test(code))) return true;
  const { status } = facts;
  if (status !== undefined && status >= 400 && status < 500) {
    // An exhausted quota is a 429 that no waiting mends.
    return !RETRIABLE_STATUS.has(status) || facts.codes.some((code) => /insufficient_quota|billing/i.test(code));
  }
  if (status !== undefined && status >= 500) return false;
  // No status, or 200 for a stream that broke: only what says it was refused is final.
  return facts.retryable !== true && facts.codes.some((code) => FATAL_CODES.test(code));
}

function isMissingKey(error: unknown): boolean {
  return field(error, "name") === "AI_LoadAPIKeyError";
}

/** At most this deep: an error that wraps itself must end somewhere. */
const MAX_DEPTH = 6;

function gatherFacts(error: unknown): Facts {
  const facts: Facts = { texts: [], codes: [] };
  visit(error, facts, 0);
  return facts;
}

function visit(value: unknown, facts: Facts, depth: number): void {
  if (depth > MAX_DEPTH || value === undefined || value === null) return;
  if (typeof value === "string") {
    facts.texts.push(value);
    return;
  }
  if (typeof value !== "object") return;
  for (const key of ["message", "responseBody"]) pushString(facts.texts, field(value, key));
  for (const key of ["name", "code", "type"]) pushString(facts.codes, field(value, key));
  const status = field(value, "statusCode") ?? field(value, "status");
  if (typeof status === "number") facts.status ??= status;
  const retryable = field(value, "isRetryable");
  if (typeof retryable === "boolean") facts.retryable ??= retryable;
  const retryAfterMs = retryAfter(field(value, "responseHeaders"));
  if (retryAfterMs !== undefined) facts.retryAfterMs ??= retryAfterMs;
  for (const key of ["lastError", "data", "error", "response", "cause"]) visit(field(value, key), facts, depth + 1);
}

function pushString(into: string[], value: unknown): void {
  if (typeof value === "string" && value !== "") into.push(value);
}

/** Milliseconds, from `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: unknown): number | undefined {
  const milliseconds = Number(field(headers, "retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const value = field(headers, "retry-after");
  if (typeof value !== "string") return undefined;
  const seconds = Number(value);
  if (value.trim() !== "" && Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

const MAX_MESSAGE_CHARS = 500;

function messageOf(error: unknown, facts: Facts): string {
  const own = typeof error === "string" ? error : field(error, "message");
  const text = typeof own === "string" && own !== "" ? own : (facts.texts[0] ?? facts.codes[0] ?? String(error));
  return text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !(key in value)) return undefined;
  return Reflect.get(value, key);
}
