// Paths are resolved and checked here and nowhere else. Synchronous: it runs in worker threads.
import { lstatSync, opendirSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { errnoOf, fromErrno } from "./errno.ts";
import { ToolError } from "./error.ts";
import { nearestNames } from "./nearest.ts";
import { type Entries, respell } from "./respell.ts";
import { isSecretName } from "./secrets.ts";
import { shownName } from "./shown-name.ts";

/** Where a path lies. */
export type RootName = "workspace" | "scratch" | "external";

export type FileKind = "file" | "directory" | "fifo" | "socket" | "character device" | "block device" | "missing";

/** What containment is checked against; structured-clone values, so that jobs check it again on the opened file. */
export interface PathPolicy {
  /** Canonical workspace root. */
  readonly workspace: string;
  /** Canonical scratch directory of the session (it may not exist yet). */
  readonly scratch: string;
  /** Canonical paths outside both roots that the host granted for this call. */
  readonly granted: readonly string[];
  readonly secrets: "refuse" | "allow";
}

export interface LocateRequest {
  /** As the caller gave it: relative to the workspace, or absolute. */
  readonly path: string;
  readonly policy: PathPolicy;
  readonly access: "read" | "write";
}

/** A path after its symlinks were resolved and containment was checked. */
export interface Located {
  /** Canonical absolute path; for a missing one the canonical parent plus the rest. */
  readonly absolute: string;
  /** As results show it: workspace-relative with `/`, absolute for scratch and external. */
  readonly path: string;
  readonly root: RootName;
  readonly kind: FileKind;
}

/** Symbolic links followed before a dangling chain counts as a loop; Linux allows 40. */
const MAX_LINKS = 40;
/** Linux' PATH_MAX, and what Windows takes at most. The system itself only notices once all folders of the path exist. */
const MAX_PATH_BYTES = process.platform === "win32" ? 32_767 : 4_096;
/** Directory entries looked at for a suggestion. */
const MAX_SIBLINGS = 10_000;

/**
 * Resolves a path with its symlinks and proves that it may be used. For `read` it exists.
 * @throws ToolError INVALID_ARGUMENT, PATH_NOT_FOUND (`details.siblings`), PATH_OUTSIDE_WORKSPACE (`details.resolved`), SENSITIVE_PATH, PERMISSION_DENIED.
 */
export function locate({ path, policy, access }: LocateRequest): Located {
  if (path === "" || path.includes("\0")) {
    const fault = path === "" ? "is empty" : "holds a NUL character";
    throw new ToolError("INVALID_ARGUMENT", `"path" ${fault}`, { next: "give a path inside the workspace" });
  }
  const lexical = resolve(policy.workspace, path);
  if (Buffer.byteLength(lexical) > MAX_PATH_BYTES) throw pathError("ENAMETOOLONG", path);
  const absolute = canonicalize(lexical, path);
  const root = rootOf(absolute, policy);
  if (root === undefined) throw outside(path, absolute);
  if (access === "read" && policy.secrets === "refuse" && isSecretName(absolute)) throw sensitive(path, absolute);
  const kind = kindAt(absolute, path);
  if (kind === "missing" && access === "read") return locateRespelled(absolute, lexical, { path, policy, access });
  return { absolute, path: shownPath(absolute, root, policy), root, kind };
}

/** The one file whose name differs only in how its characters are written, which a model that read the name cannot tell. */
function locateRespelled(absolute: string, lexical: string, request: LocateRequest): Located {
  const names = entryNames(dirname(absolute));
  const namesIn = (folder: string): Entries => (folder === dirname(absolute) ? names : entryNames(folder));
  const found = linkTarget(lexical) === undefined ? respell(absolute, namesIn) : undefined;
  if (found === undefined || found === absolute || rootOf(found, request.policy) === undefined)
    throw notFound(request.path, lexical, absolute, names);
  return locate({ ...request, path: found });
}

/** The root that `absolute` (canonical) lies in; undefined when it lies outside all. */
export function rootOf(absolute: string, policy: PathPolicy): RootName | undefined {
  if (contains(policy.scratch, absolute)) return "scratch";
  if (contains(policy.workspace, absolute)) return "workspace";
  return policy.granted.some((granted) => contains(granted, absolute)) ? "external" : undefined;
}

/** How results show a canonical path. */
export function shownPath(absolute: string, root: RootName, policy: PathPolicy): string {
  if (root !== "workspace") return absolute;
  const inside = relative(policy.workspace, absolute);
  return inside === "" ? "." : inside.split(sep).join("/");
}

/** True when `path` is `folder` or lies below it; both canonical. */
export function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export function kindOf(
  stat: Pick<Stats, "isFile" | "isDirectory" | "isFIFO" | "isSocket" | "isCharacterDevice">,
): FileKind {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "directory";
  if (stat.isFIFO()) return "fifo";
  if (stat.isSocket()) return "socket";
  return stat.isCharacterDevice() ? "character device" : "block device";
}

export function sensitive(path: string, resolved: string): ToolError {
  return new ToolError("SENSITIVE_PATH", `"${path}" is a file that holds secrets`, {
    next: "ask the user for the values that the task needs",
    details: { path, resolved },
  });
}

function outside(path: string, resolved: string): ToolError {
  return new ToolError("PATH_OUTSIDE_WORKSPACE", `"${path}" lies outside the workspace`, {
    next: "use a path inside the workspace, or ask the user to grant this one",
    details: { path, resolved },
  });
}

function pathError(code: "ELOOP" | "ENAMETOOLONG", asked: string): unknown {
  return fromErrno(Object.assign(new Error(code), { code, errno: code === "ELOOP" ? -40 : -36 }), asked);
}

function canonicalize(lexical: string, asked: string, links = 0): string {
  try {
    return realpathSync.native(lexical);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== "ENOENT" && errno !== "ENOTDIR") throw fromErrno(error, asked);
    if (links > MAX_LINKS) throw pathError("ELOOP", asked);
    const target = linkTarget(lexical);
    if (target !== undefined) return canonicalize(target, asked, links + 1);
    const parent = dirname(lexical);
    return parent === lexical ? lexical : join(canonicalize(parent, asked, links), basename(lexical));
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    // Not a link, or not there: the parent decides.
    return undefined;
  }
}

function kindAt(absolute: string, asked: string): FileKind {
  try {
    return kindOf(lstatSync(absolute));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "ENOTDIR") return "missing";
    throw fromErrno(error, asked);
  }
}

function notFound(asked: string, lexical: string, absolute: string, names: Entries): ToolError {
  const target = linkTarget(lexical);
  if (target !== undefined) {
    return new ToolError("PATH_NOT_FOUND", `"${asked}" is a symbolic link to "${target}", which does not exist`, {
      next: "name another file, or make the one that the link names",
      details: { path: asked, siblings: [] },
    });
  }
  const siblings = Array.isArray(names)
    ? nearestNames(basename(absolute), names).map((name) => beside(asked, name))
    : [];
  const next =
    siblings.length > 0
      ? `did you mean ${siblings.map(quoted).join(" or ")}?`
      : nextWithoutSiblings(dirname(asked), names);
  return new ToolError("PATH_NOT_FOUND", `"${asked}" does not exist`, { next, details: { path: asked, siblings } });
}

function quoted(name: string): string {
  const shown = shownName(name);
  return shown === name ? `"${name}"` : shown;
}

function nextWithoutSiblings(folder: string, names: Entries): string {
  if (names === "missing") return `"${folder}" does not exist either, look around with Glob`;
  if (names === "file") return `"${folder}" is a file, name that one, or look around with Glob`;
  return names === "unreadable" ? `"${folder}" may not be listed, ask the user for the name` : "look around with Glob";
}

function beside(asked: string, name: string): string {
  const folder = dirname(asked);
  return folder === "." && !asked.startsWith("./")
    ? name
    : isAbsolute(folder)
      ? join(folder, name)
      : `${folder}/${name}`;
}

function entryNames(folder: string): Entries {
  try {
    const directory = opendirSync(folder);
    const names: string[] = [];
    try {
      for (
        let entry = directory.readSync();
        entry !== null && names.length < MAX_SIBLINGS;
        entry = directory.readSync()
      ) {
        names.push(entry.name);
      }
    } finally {
      directory.closeSync();
    }
    return names;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOTDIR" && kindAt(folder, folder) !== "missing") return "file";
    return errno === "ENOENT" || errno === "ENOTDIR" ? "missing" : "unreadable";
  }
}
