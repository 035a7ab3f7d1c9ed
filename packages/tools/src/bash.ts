import type { Limits } from "@spillway/limits";
import { z } from "zod";
import { ToolError } from "./error.ts";
import { runInBackground, useBackground } from "./shell/background-calls.ts";
import type { BashResult } from "./shell/bash-result.ts";
import { type CommandCall, runInForeground } from "./shell/foreground.ts";
import { MARK_VARIABLE } from "./shell/mark.ts";
import type { DescriptionContext, Tool } from "./tool.ts";

export type { BashResult, StreamInfo } from "./shell/bash-result.ts";

export interface BashInput {
  readonly command?: string | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly background?: boolean | undefined;
  readonly id?: string | undefined;
  readonly action?: "status" | "wait" | "kill" | undefined;
}

/** Linux takes no single argument longer than 32 pages, its final NUL included (MAX_ARG_STRLEN). */
const MAX_COMMAND_BYTES = 131_071;
const MAX_NAMED_VARIABLES = 24;

export function createBashTool(context: DescriptionContext): Tool<BashInput, BashResult> {
  return {
    name: "Bash",
    description: describe(context),
    risk: "execute",
    riskOf: ({ id, action }) => (id !== undefined && action !== "kill" ? "low" : "execute"),
    inputSchema: inputSchema(context.limits),
    outputSchema: OUTPUT_SCHEMA,
    execute: (input, env) => {
      if (input.id !== undefined) return useBackground(backgroundRequest(input, input.id), env);
      const request = commandRequest(input);
      return input.background === true ? runInBackground(request, env) : runInForeground(request, env);
    },
  };
}

/** @throws ToolError INVALID_ARGUMENT */
function commandRequest(input: BashInput): CommandCall {
  const { command, action } = input;
  if (action !== undefined) {
    throw invalid("action", action, "goes with the id of a background command", "give its id, or leave action out");
  }
  if (command === undefined) {
    throw new ToolError("INVALID_ARGUMENT", 'Bash needs "command"', {
      next: 'send {"command": …}, or the id of a background command with an action',
      details: { argument: "command" },
    });
  }
  if (command.trim() === "") throw invalid("command", command, "is empty", "give the command to run");
  if (command.includes("\0")) throw invalid("command", undefined, "holds a NUL character", "write it without one");
  const bytes = Buffer.byteLength(command);
  if (bytes > MAX_COMMAND_BYTES) {
    const fault = `has ${bytes} bytes, and a command line can have ${MAX_COMMAND_BYTES}`;
    throw invalid("command", undefined, fault, "put long text into a file with Write and name the file in the command");
  }
  for (const name of Object.keys(input.env ?? {})) checkVariable(name);
  return { ...input, command };
}

/** @throws ToolError INVALID_ARGUMENT */
function checkVariable(name: string): void {
  if (name === MARK_VARIABLE) throw invalid("env", name, "belongs to the host", "leave it out");
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw invalid("env", name, "cannot name a variable", "use letters, digits and _, and no digit first");
  }
}

/** @throws ToolError INVALID_ARGUMENT */
function backgroundRequest(input: BashInput, id: string): Parameters<typeof useBackground>[0] {
  for (const name of ["command", "cwd", "env", "background"] as const) {
    if (input[name] === undefined) continue;
    throw invalid(name, input[name], "cannot be given together with id", "send either a command or an id");
  }
  if (input.action === undefined) {
    throw new ToolError("INVALID_ARGUMENT", 'Bash needs "action" with an id', {
      next: 'use "status", "wait" or "kill"',
      details: { argument: "action" },
    });
  }
  return { id, action: input.action, timeout: input.timeout };
}

function invalid(argument: string, value: unknown, fault: string, next: string): ToolError {
  const shown = value === undefined ? "" : ` ${JSON.stringify(value)}`;
  return new ToolError("INVALID_ARGUMENT", `"${argument}"${shown} ${fault}`, {
    next,
    details: { argument, ...(value !== undefined && { value }) },
  });
}

function inputSchema(limits: Limits): z.ZodType<BashInput> {
  const { bashTimeoutS, bashMinTimeoutS, bashMaxTimeoutS } = limits;
  return z.strictObject({
    command: z.string().optional().describe("The bash command line to run. Its standard input is empty."),
    timeout: z
      .number()
      .int()
      .min(bashMinTimeoutS)
      .max(bashMaxTimeoutS)
      .meta({ reduce: false, unit: "seconds" })
      .optional()
      .describe(
        `Seconds until the command and everything it started is ended: ${bashMinTimeoutS} to ${bashMaxTimeoutS}, default ${bashTimeoutS}, in the background none. For action "wait": how long to wait.`,
      ),
    cwd: z.string().optional().describe("The directory to run in, inside the workspace. Default: the workspace root."),
    env: z
      .record(
        z.string(),
        z.preprocess(
          (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
          z.string().refine((value) => !value.includes("\0"), "leave out NUL characters"),
        ),
      )
      .optional()
      .describe("Further environment variables for this command, name to value."),
    background: z
      .boolean()
      .optional()
      .describe("true: start a long-running program (a server, a watcher) and return at once with its id and log."),
    id: z.string().optional().describe("The id of a background command; goes with action, without command."),
    action: z
      .enum(["status", "wait", "kill"])
      .optional()
      .describe("With id: show its state and last output, wait for its end, or end it."),
  });
}

const STREAM_SCHEMA = z.strictObject({
  kept: z.enum(["head", "tail", "both"]),
  keptBytes: z.number(),
  keptLines: z.number(),
  totalBytes: z.number(),
  totalLines: z.number(),
  foldedBytes: z.number().optional(),
  binary: z.literal(true).optional(),
  capturedBytes: z.number().optional(),
  capturedLines: z.number().optional(),
  spillPath: z.string().optional(),
});

const OUTPUT_SCHEMA = z.strictObject({
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  ended: z.enum(["exit", "signal", "timeout", "abort", "spawn-failed", "running"]),
  durationMs: z.number(),
  truncated: z.boolean(),
  stdoutInfo: STREAM_SCHEMA,
  stderrInfo: STREAM_SCHEMA,
  endedProcesses: z.number(),
  id: z.string().optional(),
  logPath: z.string().optional(),
  notice: z.string().optional(),
}) as z.ZodType<BashResult>;

function describe({ limits, withheldVariables }: DescriptionContext): string {
  const { shell, shellErr, bashTimeoutS, bashMinTimeoutS, bashMaxTimeoutS } = limits;
  const end = (keep: string): string => (keep === "tail" ? "last" : "first");
  const size = (budget: { maxBytes: number; maxLines: number }): string =>
    `${budget.maxLines} lines / ${budget.maxBytes / 1024} KB`;
  return [
    "Runs a command with bash -c, without terminal, standard input, pager or prompts, in the workspace root or in cwd (a directory inside it; a cd does not outlive the call).",
    `It ends after timeout seconds (default ${bashTimeoutS}, ${bashMinTimeoutS} to ${bashMaxTimeoutS}) with everything it started; what it printed by then is kept.`,
    `stdout and stderr come back apart: the ${end(shell.keep)} ${size(shell)} of stdout, the ${end(shellErr.keep)} ${size(shellErr)} of stderr; a fuller copy of longer output is saved to a file that Grep and Read reach. Colours and overwritten progress lines are left out.`,
    'What is still running when the shell exits is ended. For servers and watchers use background: true: it returns an id and a log; {"id": …, "action": "status" | "wait" | "kill"} follows it up, and it ends with the session.',
    "Variables for one command go into env.",
    withheld(withheldVariables),
    "To look at files use Read, Glob and Grep: they are faster and give tags for Edit.",
  ].join("\n");
}

function withheld(names: readonly string[]): string {
  if (names.length === 0)
    return "Credentials in the host's environment are withheld from commands (at present there are none).";
  const named = names.slice(0, MAX_NAMED_VARIABLES).join(", ");
  const more = names.length > MAX_NAMED_VARIABLES ? ` and ${names.length - MAX_NAMED_VARIABLES} more` : "";
  return `These variables of the host are withheld from commands: ${named}${more}.`;
}
