import { readdir } from "node:fs/promises";
import type { Workers } from "./worker/jobs.ts";
import { claimsPath } from "./write-claim.ts";

/** Before a session looks at files: what a process that died left half written is made whole. Nearly always there is nothing to do. */
export async function recoverDeadWrites(workers: Workers): Promise<void> {
  const claims = await readdir(claimsPath()).catch(() => []);
  if (claims.length === 0) return;
  // A pool that cannot start fails the first real call, with the reason.
  await workers.run("recoverWrites", undefined).catch(() => undefined);
}
