import type { ToolEnv } from "../tool.ts";
import { type BashResult, commandResult, type Output } from "./bash-result.ts";
import { commandFailure, spawnFailure } from "./command-failure.ts";
import { createLiveChunks } from "./live-chunks.ts";
import { createSink } from "./sink.ts";
import { SpawnError } from "./start-shell.ts";
import { workingDirectory } from "./working-directory.ts";

/** The arguments of a call that runs a command; `timeout` in seconds. */
export interface CommandCall {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly timeout?: number | undefined;
}

/** Runs a command to its end. @throws ToolError TOOL_FAILED, TIMEOUT or ABORTED with `result`, and those of its start. */
export async function runInForeground(input: CommandCall, env: ToolEnv): Promise<BashResult> {
  const { session, signal, toolCallId, onOutput } = env;
  const { limits } = session;
  const cwd = await workingDirectory(env, input.cwd);
  const timeoutS = input.timeout ?? limits.bashTimeoutS;
  const output: Output = {
    stdout: createSink(limits.shell.keep === "tail" ? "tail" : "head", limits),
    stderr: createSink(limits.shellErr.keep === "head" ? "head" : "tail", limits),
  };
  const live =
    onOutput === undefined ? undefined : createLiveChunks({ toolCallId, maxBytes: limits.captureMaxBytes, onOutput });
  try {
    const end = await session.commands.run({
      command: input.command,
      cwd,
      env: input.env ?? {},
      timeoutMs: timeoutS * 1000,
      signal,
      onData: (stream, chunk) => {
        output[stream].push(chunk);
        live?.push(stream, chunk);
        return undefined;
      },
    });
    live?.finish();
    const result = await commandResult(end, output, session);
    const failure = commandFailure(result, { timeoutS, maxTimeoutS: limits.bashMaxTimeoutS });
    if (failure !== undefined) throw failure;
    return result;
  } catch (error) {
    throw error instanceof SpawnError ? spawnFailure(error, cwd) : error;
  }
}
