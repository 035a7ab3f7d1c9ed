import { isCheckpointError } from "@spillway/checkpoint";
import { isHostError } from "../error.ts";
import type { CommandName, ParsedArguments } from "./arguments.ts";
import { EXIT } from "./exit-code.ts";
import type { Output } from "./output.ts";

/** What a command works with. It returns the exit code and never ends the process itself. */
export interface CommandContext {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type Command = (parsed: ParsedArguments, context: CommandContext) => Promise<number>;

const LOADERS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  demo: async () => (await import("./demo.ts")).demoCommand,
  run: async () => (await import("./run.ts")).runCommand,
  resume: async () => (await import("./run.ts")).resumeCommand,
  sessions: async () => (await import("./sessions.ts")).sessionsCommand,
  clean: async () => (await import("./sessions.ts")).cleanCommand,
  config: async () => (await import("./config.ts")).configCommand,
  models: async () => (await import("./models.ts")).modelsCommand,
  tool: async () => (await import("./tool.ts")).toolCommand,
  mcp: async () => (await import("./mcp.ts")).mcpCommand,
  report: async () => (await import("./report.ts")).reportCommand,
};

/** Runs a command; an expected failure is a line on standard error and an exit code. */
export async function runCommand(parsed: ParsedArguments, context: CommandContext): Promise<number> {
  try {
    const command = await LOADERS[parsed.command]();
    return await command(parsed, context);
  } catch (error) {
    if (context.stdout.broken.aborted) return EXIT.brokenPipe;
    await context.stderr.line(`spillway: ${messageOf(error)}`);
    return isUsage(error) ? EXIT.usage : EXIT.failed;
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const expected = isHostError(error) || isCheckpointError(error) || error instanceof RangeError;
  // A stack helps only whoever mends a fault of ours.
  return expected ? error.message : (error.stack ?? error.message);
}

const USAGE_CODES: ReadonlySet<string> = new Set(["CONFIG_INVALID", "MODEL_UNAVAILABLE", "SESSION_NOT_FOUND"]);

function isUsage(error: unknown): boolean {
  return (isHostError(error) && USAGE_CODES.has(error.code)) || error instanceof RangeError;
}
