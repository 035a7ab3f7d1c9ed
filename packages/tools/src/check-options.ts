// What types cannot keep out of a program in plain JavaScript: above all a misspelt "refuse" must not mean "allow". Pure.
import type { ToolboxOptions } from "./create-session.ts";
import type { EnvPolicy } from "./env-policy.ts";

/** @throws TypeError for an option of the wrong type, RangeError for a value that there is not; each names the option, the value and what is accepted. */
export function checkOptions(options: ToolboxOptions): void {
  const given: unknown = options;
  if (!isRecord(given)) throw new TypeError("A toolbox takes options: give { root }");
  const { secrets, daemons, externalPaths, env, pidNamespaces, workers } = options;
  for (const name of ["dataDir", "sessionId"] as const) {
    if (options[name] !== undefined && typeof options[name] !== "string")
      throw wrongType(name, options[name], "a text");
  }
  if (typeof secrets !== "function") checkOneOf("secrets", secrets, ["refuse", "allow"], " or a function");
  checkOneOf("daemons", daemons, ["end", "keep"], "");
  if (externalPaths !== undefined && typeof externalPaths !== "function" && !isTexts(externalPaths)) {
    throw wrongType("externalPaths", externalPaths, "a list of absolute paths, or a function");
  }
  if (env !== undefined) checkEnv(env);
  if (pidNamespaces !== undefined && typeof pidNamespaces !== "boolean") {
    throw wrongType("pidNamespaces", pidNamespaces, "true or false");
  }
  if (workers !== undefined && !(isRecord(workers) && typeof workers.run === "function")) {
    throw wrongType("workers", workers, "what createWorkers gives");
  }
}

function checkEnv(env: EnvPolicy): void {
  if (!isRecord(env)) throw wrongType("env", env, "{ allow, deny, set }");
  for (const name of ["allow", "deny"] as const) {
    if (env[name] !== undefined && !isTexts(env[name])) throw wrongType(`env.${name}`, env[name], "a list of names");
  }
  const { set = {} } = env;
  if (!isRecord(set)) throw wrongType("env.set", set, "an object of variables");
  for (const [name, value] of Object.entries(set)) {
    if (typeof value !== "string") throw wrongType(`env.set.${name}`, value, "a text");
  }
}

function checkOneOf(name: string, value: unknown, accepted: readonly string[], more: string): void {
  if (value === undefined || accepted.includes(String(value))) return;
  const list = accepted.map((one) => `"${one}"`).join(" or ");
  throw new RangeError(`Invalid ${name} ${shown(value)}: give ${list}${more}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function wrongType(name: string, value: unknown, accepted: string): TypeError {
  return new TypeError(`Invalid ${name} ${shown(value)}: give ${accepted}`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value);
}
