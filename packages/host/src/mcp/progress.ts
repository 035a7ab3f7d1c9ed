import type { OutputChunk } from "@spillway/tools";

/** Progress of one call, towards a client that asked for it. */
export interface Progress {
  output(chunk: OutputChunk): void;
  /** Nothing is sent after it; resolves once everything before it was handed over. */
  close(): Promise<void>;
}

export interface ProgressOptions {
  readonly token: string | number;
  readonly notify: (notification: ProgressMessage) => Promise<void>;
  /** Between two signs of life of a call that prints nothing. */
  readonly heartbeatMs: number;
}

export interface ProgressMessage {
  readonly method: "notifications/progress";
  readonly params: { readonly progressToken: string | number; readonly progress: number; readonly message: string };
}

/**
 * Sends each piece of output as `{stream, seq, text, omittedBytes?}`, and `{elapsedMs}` while there is none. What a command
 * forwards is bounded by the tool, so what waits here is as well.
 */
export function createProgress({ token, notify, heartbeatMs }: ProgressOptions): Progress {
  const began = Date.now();
  const sending = new Set<Promise<void>>();
  let progress = 0;
  let closed = false;

  const send = (message: unknown): void => {
    if (closed) return;
    progress += 1;
    const params = { progressToken: token, progress, message: JSON.stringify(message) };
    // A client that is gone has no use for it; the call hears of that by its signal.
    const sent = notify({ method: "notifications/progress", params }).catch(() => undefined);
    sending.add(sent);
    void sent.then(() => sending.delete(sent));
  };
  const heartbeat = setInterval(() => send({ elapsedMs: Date.now() - began }), heartbeatMs);

  return {
    output: ({ stream, seq, text, omittedBytes }) => {
      heartbeat.refresh();
      send({ stream, seq, text, ...(omittedBytes !== undefined && { omittedBytes }) });
    },
    close: async () => {
      closed = true;
      clearInterval(heartbeat);
      await Promise.all(sending);
    },
  };
}
