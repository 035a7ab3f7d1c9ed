// Which rules hold in a folder: those of its own ignore files and of the folders above it. Pure.
import type { IgnoreRules } from "./rules.ts";

/** The rules that one folder adds to those of the folders above it. Folders without ignore files share their parent's. */
export interface FolderRules {
  readonly parent: FolderRules | undefined;
  /** How many characters of a path below the anchor lie in front of the part that these rules see. */
  readonly skip: number;
  /** Of `.ignore`: they go before all that git knows. */
  readonly plain?: IgnoreRules | undefined;
  /** Of `.gitignore`. */
  readonly git?: IgnoreRules | undefined;
  /** A repository begins here: git's rules from above end, its own `info/exclude` holds. */
  readonly repository?: { readonly exclude: IgnoreRules | undefined };
  /** The user's own excludes; only on the first link. */
  readonly user?: IgnoreRules | undefined;
}

/**
 * Whether an entry is ignored, its folders being not.
 * @param folder path of its folder below the anchor, empty or with a slash at its end.
 */
export function isIgnored(rules: FolderRules | undefined, folder: string, name: string, isDirectory: boolean): boolean {
  if (rules === undefined) return false;
  for (let level: FolderRules | undefined = rules; level !== undefined; level = level.parent) {
    const verdict = level.plain?.verdict(folder, level.skip, name, isDirectory);
    if (verdict !== undefined) return verdict === "ignored";
  }
  let first = rules;
  let repository: FolderRules | undefined;
  for (let level: FolderRules | undefined = rules; level !== undefined; level = level.parent) {
    first = level;
    if (repository !== undefined) continue;
    const verdict = level.git?.verdict(folder, level.skip, name, isDirectory);
    if (verdict !== undefined) return verdict === "ignored";
    if (level.repository !== undefined) repository = level;
  }
  const excluded = repository?.repository?.exclude?.verdict(folder, repository.skip, name, isDirectory);
  const last = excluded ?? first.user?.verdict(folder, repository?.skip ?? first.skip, name, isDirectory);
  return last === "ignored";
}
