import type { Writable } from "node:stream";

/** Writes that lose nothing: whoever writes waits until the reader has taken it, and learns when the reader is gone. */
export interface Output {
  readonly isTerminal: boolean;
  /** Columns of the terminal, 80 elsewhere. */
  readonly width: number;
  write(text: string): Promise<void>;
  line(text?: string): Promise<void>;
  /** Aborted once the reader is gone: there is nobody left to work for. */
  readonly broken: AbortSignal;
}

export function createOutput(stream: Writable & { isTTY?: boolean; columns?: number }): Output {
  const broken = new AbortController();
  stream.on("error", (error: NodeJS.ErrnoException) => {
    broken.abort(error);
  });
  const write = (text: string): Promise<void> =>
    new Promise((resolve) => {
      if (broken.signal.aborted || text === "") return resolve();
      // The callback comes with or without an error: a closed pipe ends the wait as well.
      stream.write(text, () => resolve());
    });
  return {
    isTerminal: stream.isTTY === true,
    get width() {
      // A terminal of unknown size says 0.
      return stream.columns || 80;
    },
    write,
    line: (text = "") => write(`${text}\n`),
    broken: broken.signal,
  };
}
