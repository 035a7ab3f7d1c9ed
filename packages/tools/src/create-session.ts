import { randomUUID } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { type PartialLimits, resolveLimits } from "@spillway/limits";
import { checkOptions } from "./check-options.ts";
import { ColumnWalks } from "./column-walks.ts";
import { createCommands } from "./commands.ts";
import { canonicalPath, defaultDataDir } from "./data-dir.ts";
import { RegisterStore } from "./edit/registers.ts";
import type { EnvPolicy } from "./env-policy.ts";
import { contains } from "./path.ts";
import type { Access, Session } from "./session.ts";
import { SnapshotStore } from "./snapshots.ts";
import { createSpillStore, sweepDeadSessions } from "./spill.ts";
import type { Workers } from "./worker/jobs.ts";
import { shareWorkers } from "./worker/pool.ts";

export interface ToolboxOptions {
  /** The workspace: an existing directory. */
  readonly root: string;
  /** Where spilled output lies. Default: a private folder under the system's temporary one. */
  readonly dataDir?: string;
  /** Letters, digits, `-` and `_`, at most 64. Default: a new one. */
  readonly sessionId?: string;
  readonly limits?: PartialLimits;
  /** Whether files that hold secrets may be read, or a decision per canonical path. Default `refuse`. */
  readonly secrets?: "refuse" | "allow" | ((path: string) => boolean | Promise<boolean>);
  /** Paths outside the workspace that may be used: a list (a folder stands for what lies in it) or a decision per canonical path. */
  readonly externalPaths?: readonly string[] | ((path: string, access: Access) => boolean | Promise<boolean>);
  readonly env?: EnvPolicy;
  /** What `close` does with daemons that commands left behind on purpose. Default `end`. */
  readonly daemons?: "end" | "keep";
  /** Commands run in PID namespaces of their own (Linux): then not even a daemon that cleared its environment outlives its call. Default false. */
  readonly pidNamespaces?: boolean;
  /** A pool of the caller's own. Default: one pool shared by the toolboxes of the process. */
  readonly workers?: Workers;
}

/**
 * The state behind one toolbox.
 * @throws TypeError or RangeError that names the option, its value and what is accepted.
 */
export async function createSession(options: ToolboxOptions): Promise<Session> {
  checkOptions(options);
  const limits = resolveLimits(options.limits);
  const root = await workspaceRoot(options.root);
  const id = options.sessionId ?? randomUUID();
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
    throw new RangeError(`sessionId "${id}" cannot name a folder: use 1 to 64 letters, digits, "-" and "_"`);
  }
  const dataDir = resolve(options.dataDir ?? (await defaultDataDir()));
  // A folder that cannot be made costs only the spilled copies (and says so there).
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const canonicalData = await canonicalPath(dataDir);
  const scratchDir = join(canonicalData, "scratch", id);
  const env = options.env ?? {};
  const daemons = options.daemons ?? "end";
  void sweepDeadSessions(canonicalData);
  return {
    id,
    root,
    dataDir: canonicalData,
    scratchDir,
    limits,
    ...secretRules(options.secrets),
    externalPaths: await grants(options.externalPaths),
    env,
    daemons,
    workers: options.workers ?? shareWorkers(),
    snapshots: new SnapshotStore(),
    registers: new RegisterStore(),
    columnWalks: new ColumnWalks(),
    spill: createSpillStore({ dataDir: canonicalData, sessionId: id, limits }),
    commands: createCommands({
      scratchDir,
      limits,
      env,
      daemons,
      pidNamespaces: options.pidNamespaces ?? false,
      resumed: options.sessionId !== undefined,
    }),
  };
}

async function workspaceRoot(root: string): Promise<string> {
  if (typeof root !== "string" || root === "") throw new TypeError("root is missing: name the workspace directory");
  const canonical = await canonicalPath(resolve(root));
  const found = await stat(canonical).catch(() => undefined);
  if (found === undefined) throw new RangeError(`root "${root}" does not exist: name an existing directory`);
  if (!found.isDirectory()) throw new RangeError(`root "${root}" is not a directory: name the folder it lies in`);
  return canonical;
}

function secretRules(secrets: ToolboxOptions["secrets"] = "refuse"): Pick<Session, "secrets" | "secretPaths"> {
  if (typeof secrets === "function") return { secrets: "refuse", secretPaths: async (path) => secrets(path) };
  return { secrets, secretPaths: async () => false };
}

async function grants(external: ToolboxOptions["externalPaths"]): Promise<Session["externalPaths"]> {
  if (typeof external === "function") return async (path, access) => external(path, access);
  const folders = await Promise.all(
    (external ?? []).map((path) => {
      if (!isAbsolute(path)) throw new RangeError(`externalPaths "${path}" is relative: name an absolute path`);
      return canonicalPath(path);
    }),
  );
  return async (path) => folders.some((folder) => contains(folder, path));
}
