/// <reference lib="es2024.string" />
import type { PairingProblem } from "./match.ts";

/**
 * The value with every lone surrogate in its strings replaced by U+FFFD; the very same value if there is none. Half a
 * character is refused by providers, and a stored one would make its session refuse to go on for ever.
 */
export function wellFormedValue<T>(value: T): T;
export function wellFormedValue(value: unknown): unknown {
  if (isWellFormed(value)) return value;
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormedValue);
  const fields = Object.entries(Object(value));
  return Object.fromEntries(fields.map(([key, field]) => [key.toWellFormed(), wellFormedValue(field)]));
}

export function textProblems(message: unknown, index: number): PairingProblem[] {
  if (isWellFormed(message)) return [];
  return [{ kind: "malformed-text", index, message: "A text of the message holds half a surrogate pair" }];
}

// Looks into strings, arrays and plain objects; anything else (bytes, URLs) holds no text of ours.
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return true;
  return Object.keys(value).every((key) => key.isWellFormed() && isWellFormed(Reflect.get(value, key)));
}
