import { EXIT } from "./exit-code.ts";
import type { Output } from "./output.ts";

/**
 * Works with a signal that Ctrl-C, TERM, HUP or a reader who went away aborts, and gives the exit code that tells which
 * it was. A second Ctrl-C leaves at once: the watchdog of the tools ends what still runs.
 */
export async function interruptible(stdout: Output, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const controller = new AbortController();
  let stopped: number | undefined;
  const stop = (code: number) => (): void => {
    if (stopped !== undefined) process.exit(stopped);
    stopped = code;
    controller.abort(new Error("Interrupted"));
  };
  const handlers = { SIGINT: stop(EXIT.interrupted), SIGTERM: stop(EXIT.terminated), SIGHUP: stop(EXIT.terminated) };
  for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
  const onBroken = (): void => controller.abort(stdout.broken.reason);
  stdout.broken.addEventListener("abort", onBroken, { once: true });
  if (stdout.broken.aborted) onBroken();
  try {
    const code = await work(controller.signal);
    return stopped ?? code;
  } catch (error) {
    if (stopped !== undefined) return stopped;
    throw error;
  } finally {
    for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
    stdout.broken.removeEventListener("abort", onBroken);
  }
}
