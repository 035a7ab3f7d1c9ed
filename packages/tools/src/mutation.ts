import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "./error.ts";
import type { Located, LocateRequest } from "./path.ts";
import { withGrants } from "./path-grants.ts";
import { inCallOrder, takeTurn, untilReady } from "./path-locks.ts";
import type { ToolEnv } from "./tool.ts";

/** A path whose lock is held: where it led, and the request that jobs locate it by. */
export interface Held {
  readonly located: Located;
  readonly request: LocateRequest;
}

/** How long another process may keep a path before a call gives up. */
const MAX_WAIT_MS = 10_000;

/**
 * Runs `change` while this call alone may change the paths it resolved. Calls on one path, however spelled, go in the
 * order in which they were made; calls on different paths do not wait for each other.
 */
export async function whileHeld<Place, Output>(
  env: ToolEnv,
  resolve: () => Promise<{ readonly place: Place; readonly paths: readonly string[] }>,
  change: (place: Place) => Promise<Output>,
): Promise<Output> {
  const [{ place }, turn] = await inCallOrder(resolve, ({ paths }) => takeTurn(paths));
  try {
    await untilReady(turn, env.signal);
    return await change(place);
  } finally {
    turn.end();
  }
}

/** Locates one path for writing, in its place among the calls, and runs `change` while it is held. */
export function whilePathHeld<Output>(
  env: ToolEnv,
  path: string,
  change: (held: Held) => Promise<Output>,
): Promise<Output> {
  return withGrants(env, path, "write", (request) =>
    whileHeld(
      env,
      async () => {
        const located = await env.session.workers.run("locate", request, { signal: env.signal });
        return { place: { located, request }, paths: [located.absolute] };
      },
      change,
    ),
  );
}

/** Runs a job again while another process is writing the path. */
export async function untilClaimed<Output extends { readonly status: string }>(
  env: ToolEnv,
  path: string,
  run: () => Promise<Output | { readonly status: "busy"; readonly pid: number }>,
): Promise<Exclude<Output, { readonly status: "busy" }>> {
  const end = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const output = await run();
    if (!isBusy(output)) return output as Exclude<Output, { readonly status: "busy" }>;
    if (Date.now() >= end) throw stillBusy(path, output.pid);
    // Two that met step back both: unequal waits let one of them pass.
    await sleep(2 + Math.random() * 20, undefined, { signal: env.signal });
  }
}

function isBusy(output: { readonly status: string }): output is { readonly status: "busy"; readonly pid: number } {
  return output.status === "busy";
}

function stillBusy(path: string, pid: number): ToolError {
  return new ToolError("FILE_CHANGED", `"${path}" is being written by another process (${pid}) without end`, {
    next: "try again later",
    details: { path, pid },
  });
}
