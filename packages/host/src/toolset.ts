import type { ToolDefinition } from "@spillway/tools";
import { jsonSchema, type ToolSet, tool } from "ai";

/** A tool as the model sees it: nothing in it can be run by the SDK. */
export type ToolSchema = Pick<ToolDefinition, "description" | "inputJsonSchema"> & { readonly name: string };

/**
 * The tools for a model request, without `execute`. The schema is not validated here: the toolbox parses arguments
 * itself, so that what it can coerce is not refused before it sees it.
 */
export function createToolSet(tools: readonly ToolSchema[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputJsonSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputJsonSchema) }),
    ]),
  );
}
