import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { endProcesses } from "./kill.ts";
import { type EndingCall, endLeftovers, endWholeTree } from "./shell/ending.ts";
import { holdOutput } from "./shell/held-output.ts";
import { createHunt } from "./shell/hunt.ts";
import { type Launcher, LauncherLost } from "./shell/launcher.ts";
import type { StreamName } from "./shell/live-chunks.ts";
import { type Exit, loadStarter, type RunningShell, type ShellStart } from "./shell/start-shell.ts";
import type { Watchdog } from "./shell/watchdog.ts";

export interface CommandSpec extends ShellStart {
  /** Stands in the environment as well. */
  readonly mark: string;
  /** Absent: no limit. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  readonly watchdog: Watchdog;
  /** Starts the shell in the host's stead. */
  readonly launcher?: Launcher;
  /** After an abort, SIGTERM until SIGKILL, in milliseconds. Default 500. */
  readonly abortGraceMs?: () => number;
  /** The shell runs. */
  onSpawn?(): void;
  /** A promise holds the stream until it resolves. */
  onData(stream: StreamName, chunk: Uint8Array): Promise<void> | undefined;
}

/** What a session's commands are asked to run; the rest of `CommandSpec` is theirs. */
export interface CommandRequest
  extends Pick<CommandSpec, "command" | "cwd" | "timeoutMs" | "signal" | "abortGraceMs" | "onSpawn" | "onData"> {
  /** Variables of this call. */
  readonly env: Readonly<Record<string, string>>;
}

/** How a command ended. `exitCode` and `signal` are never both null, and never both set. */
export interface CommandEnd {
  readonly ended: "exit" | "signal" | "timeout" | "abort";
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** From the spawn to the shell's exit; where the tree had to be ended, to its end. */
  readonly durationMs: number;
  /** Processes that were signalled and have ended. */
  readonly endedProcesses: number;
  /** What the shell had left behind and was ended, as notices name it. */
  readonly leftovers: readonly string[];
  /** What left the session and closed the pipes: it goes on running. */
  readonly daemons: readonly string[];
  /** What could not be ended. */
  readonly survivors: readonly string[];
}

/** After SIGTERM, until SIGKILL. */
const TIMEOUT_GRACE_MS = 2_000;
const ABORT_GRACE_MS = 500;
/** How long the exit of a shell that is dead may take to be reported. */
const CLOSE_MS = 100;

/**
 * Runs one command to its end and that of its processes. When it resolves no process of the call is alive but the
 * daemons and survivors it names, both streams are closed, and `onData` is not called any more.
 * @throws SpawnError, and the abort reason when the signal was aborted before the spawn.
 */
export async function runCommand(spec: CommandSpec): Promise<CommandEnd> {
  const start = spec.launcher?.start ?? (await loadStarter());
  spec.signal.throwIfAborted();
  const begin = performance.now();
  // Said before the spawn: a host that dies in between has left nothing unwatched.
  spec.watchdog.watch(spec.mark);
  try {
    return await follow(spec, await start(spec), begin);
  } catch (error) {
    // It is not known whether the shell was started before its launcher was gone.
    if (error instanceof LauncherLost) await endMarked(spec.mark);
    spec.watchdog.unwatch(spec.mark);
    throw error;
  }
}

async function endMarked(mark: string): Promise<void> {
  await endProcesses(createHunt({ marks: [mark], pipes: new Set() }), { graceMs: 0 });
}

async function follow(spec: CommandSpec, child: RunningShell, begin: number): Promise<CommandEnd> {
  const { pid, leader, pipes } = child;
  spec.watchdog.watch(spec.mark, pid);

  let exit: Exit | undefined;
  const exited = child.exited.then((known): "exit" => {
    exit = known;
    return "exit";
  });
  const output = holdOutput([child.stdout, child.stderr]);
  take("stdout", child.stdout);
  take("stderr", child.stderr);
  const hunt = createHunt({
    marks: [spec.mark],
    ...(leader !== undefined && { leader }),
    leaderIsHeld: () => exit === undefined && child.isHeld(),
    pipes,
  });
  const call: EndingCall = { pid, begin, hunt, output, pipes, signal: spec.signal };

  spec.onSpawn?.();

  const stop = createStop(spec);
  const reason = await Promise.race([exited, stop.reason]);
  stop.dispose();
  const end = reason === "exit" ? await afterExit(call, exit, begin) : await afterStop(call, reason, begin);
  output.abandon();
  if (end.daemons.length === 0 && end.survivors.length === 0) spec.watchdog.unwatch(spec.mark);
  // The session's number may be given out again: from here on the mark alone says whose the daemons are.
  else spec.watchdog.watch(spec.mark);
  return end;

  function take(name: StreamName, stream: Readable): void {
    stream.on("data", (chunk: Uint8Array) => {
      output.touch();
      const wait = spec.onData(name, chunk);
      if (wait === undefined) return;
      stream.pause();
      void wait.finally(() => stream.resume());
    });
  }

  async function afterStop(call: EndingCall, ended: "timeout" | "abort", begin: number): Promise<CommandEnd> {
    const graceMs = ended === "timeout" ? TIMEOUT_GRACE_MS : (spec.abortGraceMs?.() ?? ABORT_GRACE_MS);
    const { forced, ...report } = await endWholeTree(call, graceMs);
    await Promise.race([exited, delay(CLOSE_MS)]);
    // A shell that answers the request with an exit code of its own was ended all the same.
    const signal = exit?.signal ?? (forced ? "SIGKILL" : "SIGTERM");
    return {
      ended,
      exitCode: null,
      signal,
      durationMs: performance.now() - begin,
      daemons: [],
      leftovers: [],
      ...report,
    };
  }
}

async function afterExit(call: EndingCall, exit: Exit | undefined, begin: number): Promise<CommandEnd> {
  const durationMs = performance.now() - begin;
  const { code = null, signal = null } = exit ?? {};
  const rest = await endLeftovers(call);
  return signal === null
    ? { ended: "exit", exitCode: code, signal, durationMs, ...rest }
    : { ended: "signal", exitCode: null, signal, durationMs, ...rest };
}

interface Stop {
  readonly reason: Promise<"timeout" | "abort">;
  dispose(): void;
}

function createStop({ signal, timeoutMs }: CommandSpec): Stop {
  let dispose = (): void => undefined;
  const reason = new Promise<"timeout" | "abort">((resolve) => {
    const abort = (): void => resolve("abort");
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => resolve("timeout"), timeoutMs);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    dispose = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
  });
  return { reason, dispose };
}
