// The one place where a failure becomes data.
import type { z } from "zod";
import { normalizeArguments, type PropertySchema } from "./arguments.ts";
import { isToolError, ToolError } from "./error.ts";
import type { OutcomeError, ToolOutcome } from "./outcome.ts";
import type { Tool, ToolEnv } from "./tool.ts";

/** Any tool, as `call` sees it: what it takes was parsed by its own schema. */
export interface AnyTool extends Omit<Tool<never, object>, "inputSchema" | "outputSchema"> {
  readonly inputSchema: z.ZodType;
  readonly outputSchema: z.ZodType;
}

/**
 * Parses the arguments, runs the tool and gives the outcome as data. It never throws for what a tool did.
 * @throws the abort reason when the signal was aborted before the call began.
 */
export async function callTool(
  tool: AnyTool,
  properties: Readonly<Record<string, PropertySchema>>,
  args: unknown,
  env: ToolEnv,
): Promise<ToolOutcome> {
  env.signal.throwIfAborted();
  try {
    const normalized = normalizeArguments(tool.name, args, properties);
    const result = await tool.execute(parseArguments(tool, properties, normalized.args), env);
    // Each tool's factory ties its name to its result type; the union is rebuilt here.
    return { ok: true, tool: tool.name, result: withNotice(result, normalized.adjustments) } as ToolOutcome;
  } catch (error) {
    return failure(tool, error, env.signal);
  }
}

/** @throws ToolError INVALID_ARGUMENT that names the field, the value and what is accepted. */
export function parseArguments(
  tool: AnyTool,
  properties: Readonly<Record<string, PropertySchema>>,
  args: Record<string, unknown>,
): never {
  const parsed = tool.inputSchema.safeParse(args);
  if (parsed.success) return parsed.data as never;
  const issue = parsed.error.issues[0];
  throw issue === undefined
    ? new ToolError("INVALID_ARGUMENT", `${tool.name} got bad arguments`)
    : refusal(tool.name, args, issue, properties[String(issue.path[0])]?.unit);
}

function refusal(
  tool: string,
  args: Record<string, unknown>,
  issue: z.core.$ZodIssue,
  unit: string | undefined,
): ToolError {
  const field = issue.path.join(".");
  const name = String(issue.path[0] ?? "");
  const missing = name !== "" && !Object.hasOwn(args, name);
  const what = missing
    ? `${tool} needs "${field}"`
    : `${tool} cannot take ${field === "" ? "these arguments" : `"${field}" ${shown(args[name])}`}`;
  return new ToolError("INVALID_ARGUMENT", what, {
    next: accepted(issue, unit),
    details: { ...(name !== "" && { argument: field }), ...(!missing && name !== "" && { value: args[name] }) },
  });
}

/** What the schema would take instead, as a next step. */
function accepted(issue: z.core.$ZodIssue, unit: string | undefined): string {
  const units = unit === undefined ? "" : ` ${unit}`;
  switch (issue.code) {
    case "invalid_type":
      return `give ${TYPE_NAMES[issue.expected] ?? `a value of type ${issue.expected}`}${unit === undefined ? "" : ` of${units}`}`;
    case "invalid_value":
      return `give one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      return issue.origin === "string" ? "give a text that is not empty" : `give at least ${issue.minimum}${units}`;
    case "too_big":
      return `give at most ${issue.maximum}${issue.origin === "string" ? " characters" : units}`;
    default:
      return lowerFirst(issue.message);
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function withNotice(result: object, adjustments: readonly string[]): object {
  if (adjustments.length === 0) return result;
  const notice = "notice" in result && typeof result.notice === "string" ? [result.notice] : [];
  return { ...result, notice: [...adjustments, ...notice].join(" ") };
}

function failure(tool: AnyTool, error: unknown, signal: AbortSignal): ToolOutcome {
  const failed = toolError(tool, error, signal);
  const data: OutcomeError = {
    code: failed.code,
    message: failed.message,
    ...(failed.next !== undefined && { next: failed.next }),
    ...(failed.details !== undefined && { details: failed.details }),
  };
  // Only Bash sets a result, and always a BashResult.
  return {
    ok: false,
    tool: tool.name,
    error: data,
    ...(failed.result !== undefined && { result: failed.result }),
  } as ToolOutcome;
}

function toolError(tool: AnyTool, error: unknown, signal: AbortSignal): ToolError {
  if (isToolError(error)) return error;
  if (signal.aborted) {
    return new ToolError("ABORTED", `${tool.name} was aborted`, { next: "call it again if it is still needed" });
  }
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new ToolError("TOOL_FAILED", `${tool.name} failed for a reason of its own (${reason})`, {
    next: "try another way, and report this fault",
    cause: error,
  });
}
