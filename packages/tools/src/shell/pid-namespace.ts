import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ToolError } from "../error.ts";

const UNSHARE = ["unshare", "--pid", "--fork", "--kill-child"];
/** As this user without rights; from util-linux 2.38 on. */
const AS_USER = ["unshare", "--user", "--map-current-user", "--pid", "--fork", "--kill-child"];
// The first process of a namespace ignores every signal it has no handler for, so that is not the command's shell. When
// it ends, the kernel ends whoever is left in the namespace.
const INIT = ["/bin/sh", "-c", '"$@"; exit "$?"', "spillway-init"];
const PROBE_MS = 5_000;

/**
 * What to put before a command line so that it runs in a PID namespace of its own. The command sees pids of its own; a
 * shell that a signal ended exits with 128 and the signal's number.
 * @throws ToolError TOOL_FAILED where no namespace can be made.
 */
export async function pidNamespacePrefix(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  for (const prefix of [UNSHARE, AS_USER]) {
    if (await works([...prefix, "true"], env)) return [...prefix, ...INIT];
  }
  throw new ToolError("TOOL_FAILED", "Commands are to run in PID namespaces, and none can be made on this machine", {
    next: "ask the user to allow them or to switch pidNamespaces off",
  });
}

async function works([program = "", ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    await promisify(execFile)(program, args, { env, timeout: PROBE_MS });
    return true;
  } catch {
    // Not Linux, no util-linux, or not allowed: the caller says so.
    return false;
  }
}
