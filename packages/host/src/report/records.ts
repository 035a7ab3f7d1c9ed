import type { DamageFact } from "./fact.ts";
import { isRecord, type Json } from "./json.ts";
import { type Line, type ReadLinesOptions, readLines } from "./lines.ts";

/** A line of a transcript: its record, or why there is none. */
export type RecordLine = { readonly record: Json } | { readonly damage: DamageFact };

/** The lines of one transcript from its beginning; a reader that has to look twice calls it twice. */
export type RecordSource = () => AsyncIterable<RecordLine>;

export function recordSource(path: string, options: ReadLinesOptions = {}): RecordSource {
  return async function* records() {
    for await (const line of readLines(path, options)) yield parseLine(line);
  };
}

export function parseLine({ text, bytes, ended }: Line): RecordLine {
  if (text === undefined) return { damage: { kind: "damage", reason: "oversized", bytes } };
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { record: value };
  } catch {
    // An agent that is at work, or was killed, leaves half a line at the end.
    if (!ended) return { damage: { kind: "damage", reason: "unfinished", bytes } };
  }
  return { damage: { kind: "damage", reason: "not-json", bytes } };
}
