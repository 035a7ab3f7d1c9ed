// What types cannot keep out of a program in plain JavaScript, before anything is opened. Pure.
import type { AgentOptions } from "./agent.ts";
import { PERMISSION_MODES } from "./permission.ts";

/** A timer of Node takes no more; a longer one would end at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** @throws TypeError for an option of the wrong type, RangeError for a value that cannot be meant; each names the option, the value and what is accepted. */
export function checkOptions(options: AgentOptions): void {
  const given: unknown = options;
  if (typeof given !== "object" || given === null)
    throw new TypeError("createAgent takes options: give { model, root }");
  const { model, root, mode, tools, onPermission, stallMs, permissionTimeoutMs }: Partial<AgentOptions> = options;
  if (model === undefined || model === null || model === "") {
    throw new TypeError("model is missing: give a model of the AI SDK, or demoModel()");
  }
  if (typeof root !== "string" || root === "") throw new TypeError("root is missing: name the workspace directory");
  for (const name of ["dataDir", "sessionId", "system"] as const) {
    if (!isOptional(options[name], "string")) throw wrongType(name, options[name], "a text");
  }
  if (tools !== undefined && !Array.isArray(tools)) throw wrongType("tools", tools, "a list of tools");
  if (!isOptional(onPermission, "function")) throw wrongType("onPermission", onPermission, "a function");
  if (mode !== undefined && !PERMISSION_MODES.includes(mode)) {
    throw new RangeError(`Invalid mode ${shown(mode)}: use one of ${PERMISSION_MODES.join(", ")}`);
  }
  if (stallMs !== undefined && !isTimer(stallMs)) throw wrongTime("stallMs", stallMs, "");
  if (permissionTimeoutMs !== undefined && permissionTimeoutMs !== Infinity && !isTimer(permissionTimeoutMs)) {
    throw wrongTime("permissionTimeoutMs", permissionTimeoutMs, ", or Infinity");
  }
}

function isOptional(value: unknown, type: "string" | "function"): boolean {
  return value === undefined || typeof value === type;
}

function isTimer(value: number): boolean {
  return typeof value === "number" && value > 0 && value <= MAX_TIMER_MS;
}

function wrongType(name: string, value: unknown, accepted: string): TypeError {
  return new TypeError(`Invalid ${name} ${shown(value)}: give ${accepted}`);
}

function wrongTime(name: string, value: unknown, more: string): RangeError {
  return new RangeError(`Invalid ${name} ${shown(value)}: give milliseconds, up to ${MAX_TIMER_MS}${more}`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value);
}
