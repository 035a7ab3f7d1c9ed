import type { GlobResult } from "../../src/glob.ts";
import type { GrepContentResult, GrepResult } from "../../src/grep.ts";
import type { OutcomeError } from "../../src/outcome.ts";
import type { Toolbox } from "../../src/toolbox.ts";

type Caller = Pick<Toolbox, "call">;

async function ok(caller: Caller, tool: "Grep" | "Glob", args: object): Promise<unknown> {
  const outcome = await caller.call(tool, args);
  if (!outcome.ok) throw new Error(`${tool} ${JSON.stringify(args)} failed: ${outcome.error.message}`);
  return outcome.result;
}

/** The result of a Grep that is expected to succeed. */
export async function grepOk(caller: Caller, args: object): Promise<GrepResult> {
  return (await ok(caller, "Grep", args)) as GrepResult;
}

/** The same in its content mode. */
export async function grepLines(caller: Caller, args: object): Promise<GrepContentResult> {
  const result = await grepOk(caller, args);
  if (!("matches" in result)) throw new Error("This is no content result");
  return result;
}

export async function globOk(caller: Caller, args: object): Promise<GlobResult> {
  return (await ok(caller, "Glob", args)) as GlobResult;
}

/** The error of a call that is expected to fail. */
export async function searchError(caller: Caller, tool: "Grep" | "Glob", args: object): Promise<OutcomeError> {
  const outcome = await caller.call(tool, args);
  if (outcome.ok) throw new Error(`${tool} ${JSON.stringify(args)} did not fail`);
  return outcome.error;
}

/** `path:line`, context lines `path-line`. */
export function places({ matches }: GrepContentResult): string[] {
  return matches.map(({ path, line, context }) => `${path}${context === true ? "-" : ":"}${line}`);
}
