// Ignore files as they lie on the disk, as chains of rules.
import { statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { FolderRules } from "./folder-rules.ts";
import { isIgnored } from "./folder-rules.ts";
import { commonGitFolder, type GitSettings, gitSettings, readSmallFile } from "./git-config.ts";
import { type IgnoreRules, parseIgnoreRules } from "./rules.ts";

/** What of a folder's entries matters to its rules. */
export interface RuleEntries {
  readonly gitignore: boolean;
  readonly ignore: boolean;
  /** `.git`: a folder, or the file that leads to one. */
  readonly git: "folder" | "file" | undefined;
}

/** Where a walk begins and which rules hold there. */
export interface RuleStart {
  /** Canonical folder that the paths of all rules count from. */
  readonly anchor: string;
  /** The rules of the folders above the start, not yet of the start itself. */
  readonly rules: FolderRules | undefined;
  readonly settings: GitSettings;
}

/**
 * The rules that hold in a folder because of the folders above it: up to the top of the repository, at least up to `base`.
 * Where the folder itself is ignored nothing above it holds, nor do the user's own excludes.
 * @param base canonical, the folder or one above it.
 */
export function rulesAbove(folder: string, base: string): RuleStart {
  const top = repositoryTop(base) ?? base;
  const git = entriesOf(top).git;
  const settings = gitSettings(git === undefined ? undefined : commonGitFolder(top, git === "file"));
  const user = rulesOf(settings.excludesFile, settings, true);
  let rules: FolderRules | undefined = user === undefined ? undefined : { parent: undefined, skip: 0, user };
  let at = top;
  for (const name of namesBetween(top, folder)) {
    const path = below(top, at);
    rules = rulesBelow(rules, at, path.length, entriesOf(at), settings);
    if (isIgnored(rules, path, name, true)) return { anchor: folder, rules: undefined, settings };
    at = join(at, name);
  }
  return { anchor: top, rules, settings };
}

/** The rules for the entries of a folder. */
export function rulesBelow(
  parent: FolderRules | undefined,
  folder: string,
  skip: number,
  entries: RuleEntries,
  settings: GitSettings,
): FolderRules | undefined {
  if (!entries.gitignore && !entries.ignore && entries.git === undefined) return parent;
  const git = entries.gitignore ? rulesOf(join(folder, ".gitignore"), settings) : undefined;
  const plain = entries.ignore ? rulesOf(join(folder, ".ignore"), settings) : undefined;
  if (git === undefined && plain === undefined && entries.git === undefined) return parent;
  const common = entries.git === undefined ? undefined : commonGitFolder(folder, entries.git === "file");
  return {
    parent,
    skip,
    git,
    plain,
    ...(common !== undefined && {
      repository: { exclude: rulesOf(join(common, "info", "exclude"), settings, true) },
    }),
  };
}

/** The rule files of a folder that was not listed. */
export function entriesOf(folder: string): RuleEntries {
  const kind = (name: string): "folder" | "file" | undefined => {
    try {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      return stat?.isDirectory() ? "folder" : stat?.isFile() ? "file" : undefined;
    } catch {
      // A folder that may not be entered has no rules for us.
      return undefined;
    }
  };
  return { gitignore: kind(".gitignore") === "file", ignore: kind(".ignore") === "file", git: kind(".git") };
}

function rulesOf(path: string, { ignoreCase }: GitSettings, follow = false): IgnoreRules | undefined {
  const text = path === "" ? undefined : readSmallFile(path, { follow });
  return text === undefined ? undefined : parseIgnoreRules(text, { ignoreCase });
}

function repositoryTop(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (entriesOf(at).git !== undefined) return at;
    if (at === dirname(at)) return undefined;
  }
}

function namesBetween(top: string, folder: string): string[] {
  const names: string[] = [];
  for (let at = folder; at !== top && at !== dirname(at); at = dirname(at)) names.unshift(basename(at));
  return names;
}

function below(top: string, folder: string): string {
  const path = relative(top, folder).split(sep).join("/");
  return path === "" ? "" : `${path}/`;
}
