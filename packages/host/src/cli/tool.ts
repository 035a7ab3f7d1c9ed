import { createToolbox, type OutcomeError, type Toolbox, type ToolOutcome } from "@spillway/tools";
import { loadConfig } from "../config.ts";
import { newSessionId } from "../session.ts";
import { workspaceFolder } from "../workspace.ts";
import type { ParsedArguments } from "./arguments.ts";
import type { CommandContext } from "./commands.ts";
import { settingFlags } from "./config.ts";
import { EXIT } from "./exit-code.ts";
import { interruptible } from "./interrupt.ts";
import { readStandardInput } from "./standard-input.ts";

/** What is printed: the outcome, or why there was no call, in the same shape. */
type Printed = ToolOutcome | { readonly ok: false; readonly tool: string; readonly error: OutcomeError };

/** One call with the authority of the person who typed it: nothing is asked, secrets are theirs to name. Paths stay inside the root. */
export async function toolCommand(parsed: ParsedArguments, context: CommandContext): Promise<number> {
  const { stdout, environment } = context;
  const [name = "", json = ""] = parsed.words;
  const { config } = await loadConfig(settingFlags(parsed), environment);
  const text = json === "-" ? await readStandardInput() : json;
  const toolbox = await createToolbox({
    root: await workspaceFolder(config.root),
    dataDir: config.dataDir,
    sessionId: `tool-${newSessionId()}`,
    secrets: "allow",
    ...(config.limits === undefined ? {} : { limits: config.limits }),
  });
  try {
    return await interruptible(stdout, async (signal) => {
      const outcome = await callOnce(toolbox, name, text, signal);
      await stdout.line(JSON.stringify(outcome));
      return outcome.ok ? EXIT.done : EXIT.failed;
    });
  } finally {
    // The spilled copies stay: the printed outcome names them.
    await toolbox.close();
  }
}

async function callOnce(toolbox: Toolbox, name: string, json: string, signal: AbortSignal): Promise<Printed> {
  let args: unknown;
  try {
    args = JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refused(
      name,
      `The arguments are not JSON (${reason})`,
      `write them like '{"path":"package.json"}', in single quotes`,
    );
  }
  if (name === "Bash" && Object(args).background === true) {
    return refused(
      name,
      '"background" is true, and what it starts would end with this one call',
      "run it without, or in a session (spillway run, spillway mcp)",
    );
  }
  try {
    return await toolbox.call(name, args, { signal });
  } catch (error) {
    // The toolbox names the nearest tool after the colon.
    if (!(error instanceof TypeError)) throw error;
    const [what = error.message, ...next] = error.message.split(": ");
    return refused(name, what, next.join(": "));
  }
}

function refused(tool: string, what: string, next: string): Printed {
  return { ok: false, tool, error: { code: "INVALID_ARGUMENT", message: `${what}: ${next}`, next } };
}
