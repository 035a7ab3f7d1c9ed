import { z } from "zod";
import { normalizeArguments, type PropertySchema } from "./arguments.ts";
import { type AnyTool, parseArguments } from "./call.ts";
import type { Risk, ToolDefinition } from "./tool.ts";

/** A tool with what `callTool` and hosts need of its input schema, derived once. */
export interface ToolEntry {
  readonly tool: AnyTool;
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly definition: ToolDefinition;
}

/** @returns the tool beside its definition; the JSON schema is made here and nowhere else. */
export function describeTool(tool: AnyTool): ToolEntry {
  const schema = z.toJSONSchema(tool.inputSchema, { io: "input" }) as Record<string, unknown>;
  const properties = (schema.properties ?? {}) as Record<string, PropertySchema>;
  const riskOf = (args: unknown): Risk => {
    if (tool.riskOf === undefined) return tool.risk;
    try {
      return tool.riskOf(parseArguments(tool, properties, normalizeArguments(tool.name, args, properties).args));
    } catch {
      // The call itself will say what is wrong with them.
      return tool.risk;
    }
  };
  const { name, description, risk, inputSchema, outputSchema } = tool;
  const inputJsonSchema = publicSchema(schema, properties);
  return {
    tool,
    properties,
    definition: { name, description, risk, riskOf, inputSchema, outputSchema, inputJsonSchema },
  };
}

/** What models are told: without the keys that only `normalizeArguments` reads. */
function publicSchema(
  schema: Record<string, unknown>,
  properties: Readonly<Record<string, PropertySchema>>,
): Record<string, unknown> {
  const { $schema: _, ...rest } = schema;
  const shown = Object.entries(properties).map(
    ([name, { reduce: _reduce, synonyms: _synonyms, unit: _unit, ...property }]) => [name, property],
  );
  return { ...rest, properties: Object.fromEntries(shown) };
}
