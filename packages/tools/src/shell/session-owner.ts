import { existsSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isRunning, ownProcess } from "./process-id.ts";

/** The file in a session's scratch folder that says which process the session belongs to. */
export const OWNER_FILE = ".owner.json";

/** Says that this process uses the session's folder. False when that could not be written. */
export function claimSession(folder: string): boolean {
  try {
    writeFileSync(join(folder, OWNER_FILE), `${JSON.stringify({ ...ownProcess(), machine: machine() })}\n`, {
      mode: 0o600,
    });
    return true;
  } catch {
    // A full or read-only disk: what is lost is the protection from a sweep after seven days without a write.
    return false;
  }
}

export async function releaseSession(folder: string): Promise<void> {
  await rm(join(folder, OWNER_FILE), { force: true }).catch(() => undefined);
}

/** Whether a living process owns the folder. What another machine, container or boot wrote counts as dead. */
export function hasLiveOwner(folder: string): boolean {
  const path = join(folder, OWNER_FILE);
  if (!existsSync(path)) return false;
  try {
    const owner: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof owner !== "object" || owner === null) return false;
    if (!("pid" in owner && "start" in owner && "machine" in owner)) return false;
    const { pid, start } = owner;
    if (typeof pid !== "number" || typeof start !== "number" || owner.machine !== machine()) return false;
    return isRunning({ pid, start });
  } catch {
    // Torn or unreadable: nobody can be said to own it.
    return false;
  }
}

/** Start times count from a boot and pids belong to a namespace, so a claim is good only where both are the same. */
function machine(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // No procfs here.
    return hostname();
  }
}
