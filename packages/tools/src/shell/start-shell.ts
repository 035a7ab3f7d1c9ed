import type { Readable } from "node:stream";
import { outputPipes } from "./output-pipes.ts";
import { type ProcessId, readProcess } from "./process-id.ts";

export interface ShellStart {
  /** Absolute path of bash. */
  readonly shell: string;
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** Program and arguments that run the shell, if not the host itself does. */
  readonly prefix?: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A shell that runs; its streams are raw and nobody reads them yet. */
export interface RunningShell {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Read before the shell had time to end; absent without procfs. */
  readonly leader?: ProcessId;
  /** What its output descriptors led to before it had time to change them. */
  readonly pipes: ReadonlySet<string>;
  /** Whether the pid is still the shell's own: alive, or not yet waited for. */
  isHeld(): boolean;
  /** Of the shell alone: what it started may still run and write. */
  readonly exited: Promise<Exit>;
}

/** One of the two is null. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The system refused to start the shell; `errno` is `E2BIG`, `EAGAIN`, … */
export class SpawnError extends Error {
  override readonly name = "SpawnError";
  readonly errno: string;

  constructor(errno: string, cause: unknown) {
    super(`The shell could not be started (${errno})`, { cause });
    this.errno = errno;
  }
}

/** execa takes 40 ms to load, so the first command does it, not the start of the host. */
export async function loadStarter(): Promise<(start: ShellStart) => RunningShell | Promise<never>> {
  const { execa } = await import("execa");
  return ({ shell, command, cwd, environment, prefix = [] }) => {
    const [program, ...args] = [...prefix, shell, "-c", "--", command];
    const child = execa(program ?? shell, args, {
      cwd,
      env: { ...environment },
      extendEnv: false,
      // A session of its own, without a controlling terminal. On Windows it would open a console window instead.
      detached: process.platform !== "win32",
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      // execa's own collecting is several times slower and its `maxBuffer` kills the command.
      buffer: false,
      reject: false,
      cleanup: false,
      windowsHide: true,
    });
    const { pid, stdout, stderr } = child;
    if (pid === undefined) {
      return child.then(({ code, cause }) => {
        throw new SpawnError(code ?? "unknown", cause);
      });
    }
    // The child itself must not be handed on: it is a promise too, for the end of its streams.
    let held = true;
    const exited = new Promise<Exit>((resolve) => {
      child.once("exit", (code, signal) => {
        held = false;
        resolve({ code, signal });
      });
    });
    const leader = readProcess(pid);
    const pipes = outputPipes(pid, [stdout, stderr]);
    return { pid, stdout, stderr, exited, pipes, isHeld: () => held, ...(leader !== undefined && { leader }) };
  };
}
