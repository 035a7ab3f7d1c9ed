import type { JobContext } from "./jobs.ts";

/** What travels to the thread with every input. */
export interface Envelope {
  readonly input: unknown;
  /** One shared 32-bit flag: 1 once the caller gave up. */
  readonly cancel: SharedArrayBuffer;
}

/** What travels back. Errors go as data: a thrown error would lose its class and fields on the way. */
export type Reply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly cancelled: true }
  | { readonly ok: false; readonly cancelled?: undefined; readonly error: ErrorData };

export interface ErrorData {
  /** A `ToolErrorCode`, or undefined for a fault of the program. */
  readonly code?: string;
  readonly message: string;
  readonly next?: string;
  readonly details?: Record<string, unknown>;
  readonly stack?: string;
}

/** Thrown by a job that noticed the cancellation; it never leaves the thread as an error. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

export function createJobContext(cancel: SharedArrayBuffer): JobContext {
  const flag = new Int32Array(cancel);
  const cancelled = (): boolean => Atomics.load(flag, 0) !== 0;
  return {
    cancelled,
    throwIfCancelled: () => {
      if (cancelled()) throw new Cancelled("The caller gave up");
    },
  };
}
