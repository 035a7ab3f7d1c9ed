import { isToolError } from "./error.ts";
import type { Located, LocateRequest, PathPolicy } from "./path.ts";
import type { Access, Session } from "./session.ts";
import type { ToolEnv } from "./tool.ts";

/** The session's containment rules, with nothing granted beyond them. */
export function pathPolicy(session: Session, granted: readonly string[] = []): PathPolicy {
  return { workspace: session.root, scratch: session.scratchDir, granted, secrets: session.secrets };
}

/** Resolves a path in a worker. See `locate` for the errors. */
export function locatePath(env: ToolEnv, path: string, access: Access): Promise<Located> {
  return withGrants(env, path, access, (request) => env.session.workers.run("locate", request, { signal: env.signal }));
}

/** Runs a job that locates `path` by itself; when that path lies outside or holds secrets, the host is asked for this very path and the job runs once more. */
export async function withGrants<Output>(
  env: ToolEnv,
  path: string,
  access: Access,
  run: (request: LocateRequest) => Promise<Output>,
): Promise<Output> {
  let policy = pathPolicy(env.session);
  for (;;) {
    try {
      return await run({ path, policy, access });
    } catch (error) {
      const widened = await widenedPolicy(error, policy, access, env.session);
      if (widened === undefined) throw error;
      env.signal.throwIfAborted();
      policy = widened;
    }
  }
}

/** The policy that lets this refusal pass, if the host says so. Each kind is asked for once. */
async function widenedPolicy(
  error: unknown,
  policy: PathPolicy,
  access: Access,
  { externalPaths, secretPaths }: Session,
): Promise<PathPolicy | undefined> {
  const resolved = isToolError(error) ? error.details?.resolved : undefined;
  if (!isToolError(error) || typeof resolved !== "string") return undefined;
  if (error.code === "PATH_OUTSIDE_WORKSPACE" && policy.granted.length === 0) {
    return (await externalPaths(resolved, access)) ? { ...policy, granted: [resolved] } : undefined;
  }
  if (error.code === "SENSITIVE_PATH" && policy.secrets === "refuse") {
    return (await secretPaths(resolved)) ? { ...policy, secrets: "allow" } : undefined;
  }
  return undefined;
}
