import { randomUUID } from "node:crypto";
import { isRecord } from "./record.ts";
import { storableJson } from "./storable.ts";

/** One line of a journal. */
export interface Fact {
  readonly v: 1;
  readonly id: string;
  /** When it was appended, ISO 8601 in UTC. */
  readonly ts: string;
  /** What kind of fact it is: "user", "assistant", "start", "result", "checkpoint", or the host's own. */
  readonly t: string;
  readonly [field: string]: unknown;
}

/** A fact to append; id and time are given to it unless it brings its own. */
export interface NewFact {
  readonly t: string;
  readonly id?: string;
  readonly ts?: string;
  readonly [field: string]: unknown;
}

/** The line of a fact, without its line feed. @throws TypeError for a fact without a kind, RangeError for one too large. */
export function factLine(fact: NewFact): string {
  const { v: _, id = randomUUID(), ts = new Date().toISOString(), t, ...fields } = fact;
  if (typeof t !== "string" || t === "") throw new TypeError(`Invalid fact kind "${String(t)}": give t a name`);
  const line = storableJson({ v: VERSION, id, ts, t, ...fields });
  const bytes = Buffer.byteLength(line);
  if (bytes > MAX_LINE_BYTES) {
    throw new RangeError(
      `Fact "${t}" of ${bytes} bytes: a line holds at most ${MAX_LINE_BYTES} — store large data in a file and its path in the fact`,
    );
  }
  return line;
}

export type ParsedLine =
  | { readonly fact: Fact; readonly damage?: never; readonly isNewer?: never }
  | { readonly fact?: never; readonly damage: string; readonly isNewer: boolean };

/** A line as a fact, or the reason why it is none. */
export function parseFact(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { damage: "not JSON", isNewer: false };
  }
  if (!isRecord(value)) return { damage: "not a record", isNewer: false };
  if (isFact(value)) return { fact: value };
  if (value.v === VERSION) return { damage: "no id, time or kind", isNewer: false };
  const isNewer = typeof value.v === "number" && value.v > VERSION;
  return isNewer
    ? { damage: `written by a newer version (v ${value.v})`, isNewer }
    : { damage: "no known version", isNewer };
}

function isFact(value: Record<string, unknown>): value is Record<string, unknown> & Fact {
  return (
    value.v === VERSION && [value.id, value.ts, value.t].every((field) => typeof field === "string" && field !== "")
  );
}

const VERSION = 1;
/** Far above any bounded result, far below the longest string a process can hold. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024;
