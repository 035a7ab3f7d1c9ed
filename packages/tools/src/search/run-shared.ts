// One search on several threads: one task a thread, all over the same shared work.
import type { ToolEnv } from "../tool.ts";
import { createSharedWork, joinedThreads } from "./shared-work.ts";

/** More threads only wait for the same disk. */
const MAX_THREADS = 8;

/**
 * Runs a job on every thread that is free while the search lasts; a thread that comes free too late is not waited for.
 * @returns what the threads that took part answered.
 */
export async function runShared<Output extends { readonly joined: boolean }>(
  env: ToolEnv,
  run: (work: SharedArrayBuffer, signal: AbortSignal) => Promise<Output>,
): Promise<Output[]> {
  env.signal.throwIfAborted();
  const work = createSharedWork();
  const rest = new AbortController();
  const abort = (): void => rest.abort(env.signal.reason);
  env.signal.addEventListener("abort", abort, { once: true });
  const answers: Output[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      for (let thread = 0; thread < Math.min(env.session.workers.threads, MAX_THREADS); thread += 1) {
        run(work, rest.signal).then((answer) => {
          if (answer.joined) answers.push(answer);
          if (answers.length === joinedThreads(work)) resolve();
        }, reject);
      }
    });
    return answers;
  } finally {
    env.signal.removeEventListener("abort", abort);
    rest.abort(new Error("The search is over"));
  }
}
