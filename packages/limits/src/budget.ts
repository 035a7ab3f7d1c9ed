/** Which part of a payload survives a cut. */
export type KeptEnd = "head" | "tail" | "both";

/** The caps of one class of result. `maxBytes` counts UTF-8 bytes. */
export interface Budget {
  readonly maxBytes: number;
  readonly maxLines: number;
  readonly keep: KeptEnd;
}

/** A unit a cut can be counted in. */
export type Unit = "bytes" | "lines" | "chars" | "tokens";

/** Caps in any of the four units; an absent one does not bind. Tokens are estimated, see `estimateTokens`. */
export interface Caps {
  readonly maxBytes?: number;
  readonly maxLines?: number;
  readonly maxChars?: number;
  readonly maxTokens?: number;
}

export const KEPT_ENDS: readonly KeptEnd[] = Object.freeze(["head", "tail", "both"]);

/** The head's share of a budget when both ends are kept. */
export const HEAD_SHARE = 0.75;

/** The characters of ASCII that weigh one estimated token. */
export const CHARS_PER_TOKEN = 4;

/** The token cap that ASCII text of `maxChars` characters can never reach first. */
export function tokensForChars(maxChars: number): number {
  return Math.ceil(maxChars / CHARS_PER_TOKEN);
}

/** @throws RangeError when a cap is no positive safe integer or `keep` is none of the three ends. */
export function checkBudget(budget: Budget): void {
  checkCount("maxBytes", budget.maxBytes, 1);
  checkCount("maxLines", budget.maxLines, 1);
  if (KEPT_ENDS.includes(budget.keep)) return;
  throw new RangeError(`Invalid keep ${quote(budget.keep)}: pass one of "head", "tail", "both"`);
}

/** @throws RangeError when a cap is no whole number. */
export function checkCaps(caps: Caps): void {
  for (const name of ["maxBytes", "maxLines", "maxChars", "maxTokens"] as const) {
    const value = caps[name];
    if (value !== undefined) checkCount(name, value, 0);
  }
}

/** @throws RangeError when `value` is no safe integer of at least `min`. */
export function checkCount(name: string, value: unknown, min: 0 | 1): void {
  if (isCount(value, min)) return;
  throw new RangeError(
    `Invalid ${name} ${quote(value)}: pass a whole number from ${min} to ${Number.MAX_SAFE_INTEGER}`,
  );
}

export function isCount(value: unknown, min: 0 | 1): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min;
}

/** A value as it stands in an error message; strings keep their quotes so that "60" and 60 differ. */
export function quote(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return typeof value === "function" ? "a function" : String(value);
}
