import { setMaxListeners } from "node:events";
import type { Limits } from "@spillway/limits";
import type { EnvPolicy } from "./env-policy.ts";
import { ToolError } from "./error.ts";
import { endProcesses } from "./kill.ts";
import { type BackgroundCommands, createBackgroundCommands } from "./shell/background.ts";
import { commandEnvironment } from "./shell/environment.ts";
import { findShell } from "./shell/find-shell.ts";
import { createHunt } from "./shell/hunt.ts";
import { type Launcher, shareLauncher } from "./shell/launcher.ts";
import { linkSignals } from "./shell/linked-signal.ts";
import { callMark, hostMark, sessionMark } from "./shell/mark.ts";
import { endOrphans } from "./shell/orphans.ts";
import { pidNamespacePrefix } from "./shell/pid-namespace.ts";
import { ownProcess } from "./shell/process-id.ts";
import { shareWatchdog } from "./shell/watchdog.ts";
import { type CommandEnd, type CommandRequest, runCommand } from "./shell.ts";

export interface CommandsOptions {
  /** Canonical; it also tells this session's processes from all others. */
  readonly scratchDir: string;
  readonly limits: Limits;
  readonly env: EnvPolicy;
  /** What `close` does with daemons that commands left behind. */
  readonly daemons: "end" | "keep";
  /** Each command runs in a PID namespace of its own: nothing of it can outlive it. Linux; changes the pids it sees. Default false. */
  readonly pidNamespaces?: boolean;
  /** An earlier host may have had this session: what it left running is ended. */
  readonly resumed?: boolean;
  /** Default: `process.env`. */
  readonly hostEnv?: NodeJS.ProcessEnv;
  /** A host that holds at least so many bytes of memory has a small process start its shells. Default 256 MiB. */
  readonly launchAboveBytes?: number;
}

/** The running commands of one session. */
export interface Commands {
  /** Runs one command to its end. @throws ToolError SHELL_NOT_FOUND, and what `runCommand` throws. */
  run(request: CommandRequest): Promise<CommandEnd>;
  readonly background: BackgroundCommands;
  /** Ends what runs, in the background too, and the daemons of earlier calls unless they are to be kept. */
  close(): Promise<void>;
}

/** For what is ended with the session, after SIGTERM, until SIGKILL. */
const CLOSE_GRACE_MS = 500;

/**
 * A fork copies the page tables of the whole process while its event loop stands still: 1.5 ms for 45 MB, 10 to 30 ms for
 * the several hundred of a host with many sessions.
 */
const LAUNCH_ABOVE_BYTES = 256 * 1024 * 1024;

export function createCommands(options: CommandsOptions): Commands {
  const {
    scratchDir,
    limits,
    env: policy,
    daemons,
    pidNamespaces = false,
    resumed = false,
    hostEnv = process.env,
    launchAboveBytes = LAUNCH_ABOVE_BYTES,
  } = options;
  const session = sessionMark(scratchDir);
  const host = ownProcess();
  const closing = new AbortController();
  // One listener for each command that runs, however many that are.
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<unknown>>();
  const orphans = resumed ? endOrphans(session) : Promise.resolve();
  let watchdog: ReturnType<typeof shareWatchdog> | undefined;
  let launcher: Launcher | undefined;
  let prefix: readonly string[] | undefined;
  let calls = 0;
  let daemonsLeft = false;

  const run = async (request: CommandRequest): Promise<CommandEnd> => {
    if (closing.signal.aborted) throw new ToolError("ABORTED", "The session is closed", { next: "open another one" });
    const shell = findShell(hostEnv);
    if (pidNamespaces) prefix ??= await pidNamespacePrefix(hostEnv);
    watchdog ??= shareWatchdog();
    if (process.platform !== "win32" && process.memoryUsage.rss() >= launchAboveBytes) launcher ??= shareLauncher();
    calls += 1;
    const mark = callMark(session, host, calls);
    const { env, signal, ...rest } = request;
    const environment = commandEnvironment({ host: hostEnv, policy, call: env, mark });
    const linked = linkSignals(signal, closing.signal);
    const ended = runCommand({
      ...rest,
      shell,
      ...(prefix !== undefined && { prefix }),
      mark,
      watchdog,
      ...(launcher !== undefined && { launcher }),
      environment,
      signal: linked.signal,
    });
    running.add(ended);
    try {
      const end = await ended;
      daemonsLeft ||= end.daemons.length > 0;
      if (daemons === "keep") watchdog.unwatch(mark);
      return end;
    } finally {
      running.delete(ended);
      linked.dispose();
    }
  };

  const background = createBackgroundCommands({ run, scratchDir, limits });

  return {
    run,
    background,
    close: async () => {
      const ended = background.close();
      closing.abort();
      await Promise.allSettled([...running, orphans, ended]);
      if (daemonsLeft && daemons === "end") {
        const hunt = createHunt({ marks: [hostMark(session, host)], pipes: new Set() });
        await endProcesses(hunt, { graceMs: CLOSE_GRACE_MS });
      }
      launcher?.close();
      watchdog?.close();
    },
  };
}
