import { errnoOf, fromErrno } from "../errno.ts";
import { isToolError } from "../error.ts";
import { Cancelled, createJobContext, type Envelope, type ErrorData, type Reply } from "./job-context.ts";
import type { JobContext } from "./jobs.ts";

type Job = (input: never, context: JobContext) => unknown;

/** Makes of a job, loaded with its first call, the function that piscina calls in the thread: envelope in, reply out, never a throw. */
export function answer(load: () => Promise<Job>): (envelope: Envelope) => Promise<Reply> {
  let job: Job | undefined;
  return async ({ input, cancel }) => {
    try {
      job ??= await load();
      return { ok: true, value: await job(input as never, createJobContext(cancel)) };
    } catch (error) {
      if (error instanceof Cancelled) return { ok: false, cancelled: true };
      return { ok: false, error: errorData(ofOpenedFile(error, input)) };
    }
  };
}

/** A failing disk or share shows in whatever is read of the file next; such an error does not name the file itself. */
function ofOpenedFile(error: unknown, input: unknown): unknown {
  if (errnoOf(error) === undefined || (error instanceof Error && "path" in error)) return error;
  const path = requestedPath(input);
  return path === undefined ? error : fromErrno(error, path);
}

function requestedPath(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("request" in input)) return undefined;
  const { request } = input;
  if (typeof request !== "object" || request === null || !("path" in request)) return undefined;
  return typeof request.path === "string" ? request.path : undefined;
}

function errorData(error: unknown): ErrorData {
  if (isToolError(error)) {
    return {
      code: error.code,
      message: error.what,
      ...(error.next !== undefined && { next: error.next }),
      ...(error.details !== undefined && { details: error.details }),
    };
  }
  if (error instanceof Error) {
    return { message: `${error.name}: ${error.message}`, ...(error.stack !== undefined && { stack: error.stack }) };
  }
  return { message: String(error) };
}
