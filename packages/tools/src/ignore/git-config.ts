// What git's configuration says about ignored files. Reads only small regular files and never fails.
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

export interface GitSettings {
  readonly ignoreCase: boolean;
  /** The file of `core.excludesFile`, or git's default one. */
  readonly excludesFile: string;
}

/** Ignore files and configurations larger than this are not read. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_INCLUDES = 10;

/**
 * A small text file; undefined when it is not there, not readable, no regular file or too large.
 * @param follow whether the path may be a symbolic link.
 */
export function readSmallFile(path: string, { follow }: { readonly follow: boolean }): string | undefined {
  let fd: number | undefined;
  try {
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (follow ? 0 : (constants.O_NOFOLLOW ?? 0));
    fd = openSync(path, flags);
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(fd, "utf8") : undefined;
  } catch {
    // Git itself only warns; a search must not fail for it.
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The folder that all worktrees of a repository share, from the `.git` folder or file of one of them. */
export function commonGitFolder(repository: string, isFile: boolean): string {
  const entry = join(repository, ".git");
  const target = isFile ? /^gitdir:\s*(.+?)\s*$/m.exec(readSmallFile(entry, { follow: true }) ?? "")?.[1] : undefined;
  const folder = target === undefined ? entry : resolve(repository, target);
  const common = readSmallFile(join(folder, "commondir"), { follow: true })?.trim();
  return common === undefined || common === "" ? folder : resolve(folder, common);
}

/** @param gitFolder of the repository, if there is one. */
export function gitSettings(gitFolder: string | undefined, env: NodeJS.ProcessEnv = process.env): GitSettings {
  const home = env.HOME ?? homedir();
  const xdg = env.XDG_CONFIG_HOME || join(home, ".config");
  const values = new Map<string, string>();
  const files = [
    ...(env.GIT_CONFIG_NOSYSTEM === undefined ? [env.GIT_CONFIG_SYSTEM ?? "/etc/gitconfig"] : []),
    ...(env.GIT_CONFIG_GLOBAL === undefined
      ? [join(xdg, "git", "config"), join(home, ".gitconfig")]
      : [env.GIT_CONFIG_GLOBAL]),
    ...(gitFolder === undefined ? [] : [join(gitFolder, "config")]),
  ];
  for (const file of files) readConfig(file, home, values, 0);
  const excludes = values.get("core.excludesfile");
  return {
    ignoreCase: /^(?:true|yes|on|1|)$/i.test(values.get("core.ignorecase") ?? "false"),
    excludesFile: excludes === undefined ? join(xdg, "git", "ignore") : excludes && expanded(excludes, home),
  };
}

function readConfig(file: string, home: string, values: Map<string, string>, depth: number): void {
  const text = readSmallFile(file, { follow: true });
  if (text === undefined || depth > MAX_INCLUDES) return;
  let section = "";
  for (const line of text.replaceAll(/\\\r?\n/g, "").split(/\r?\n/)) {
    const header = /^\s*\[([^\]"]*?)\s*(?:".*?")?\]/.exec(line);
    if (header !== null) section = (header[1] ?? "").toLowerCase();
    const entry = /^\s*(?:\[[^\]]*\])?\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(line);
    if (entry === null) continue;
    const key = `${section}.${entry[1]?.toLowerCase()}`;
    const value = unquoted(entry[2] ?? "");
    values.set(key, value);
    if (key === "include.path" && !line.includes('"]')) {
      const included = expanded(value, home);
      readConfig(isAbsolute(included) ? included : join(dirname(file), included), home, values, depth + 1);
    }
  }
}

/** A value without its quotes, escapes and the comment behind it. */
function unquoted(raw: string): string {
  let value = "";
  let quoted = false;
  let kept = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (char === "\\") {
      at += 1;
      const next = raw.charAt(at);
      value += { n: "\n", t: "\t", b: "\b" }[next] ?? next;
    } else if (!quoted && (char === "#" || char === ";")) break;
    else value += char;
    if (quoted || !/\s/.test(char)) kept = value.length;
  }
  return value.slice(0, kept);
}

function expanded(path: string, home: string): string {
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
