import { TextDecoder } from "node:util";
import type { OutputChunk } from "../tool.ts";

export type StreamName = "stdout" | "stderr";

/** Forwards a command's output to a listener while it runs. */
export interface LiveChunks {
  push(stream: StreamName, chunk: Uint8Array): void;
  /** Forwards what is pending and each stream's last chunk; nothing is forwarded after it. */
  finish(): void;
}

export interface LiveOptions {
  readonly toolCallId: string;
  /** Bytes of each stream that are forwarded; what comes later is only counted. */
  readonly maxBytes: number;
  readonly onOutput: (chunk: OutputChunk) => void;
}

/** At most one chunk of a stream in this time. */
const INTERVAL_MS = 50;

interface Stream {
  readonly decoder: TextDecoder;
  pending: Uint8Array[];
  forwardedBytes: number;
  omittedBytes: number;
  streamSeq: number;
  /** The last bytes that were forwarded, at most three. */
  lastBytes: Uint8Array;
}

export function createLiveChunks({ toolCallId, maxBytes, onOutput }: LiveOptions): LiveChunks {
  const create = (): Stream => ({
    decoder: new TextDecoder("utf-8", { ignoreBOM: true }),
    pending: [],
    forwardedBytes: 0,
    omittedBytes: 0,
    streamSeq: 0,
    lastBytes: new Uint8Array(0),
  });
  const streams: Readonly<Record<StreamName, Stream>> = { stdout: create(), stderr: create() };
  /** Streams with pending bytes, in the order in which these came. */
  const order: StreamName[] = [];
  let timer: NodeJS.Timeout | undefined;
  let seq = 0;
  let ended = false;

  /** A fault of the listener must cost neither the command nor its result; it only hears no more. */
  const stopListening = (error: unknown): void => {
    ended = true;
    process.emitWarning(error instanceof Error ? error : String(error));
  };

  const emit = (name: StreamName, text: string, omittedBytes: number): void => {
    if (ended) return;
    const stream = streams[name];
    const omitted = omittedBytes > 0 ? { omittedBytes } : {};
    const chunk: OutputChunk = { toolCallId, seq, stream: name, streamSeq: stream.streamSeq, text, ...omitted };
    seq += 1;
    stream.streamSeq += 1;
    try {
      const heard: unknown = onOutput(chunk);
      // An async function is a listener too.
      if (heard instanceof Promise) heard.catch(stopListening);
    } catch (error) {
      stopListening(error);
    }
  };

  const flush = (): void => {
    for (const name of order.splice(0)) {
      const stream = streams[name];
      const text = stream.decoder.decode(Buffer.concat(stream.pending.splice(0)), { stream: true });
      if (text !== "") emit(name, text, 0);
    }
  };

  const tick = (): void => {
    timer = undefined;
    if (order.length === 0) return;
    flush();
    timer = setTimeout(tick, INTERVAL_MS);
  };

  return {
    push: (name, chunk) => {
      const stream = streams[name];
      const taken = Math.min(chunk.length, maxBytes - stream.forwardedBytes);
      stream.omittedBytes += chunk.length - taken;
      if (taken === 0 || ended) return;
      stream.forwardedBytes += taken;
      if (!order.includes(name)) order.push(name);
      const forwarded = chunk.subarray(0, taken);
      stream.pending.push(forwarded);
      stream.lastBytes = Buffer.concat([stream.lastBytes, forwarded.subarray(-3)]).subarray(-3);
      // After a pause the first bytes go at once; what comes in the same turn of the event loop goes with them.
      timer ??= setTimeout(tick, 0);
    },
    finish: () => {
      clearTimeout(timer);
      flush();
      for (const name of ["stdout", "stderr"] as const) finishStream(name);
      ended = true;
    },
  };

  function finishStream(name: StreamName): void {
    const stream = streams[name];
    // Of a character that the cut went through nothing is forwarded.
    if (stream.omittedBytes > 0) emit(name, "", stream.omittedBytes + unfinishedBytes(stream.lastBytes));
    else {
      const rest = stream.decoder.decode();
      if (rest !== "") emit(name, rest, 0);
    }
  }
}

/** How many bytes at the end of `bytes` are the beginning of a character whose rest is missing. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
