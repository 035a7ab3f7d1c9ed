// A small process that starts shells for a large one: a fork takes as long as the process is large.
import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { shareOne } from "../shared.ts";
import { threadFlags } from "../worker/thread-flags.ts";
import type { LaunchReply, LaunchRequest } from "./launcher-protocol.ts";
import { MARK_VARIABLE } from "./mark.ts";
import { readProcess } from "./process-id.ts";
import { type Exit, loadStarter, type RunningShell, type ShellStart, SpawnError } from "./start-shell.ts";

export interface Launcher {
  /** @throws SpawnError; LauncherLost when the launcher ended before it was known whether the shell runs. */
  start(start: ShellStart): Promise<RunningShell>;
  /** The last user ends the process. */
  close(): void;
}

/** The launcher ended in the middle of a start. */
export class LauncherLost extends SpawnError {
  constructor() {
    super("the process that starts commands was ended; this one may have begun", undefined);
  }
}

const share = shareOne(createLauncher, (launcher) => launcher.close());

/** The process's one launcher: made with the first user's first command, ended with the last user. */
export function shareLauncher(): Launcher {
  const { thing, release } = share();
  return { ...thing, close: () => void release() };
}

/** One start, from the request to the shell's exit. */
interface Call {
  readonly resolve: (shell: RunningShell) => void;
  readonly reject: (error: Error) => void;
  readonly exited: Outside<Exit>;
  begun?: { readonly stdout: Socket; readonly reply: Extract<LaunchReply, { t: "stdout" }> };
}

interface Helper {
  readonly process: ChildProcess;
  /** False: it ended before it could take a request. */
  readonly ready: Outside<boolean>;
}

function createLauncher(): Launcher {
  const calls = new Map<number, Call>();
  let helper: Helper | undefined;
  let requests = 0;
  /** No launcher comes to its start here: the host starts its shells itself. */
  let unusable = false;

  const finish = (id: number): void => {
    calls.delete(id);
    // An idle launcher does not keep the host alive.
    if (calls.size === 0) helper?.process.channel?.unref();
  };

  const lose = (lost: ChildProcess): void => {
    if (helper?.process !== lost) return;
    helper.ready.settle(false);
    helper = undefined;
    for (const call of calls.values()) {
      call.begun?.stdout.destroy();
      call.reject(new LauncherLost());
      // Of a shell that runs nobody will tell the exit any more: it counts as killed, and what is left of it is ended.
      call.exited.settle({ code: null, signal: "SIGKILL" });
    }
    calls.clear();
    if (lost.connected) lost.disconnect();
  };

  const open = (): Helper => {
    const entry = fileURLToPath(import.meta.resolve("#launcher"));
    const outer = process.env[MARK_VARIABLE];
    const opened = fork(entry, [], {
      // A session of its own: what is typed at the host's terminal does not reach it.
      detached: true,
      cwd: "/",
      // The host's flags are for the host, but for those that let a source be loaded.
      execArgv: entry.endsWith(".ts") ? threadFlags(process.execArgv) : [],
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin", ...(outer !== undefined && { [MARK_VARIABLE]: outer }) },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    opened.on("message", (reply: LaunchReply, stream: unknown) => take(reply, stream));
    opened.on("error", () => lose(opened));
    opened.on("exit", () => lose(opened));
    opened.unref();
    return { process: opened, ready: outside<boolean>() };
  };

  const take = (reply: LaunchReply, stream: unknown): void => {
    if (reply.t === "ready") {
      helper?.ready.settle(true);
      return;
    }
    const call = calls.get(reply.id);
    if (call === undefined) {
      if (stream instanceof Socket) stream.destroy();
      return;
    }
    // Whoever takes it over may come a moment later.
    if (stream instanceof Socket) stream.on("error", () => undefined);
    if (reply.t === "failed") {
      call.reject(new SpawnError(reply.errno, new Error(reply.message)));
      finish(reply.id);
    } else if (reply.t === "exit") {
      call.exited.settle({ code: reply.code, signal: reply.signal });
      finish(reply.id);
    } else if (!(stream instanceof Socket)) {
      call.reject(new LauncherLost());
    } else if (reply.t === "stdout") {
      call.begun = { stdout: stream, reply };
    } else if (call.begun !== undefined) {
      call.resolve(runningShell(call, call.begun, stream));
      delete call.begun;
    }
  };

  const ask = (to: ChildProcess, request: LaunchRequest): Promise<RunningShell> =>
    new Promise((resolve, reject) => {
      calls.set(request.id, { resolve, reject, exited: outside<Exit>() });
      to.send(request, (error) => {
        if (error !== null) lose(to);
      });
    });

  return {
    start: async (start) => {
      helper ??= unusable ? undefined : open();
      const asked = helper;
      asked?.process.channel?.ref();
      if (asked === undefined || !(await asked.ready.promise)) {
        unusable = true;
        return (await loadStarter())(start);
      }
      const { shell, command, cwd, environment, prefix = [] } = start;
      const [program = shell, ...args] = [...prefix, shell, "-c", "--", command];
      requests += 1;
      return ask(asked.process, { id: requests, program, args, cwd, env: environment });
    },
    close: () => {
      if (helper !== undefined) lose(helper.process);
    },
  };
}

function runningShell({ exited }: Call, { stdout, reply }: NonNullable<Call["begun"]>, stderr: Socket): RunningShell {
  const { pid, start, pipes } = reply;
  return {
    ...{ pid, stdout, stderr, exited: exited.promise, pipes: new Set(pipes) },
    // The launcher has waited for an ended shell before it tells of it.
    isHeld: () => start === undefined || readProcess(pid)?.start === start,
    ...(start !== undefined && { leader: { pid, start } }),
  };
}

/** A promise that is settled from outside. */
interface Outside<Value> {
  readonly promise: Promise<Value>;
  settle(value: Value): void;
}

function outside<Value>(): Outside<Value> {
  let settle: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
