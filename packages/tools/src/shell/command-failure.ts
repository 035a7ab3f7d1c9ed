import { statSync } from "node:fs";
import { ToolError } from "../error.ts";
import { type BashResult, failedSpawnResult } from "./bash-result.ts";
import type { SpawnError } from "./start-shell.ts";

export interface FailureContext {
  readonly timeoutS: number | undefined;
  readonly maxTimeoutS: number;
}

/** The error a result stands for; undefined for exit code 0 and for a command that still runs. */
export function commandFailure(result: BashResult, { timeoutS, maxTimeoutS }: FailureContext): ToolError | undefined {
  const { ended, exitCode, signal } = result;
  if (ended === "running" || (ended === "exit" && exitCode === 0)) return undefined;
  if (ended === "timeout") {
    return new ToolError("TIMEOUT", `Command timed out after ${timeoutS} s and was ended (${signal})`, {
      next:
        result.id === undefined
          ? `give it a longer timeout (at most ${maxTimeoutS} s), or start it with background: true`
          : "start it again with a longer timeout, or without one",
      details: { timeoutS, signal },
      result,
    });
  }
  if (ended === "abort") {
    return new ToolError("ABORTED", `Command was aborted and ended (${signal})`, {
      next: "run it again if it is still needed",
      details: { signal },
      result,
    });
  }
  if (ended === "signal") {
    return new ToolError("TOOL_FAILED", `Command was ended by ${signal}`, {
      next: signal === "SIGKILL" ? "find out what killed it; often memory ran out" : "look for the cause in its output",
      details: { signal },
      result,
    });
  }
  return new ToolError("TOOL_FAILED", `Command exited with code ${exitCode}`, {
    next: NEXT_STEPS[exitCode ?? 0] ?? "look for the cause in its output",
    details: { exitCode },
    result,
  });
}

/** By the exit codes that POSIX gives the shell itself. */
const NEXT_STEPS: Readonly<Record<number, string>> = {
  126: "the program was found but may not be executed; check its permissions",
  127: "a program was not found; check its name, or install it",
};

/** What it means that the shell could not be started in `cwd`. */
export function spawnFailure(error: SpawnError, cwd: string): ToolError {
  const details = { errno: error.errno };
  if (error.errno === "ENOENT" && !isDirectory(cwd)) {
    return new ToolError("PATH_NOT_FOUND", `Working directory "${cwd}" does not exist any more`, {
      next: "create it again, or give another cwd",
      details: { ...details, path: cwd },
      cause: error,
    });
  }
  if (error.errno === "ENOENT") {
    return new ToolError("SHELL_NOT_FOUND", "bash could not be started", {
      next: "ask the user to install the package bash",
      details,
      cause: error,
    });
  }
  if (error.errno === "EACCES") {
    return new ToolError("PERMISSION_DENIED", `Working directory "${cwd}" may not be entered`, {
      next: "ask the user to change its permissions, or give another cwd",
      details: { ...details, path: cwd },
      cause: error,
    });
  }
  const next =
    error.errno === "E2BIG"
      ? "put long text into a file with Write and name the file in the command"
      : "wait until other processes have ended and run it again";
  return new ToolError("TOOL_FAILED", `Command could not be started (${error.errno})`, {
    next,
    details,
    result: failedSpawnResult(),
    cause: error,
  });
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
