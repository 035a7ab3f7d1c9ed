// JSON Schema as every client takes it.

import { z } from "zod";

type Schema = Readonly<Record<string, unknown>>;

/**
 * The schema without what zod adds of its own accord, the dialect and the bounds of a safe integer, and with alternatives in
 * place of lists of types, which some clients cannot read.
 */
export function portableSchema(schema: Schema): Record<string, unknown> {
  const entries = Object.entries(schema).filter(([name, value]) => !isNoise(name, value));
  return Object.fromEntries(entries.map(([name, value]) => portableEntry(name, value)));
}

function portableEntry(name: string, value: unknown): [string, unknown] {
  if (name === "type" && Array.isArray(value)) return ["anyOf", value.map((type) => ({ type }))];
  // A schema that says nothing says "anything" in the shorter way.
  if (name === "additionalProperties" && isSchema(value) && Object.keys(value).length === 0) return [name, true];
  return [name, portableValue(value)];
}

function portableValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portableValue);
  return isSchema(value) ? portableSchema(value) : value;
}

function isNoise(name: string, value: unknown): boolean {
  if (name === "$schema") return true;
  if (name === "maximum") return value === Number.MAX_SAFE_INTEGER;
  return name === "minimum" && value === Number.MIN_SAFE_INTEGER;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null;
}

/** What the data of a result looks like: an object, also where it is one of several. */
export function outputSchema(schema: z.ZodType): Record<string, unknown> {
  return { type: "object", ...portableSchema(z.toJSONSchema(schema, { io: "output" })) };
}
