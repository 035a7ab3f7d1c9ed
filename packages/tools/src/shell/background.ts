import { join } from "node:path";
import type { Limits } from "@spillway/limits";
import { ToolError } from "../error.ts";
import type { CommandEnd, CommandRequest } from "../shell.ts";
import { type BackgroundLog, openBackgroundLog } from "./background-log.ts";
import { claimSession } from "./session-owner.ts";
import { createTail, type Tail } from "./tail.ts";

/** Commands that run until they end, are killed, or the session closes. */
export interface BackgroundCommands {
  /** Resolves once the shell runs. @throws ToolError HOST_OVERLOADED, and what running a command throws. */
  start(request: BackgroundRequest): Promise<BackgroundCommand>;
  find(id: string): BackgroundCommand | undefined;
  /** Running ones and those that ended last, in the order of their starts. */
  ids(): readonly string[];
  close(): Promise<void>;
}

export type BackgroundRequest = Pick<CommandRequest, "command" | "cwd" | "env" | "timeoutMs">;

export interface BackgroundCommand {
  readonly id: string;
  readonly command: string;
  /** undefined: it could not be made. */
  readonly log: BackgroundLog | undefined;
  readonly stdout: Tail;
  readonly stderr: Tail;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** The limit it was started with, in seconds. */
  readonly timeoutS: number | undefined;
  /** Resolves when it and its processes have ended; never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** undefined: it still runs. */
  end(): CommandEnd | undefined;
  /** SIGTERM, after 2 s SIGKILL. */
  kill(): Promise<CommandEnd>;
}

export interface BackgroundOptions {
  readonly run: (request: CommandRequest) => Promise<CommandEnd>;
  readonly scratchDir: string;
  readonly limits: Pick<Limits, "spillMaxBytes">;
}

const MAX_RUNNING = 32;
/** Ended commands that can still be asked for. */
const MAX_ENDED = 32;
const LOG_SEGMENTS = 8;
const KILL_GRACE_MS = 2_000;
const CLOSE_GRACE_MS = 500;

export function createBackgroundCommands({ run, scratchDir, limits }: BackgroundOptions): BackgroundCommands {
  const commands = new Map<string, BackgroundCommand>();
  let started = 0;
  let closing = false;

  const start = async (request: BackgroundRequest): Promise<BackgroundCommand> => {
    const running = [...commands.values()].filter((command) => command.end() === undefined);
    if (running.length >= MAX_RUNNING) {
      throw new ToolError("HOST_OVERLOADED", `${MAX_RUNNING} background commands run already`, {
        next: 'end one of them with its id and action "kill"',
        details: { ids: running.map((command) => command.id) },
      });
    }
    started += 1;
    const id = `bg-${started}`;
    const log = await openLog(join(scratchDir, "background", `${id}-${Date.now()}`));
    const stdout = createTail();
    const stderr = createTail();
    const killed = new AbortController();
    let end: CommandEnd | undefined;
    let onSpawn = (): void => undefined;
    const spawned = new Promise<void>((resolve) => {
      onSpawn = resolve;
    });
    const follow = async (): Promise<CommandEnd> => {
      try {
        const known = await run({
          ...request,
          onSpawn,
          signal: killed.signal,
          abortGraceMs: () => (closing ? CLOSE_GRACE_MS : KILL_GRACE_MS),
          onData: (stream, chunk) => {
            (stream === "stdout" ? stdout : stderr).push(chunk);
            return log?.push(chunk);
          },
        });
        // What was asked for is an end by a signal, not an aborted call.
        end = known.ended === "abort" ? { ...known, ended: "signal" } : known;
        return end;
      } finally {
        await log?.close();
      }
    };
    const ended = follow();
    await Promise.race([spawned, ended]);
    const command: BackgroundCommand = {
      id,
      command: request.command,
      log,
      stdout,
      stderr,
      startedAt: performance.now(),
      timeoutS: request.timeoutMs === undefined ? undefined : request.timeoutMs / 1000,
      ended,
      end: () => end,
      kill: () => {
        killed.abort();
        return ended;
      },
    };
    commands.set(id, command);
    forgetOldest();
    return command;
  };

  const openLog = async (folder: string): Promise<BackgroundLog | undefined> => {
    try {
      const log = await openBackgroundLog(folder, { maxFileBytes: limits.spillMaxBytes, maxSegments: LOG_SEGMENTS });
      claimSession(scratchDir);
      return log;
    } catch {
      // What is lost is the log: the command runs, and its status shows the last output from memory.
      return undefined;
    }
  };

  const forgetOldest = (): void => {
    const over = [...commands.values()].filter((command) => command.end() !== undefined);
    for (const { id } of over.slice(0, Math.max(0, over.length - MAX_ENDED))) commands.delete(id);
  };

  return {
    start,
    find: (id) => commands.get(id),
    ids: () => [...commands.keys()],
    close: async () => {
      closing = true;
      await Promise.allSettled([...commands.values()].map((command) => command.kill()));
    },
  };
}
