import { ToolError } from "./error.ts";
import { nearestNames } from "./nearest.ts";

/** The part of a property's JSON Schema that coercion and refusals look at. */
export interface PropertySchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly maximum?: number;
  /** `false`: a value above `maximum` is refused, not reduced. */
  readonly reduce?: boolean;
  /** Other spellings of enum values. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** What a number counts, where models are used to another unit: named when one is refused. */
  readonly unit?: string;
}

export interface Normalized {
  readonly args: Record<string, unknown>;
  /** One sentence for each value that was reduced to its maximum; they belong into the notice. */
  readonly adjustments: readonly string[];
}

/**
 * Makes of what a model sent what the schema wants, where nothing is lost: `"20"` for 20, `"true"` for true, another
 * spelling of an enum value. Counts above their maximum are reduced. Pure; what it leaves wrong the schema refuses.
 * @throws ToolError INVALID_ARGUMENT for anything but an object and for unknown names, with the nearest known one.
 */
export function normalizeArguments(
  tool: string,
  args: unknown,
  properties: Readonly<Record<string, PropertySchema>>,
): Normalized {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new ToolError("INVALID_ARGUMENT", `${tool} takes one object of arguments, not ${describe(args)}`, {
      next: `send ${exampleObject(properties)}`,
    });
  }
  const adjustments: string[] = [];
  const normalized: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) throw unknownArgument(tool, name, Object.keys(properties));
    // Models send null for "not given".
    if (value === undefined || value === null) continue;
    normalized[name] = reduce(name, coerce(value, schema), schema, adjustments);
  }
  return { args: normalized, adjustments };
}

function unknownArgument(tool: string, name: string, known: readonly string[]): ToolError {
  const nearest = nearestNames(name, known, 1)[0];
  const all = known.join(", ");
  const next = nearest === undefined ? `${tool} takes ${all}` : `did you mean "${nearest}"? ${tool} takes ${all}`;
  return new ToolError("INVALID_ARGUMENT", `${tool} has no argument "${name}"`, {
    next,
    details: { argument: name, ...(nearest !== undefined && { nearest }), known },
  });
}

function coerce(value: unknown, schema: PropertySchema): unknown {
  if (schema.enum !== undefined && typeof value === "string") return enumValue(value, schema);
  if (typeof value !== "string") return value;
  if ((schema.type === "integer" || schema.type === "number") && /^\s*[-+]?\d+(\.0+)?\s*$/.test(value)) {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (schema.type === "boolean" && /^\s*(true|false)\s*$/i.test(value)) return value.trim().toLowerCase() === "true";
  return value;
}

function enumValue(value: string, schema: PropertySchema): unknown {
  if (schema.enum?.includes(value)) return value;
  const plain = plainSpelling(value);
  const synonym = Object.entries(schema.synonyms ?? {}).find(([name]) => plainSpelling(name) === plain)?.[1];
  if (synonym !== undefined) return synonym;
  return schema.enum?.find((known) => typeof known === "string" && plainSpelling(known) === plain) ?? value;
}

function plainSpelling(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, "");
}

function reduce(name: string, value: unknown, schema: PropertySchema, adjustments: string[]): unknown {
  if (typeof value !== "number" || schema.maximum === undefined || schema.reduce === false) return value;
  if (!Number.isInteger(value) || value <= schema.maximum) return value;
  adjustments.push(`${name} ${value} was reduced to the maximum ${schema.maximum}.`);
  return schema.maximum;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

function exampleObject(properties: Readonly<Record<string, PropertySchema>>): string {
  const first = Object.keys(properties)[0];
  return first === undefined ? "{}" : `{"${first}": …}`;
}
