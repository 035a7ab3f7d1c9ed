// What a host and its launcher say to each other. JSON values; a stream travels as the message's handle.

export interface LaunchRequest {
  readonly id: number;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type LaunchReply =
  | { readonly t: "ready" }
  /** With the stream of the shell's standard output. `start` is absent without procfs. */
  | {
      readonly t: "stdout";
      readonly id: number;
      readonly pid: number;
      readonly start?: number;
      readonly pipes: readonly string[];
    }
  /** With the stream of its standard error. */
  | { readonly t: "stderr"; readonly id: number }
  | { readonly t: "exit"; readonly id: number; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  /** The shell could not be started. */
  | { readonly t: "failed"; readonly id: number; readonly errno: string; readonly message: string };
