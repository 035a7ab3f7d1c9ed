// The walk over folders, in a worker thread: which files there are, by git's rules. Symbolic links are not followed.
import { type Dirent, readdirSync } from "node:fs";
import { relative, sep } from "node:path";
import { errnoOf } from "./errno.ts";
import { type FolderRules, isIgnored } from "./ignore/folder-rules.ts";
import { entriesOf, type RuleEntries, rulesAbove, rulesBelow } from "./ignore/load-rules.ts";
import { virtualMountsBelow } from "./search/virtual-mounts.ts";

/** A folder whose turn comes; `path` is below the walk's root, empty or with a slash at its end. */
export interface Folder {
  readonly path: string;
  /** The rules of the folders above it; undefined: they have to be found out. */
  readonly rules: FolderRules | undefined | "unknown";
}

export interface Listing {
  readonly files: readonly string[];
  readonly folders: readonly Folder[];
}

export interface Walk {
  /** The entries of a folder that are not ignored; undefined when it cannot be read. */
  list(folder: Folder): Listing | undefined;
  /** Counts since the walk began. */
  readonly seen: WalkCounts;
}

export interface WalkCounts {
  /** Folders and files that exist and could not be read. */
  unreadable: number;
  /** Entries that ignore rules left out. */
  ignored: number;
}

export interface WalkOptions {
  /** Canonical folder. */
  readonly root: string;
  /** Canonical folder whose rules hold in any case: the workspace, where `root` lies in it. */
  readonly base: string;
  /** Folders (without a slash at their end) that need not be looked into. */
  readonly enters?: (path: string, name: string) => boolean;
}

/** Folders that version control keeps for itself. */
const CONTROL_FOLDERS: ReadonlySet<string> = new Set([".git", ".hg", ".svn", ".bzr", ".jj", ".sl", ".pijul"]);
/** Rules of folders that another thread handed over. */
const MAX_KNOWN_RULES = 4096;

export function createWalk({ root, base, enters = () => true }: WalkOptions): Walk {
  const start = rulesAbove(root, base);
  const above = relative(start.anchor, root);
  const prefix = above === "" ? "" : `${above.split(sep).join("/")}/`;
  const inRoot = folderPrefix(root);
  const mounts = virtualMountsBelow(root);
  const seen: WalkCounts = { unreadable: 0, ignored: 0 };
  const known = new Map<string, FolderRules | undefined>();

  /** The rules in force among the entries of a folder. */
  const inside = (folder: string, parent: FolderRules | undefined, entries: RuleEntries): FolderRules | undefined =>
    rulesBelow(parent, inRoot + folder, prefix.length + folder.length, entries, start.settings);

  const rulesAboveFolder = (folder: string): FolderRules | undefined => {
    if (folder === "") return start.rules;
    const parent = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
    const found = known.get(parent);
    if (found !== undefined || known.has(parent)) return found;
    if (known.size >= MAX_KNOWN_RULES) known.clear();
    const rules = inside(parent, rulesAboveFolder(parent), entriesOf(inRoot + parent));
    known.set(parent, rules);
    return rules;
  };

  const read = (folder: string): Dirent[] | undefined => {
    try {
      return readdirSync(inRoot + folder, { withFileTypes: true });
    } catch (error) {
      // What went away meanwhile is not missed.
      if (!/^(?:ENOENT|ENOTDIR)$/.test(errnoOf(error) ?? "") || isUndecodable(folder)) seen.unreadable += 1;
      return undefined;
    }
  };

  return {
    seen,
    list: ({ path, rules: given }) => {
      const entries = read(path);
      if (entries === undefined) return undefined;
      const rules = inside(path, given === "unknown" ? rulesAboveFolder(path) : given, ruleEntries(entries));
      const shown = prefix + path;
      const files: string[] = [];
      const folders: Folder[] = [];
      for (const entry of entries) {
        const { name } = entry;
        if (entry.isFile()) {
          if (name === ".git") continue;
          if (isIgnored(rules, shown, name, false)) seen.ignored += 1;
          else files.push(name);
        } else if (entry.isDirectory()) {
          if (CONTROL_FOLDERS.has(name)) continue;
          if (!enters(path + name, name)) continue;
          if (isIgnored(rules, shown, name, true)) seen.ignored += 1;
          else if (mounts === undefined || !mounts.has(path + name)) folders.push({ path: `${path}${name}/`, rules });
        }
      }
      return { files, folders };
    },
  };
}

/** Whether a name may be no UTF-8: Node puts U+FFFD in place of such bytes, and then finds no file of that name. */
export function isUndecodable(path: string): boolean {
  return path.includes("\ufffd");
}

/** What stands in front of the paths below a folder. */
export function folderPrefix(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}

function ruleEntries(entries: readonly Dirent[]): RuleEntries {
  let gitignore = false;
  let ignore = false;
  let git: RuleEntries["git"];
  for (const entry of entries) {
    const { name } = entry;
    if (!name.startsWith(".")) continue;
    if (name === ".gitignore") gitignore = entry.isFile();
    else if (name === ".ignore") ignore = entry.isFile();
    else if (name === ".git") git = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : undefined;
  }
  return { gitignore, ignore, git };
}
