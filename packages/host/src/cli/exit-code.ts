/** What the process exits with. */
export const EXIT = {
  /** The task, call or command was done. */
  done: 0,
  /** The run or the call failed. */
  failed: 1,
  /** Wrong usage, settings, a missing key or package. */
  usage: 2,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
  /** The reader of the output went away. */
  brokenPipe: 141,
  /** Ended by TERM. */
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
