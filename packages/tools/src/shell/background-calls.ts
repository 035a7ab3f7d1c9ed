import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "../error.ts";
import type { ToolEnv } from "../tool.ts";
import type { BackgroundCommand } from "./background.ts";
import { type BashResult, endNotice, type StreamInfo } from "./bash-result.ts";
import { commandFailure, spawnFailure } from "./command-failure.ts";
import type { CommandCall } from "./foreground.ts";
import { SpawnError } from "./start-shell.ts";
import type { TailView } from "./tail.ts";
import { workingDirectory } from "./working-directory.ts";

export interface UseBackground {
  readonly id: string;
  readonly action: "status" | "wait" | "kill";
  /** Seconds. */
  readonly timeout: number | undefined;
}

/** Starts a command and returns while it runs. */
export async function runInBackground(input: CommandCall, env: ToolEnv): Promise<BashResult> {
  const cwd = await workingDirectory(env, input.cwd);
  env.signal.throwIfAborted();
  try {
    const command = await env.session.commands.background.start({
      command: input.command,
      cwd,
      env: input.env ?? {},
      ...(input.timeout !== undefined && { timeoutMs: input.timeout * 1000 }),
    });
    const usage = `Follow it up with {"id": "${command.id}", "action": "status" | "wait" | "kill"}; it ends with the session.`;
    return backgroundResult(command, env, [`Started in the background as ${command.id}.`, usage]);
  } catch (error) {
    throw error instanceof SpawnError ? spawnFailure(error, cwd) : error;
  }
}

/** Shows, waits for or ends a background command. `wait` fails as the command would have failed in the foreground. */
export async function useBackground({ id, action, timeout }: UseBackground, env: ToolEnv): Promise<BashResult> {
  const command = env.session.commands.background.find(id);
  if (command === undefined) throw unknownId(id, env.session.commands.background.ids());
  if (action === "status") return backgroundResult(command, env, []);
  if (action === "kill") {
    await command.kill();
    return backgroundResult(command, env, []);
  }
  const { bashTimeoutS, bashMaxTimeoutS } = env.session.limits;
  const waitS = timeout ?? bashTimeoutS;
  if (!(await endsWithin(command, waitS * 1000, env.signal))) {
    if (env.signal.aborted) {
      throw new ToolError("ABORTED", `Waiting for ${id} was aborted; the command still runs`, {
        next: 'wait again, or end it with action "kill"',
        details: { id },
        result: backgroundResult(command, env, []),
      });
    }
    return backgroundResult(command, env, [`Still running after ${waitS} s: wait again, look at its log, or kill it.`]);
  }
  const result = backgroundResult(command, env, []);
  const failure = commandFailure(result, { timeoutS: command.timeoutS, maxTimeoutS: bashMaxTimeoutS });
  if (failure !== undefined) throw failure;
  return result;
}

async function endsWithin(command: BackgroundCommand, ms: number, signal: AbortSignal): Promise<boolean> {
  const timer = new AbortController();
  const stop = (): void => timer.abort();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const waited = delay(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([command.ended, waited]);
  stop();
  signal.removeEventListener("abort", stop);
  return command.end() !== undefined;
}

function backgroundResult(command: BackgroundCommand, env: ToolEnv, sentences: readonly string[]): BashResult {
  const end = command.end();
  const { log } = command;
  const spillPath = log?.isWhole() === true ? log.headPath : undefined;
  const stdout = command.stdout.show(spillPath);
  const stderr = command.stderr.show(spillPath);
  const notice = [
    ...sentences,
    ...logNotice(command),
    ...(end === undefined ? [] : [endNotice(end, env.session.daemons)]),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    ended: end?.ended ?? "running",
    durationMs: Math.round(end?.durationMs ?? performance.now() - command.startedAt),
    truncated: stdout.truncated || stderr.truncated,
    stdoutInfo: streamInfo(stdout),
    stderrInfo: streamInfo(stderr),
    endedProcesses: end?.endedProcesses ?? 0,
    id: command.id,
    ...(log !== undefined && { logPath: log.headPath }),
    ...(notice !== "" && { notice }),
  };
}

function logNotice({ log }: BackgroundCommand): string[] {
  if (log === undefined) return ["Its output could not be logged; only the last of it is shown here."];
  const failure = log.failure();
  const sentences: string[] = [];
  if (log.newestPath() !== log.headPath) {
    sentences.push(
      `The log goes on in ${log.folder}: ${log.headPath} holds its beginning, ${log.newestPath()} its end.`,
    );
  }
  if (failure !== undefined) sentences.push(`The log ends early (${failure}).`);
  return sentences;
}

function streamInfo({ keptBytes, keptLines, totalBytes, totalLines }: TailView): StreamInfo {
  return { kept: "tail", keptBytes, keptLines, totalBytes, totalLines };
}

function unknownId(id: string, known: readonly string[]): ToolError {
  return new ToolError("UNKNOWN_BACKGROUND_ID", `There is no background command "${id}"`, {
    next: known.length === 0 ? "start one with background: true" : `use one of ${known.join(", ")}`,
    details: { id, known },
  });
}
