// Where there is no procfs (macOS, Windows): the group's signal and tree-kill. Children that moved to a session of
// their own after their parent had ended are not found there.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { signalProcess } from "./hunt.ts";

/** As in `endProcesses`: it only takes long where processors are short. */
const FORCE_MS = 5_000;
const POLL_MS = 20;

/** Ends the group and the descendants of `pid`: SIGTERM, after the grace SIGKILL. Gives whether the group is gone. */
export async function endTree(pid: number, graceMs: number): Promise<boolean> {
  await signalTree(pid, "SIGTERM");
  if (await groupGone(pid, graceMs)) return true;
  await signalTree(pid, "SIGKILL");
  return groupGone(pid, FORCE_MS);
}

async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  if (canListChildren()) {
    const { default: treeKill } = await import("tree-kill");
    await new Promise<void>((resolve) => treeKill(pid, signal, () => resolve()));
  }
  if (process.platform !== "win32") signalProcess(-pid, signal);
}

/** tree-kill runs a program to list children and dies of an uncaught ENOENT when it is missing. */
export function canListChildren(
  platform: NodeJS.Platform = process.platform,
  path: string = process.env.PATH ?? "",
): boolean {
  if (platform === "win32") return true;
  const program = platform === "darwin" ? "pgrep" : "ps";
  return path.split(delimiter).some((folder) => folder !== "" && isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not in this folder.
    return false;
  }
}

async function groupGone(pid: number, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  const group = process.platform === "win32" ? pid : -pid;
  for (;;) {
    if (!exists(group)) return true;
    if (performance.now() >= end) return false;
    await delay(POLL_MS);
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // ESRCH; EPERM means somebody else's group by now.
    return false;
  }
}
