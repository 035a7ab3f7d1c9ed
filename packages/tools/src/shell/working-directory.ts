import { isToolError, ToolError } from "../error.ts";
import { locatePath } from "../path-grants.ts";
import type { ToolEnv } from "../tool.ts";

/**
 * The absolute directory a command runs in: the workspace, or what `cwd` names in it.
 * @throws ToolError PATH_NOT_FOUND, INVALID_ARGUMENT when it is a file, and those of `locatePath`.
 */
export async function workingDirectory(env: ToolEnv, cwd: string | undefined): Promise<string> {
  if (cwd === undefined) return env.session.root;
  // A command may write where it runs.
  const { absolute, kind, path } = await locatePath(env, cwd, "write");
  if (kind === "directory") return absolute;
  if (kind === "missing") throw await missing(env, cwd);
  throw new ToolError("INVALID_ARGUMENT", `Working directory "${path}" is a ${kind}`, {
    next: "give the directory it lies in as cwd",
    details: { argument: "cwd", value: cwd, kind },
  });
}

/** A read of the path fails with what lies near it. */
async function missing(env: ToolEnv, cwd: string): Promise<ToolError> {
  let known: ToolError | undefined;
  try {
    await locatePath(env, cwd, "read");
  } catch (error) {
    env.signal.throwIfAborted();
    if (isToolError(error)) known = error;
  }
  return new ToolError("PATH_NOT_FOUND", `Working directory "${cwd}" does not exist`, {
    next: known?.next ?? "check the path with Glob",
    details: { ...known?.details, argument: "cwd" },
  });
}
