// Which files a call of Edit is about: resolved, queued for, and rebound where the path slipped.
import { basename } from "node:path";
import { isToolError, ToolError } from "../error.ts";
import { whileHeld } from "../mutation.ts";
import type { Located, LocateRequest, PathPolicy } from "../path.ts";
import { pathPolicy } from "../path-grants.ts";
import type { ToolEnv } from "../tool.ts";
import type { EditTarget } from "../worker/edit-file.ts";

export interface EditPlace {
  readonly file: Located;
  readonly target: EditTarget;
  /** That of an `MV`. */
  readonly destination: EditTarget | undefined;
  readonly warnings: readonly string[];
}

export interface EditNames {
  readonly path: string;
  readonly tag: string;
  readonly destination: string | undefined;
}

/** Runs `change` while this call alone may change the file and the destination it named. */
export function holdEditTargets<Output>(
  env: ToolEnv,
  names: EditNames,
  change: (place: EditPlace) => Promise<Output>,
): Promise<Output> {
  return withAllGrants(env, (policy) =>
    whileHeld(
      env,
      async () => {
        const place = await resolvePlace(env, names, policy);
        const paths = [place.target.absolute, ...(place.destination === undefined ? [] : [place.destination.absolute])];
        return { place, paths };
      },
      change,
    ),
  );
}

/** The host is asked for each path that lies outside, one after the other. */
async function withAllGrants<Output>(env: ToolEnv, run: (policy: PathPolicy) => Promise<Output>): Promise<Output> {
  const granted: string[] = [];
  for (;;) {
    try {
      return await run(pathPolicy(env.session, granted));
    } catch (error) {
      if (!isToolError(error) || error.code !== "PATH_OUTSIDE_WORKSPACE") throw error;
      const resolved = error.details?.resolved;
      if (typeof resolved !== "string" || granted.includes(resolved)) throw error;
      if (!(await env.session.externalPaths(resolved, "write"))) throw error;
      env.signal.throwIfAborted();
      granted.push(resolved);
    }
  }
}

async function resolvePlace(env: ToolEnv, names: EditNames, policy: PathPolicy): Promise<EditPlace> {
  const place = await resolveFile(env, names, { path: names.path, policy, access: "write" });
  if (names.destination === undefined) return { ...place, destination: undefined };
  const destination = await resolveDestination(env, { path: names.destination, policy, access: "write" });
  return { ...place, destination };
}

async function resolveFile(
  env: ToolEnv,
  names: EditNames,
  request: LocateRequest,
): Promise<Omit<EditPlace, "destination">> {
  const file = await locate(env, request);
  if (file.kind !== "missing") return { file, target: { request, absolute: file.absolute }, warnings: [] };
  const rebound = await rebind(env, names, request);
  if (rebound !== undefined) return rebound;
  // Located for reading, a missing file is one whose name reads the same, or an error that names its siblings.
  const found = await locate(env, { ...request, access: "read" });
  const path = found.absolute;
  return { file: found, target: { request: { ...request, path }, absolute: path }, warnings: [] };
}

/** A path that does not exist stands for the one file of the session that has its name and was shown under the tag. */
async function rebind(
  env: ToolEnv,
  { path, tag }: EditNames,
  request: LocateRequest,
): Promise<Omit<EditPlace, "destination"> | undefined> {
  const candidates = env.session.snapshots.pathsWithTag(tag).filter((known) => basename(known) === basename(path));
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) return undefined;
  const file = await locate(env, { ...request, path: only });
  if (file.kind !== "file") return undefined;
  const warning = `"${path}" does not exist; "${file.path}" has this name and tag and was edited.`;
  return { file, target: { request: { ...request, path: only }, absolute: file.absolute }, warnings: [warning] };
}

async function resolveDestination(env: ToolEnv, request: LocateRequest): Promise<EditTarget> {
  const located = await locate(env, request);
  if (located.kind === "missing" && !request.path.endsWith("/")) return { request, absolute: located.absolute };
  if (located.kind === "missing") {
    throw new ToolError("INVALID_ARGUMENT", `"${request.path}" names a folder`, {
      next: "give MV the full new path of the file",
    });
  }
  throw new ToolError("PATH_EXISTS", `"${located.path}" exists already`, {
    next: located.kind === "directory" ? "give MV the full new path of the file" : "choose another name for MV",
    details: { path: located.path, kind: located.kind },
  });
}

function locate(env: ToolEnv, request: LocateRequest): Promise<Located> {
  return env.session.workers.run("locate", request, { signal: env.signal });
}
