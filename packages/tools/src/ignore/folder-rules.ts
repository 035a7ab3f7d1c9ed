// Which rules hold in a folder: those of its own ignore files and of the folders above it. Pure.
import type { IgnoreRules, Verdict } from "./rules.ts";

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
  const ask = (of: IgnoreRules | undefined, skip: number): Verdict | undefined =>
    of?.verdict(of.needsPath ? folder.slice(skip) + name : "", name, isDirectory);
  for (let level: FolderRules | undefined = rules; level !== undefined; level = level.parent) {
    const verdict = ask(level.plain, level.skip);
    if (verdict !== undefined) return verdict === "ignored";
  }
  let first = rules;
  let repository: FolderRules | undefined;
  for (let level: FolderRules | undefined = rules; level !== undefined; level = level.parent) {
    first = level;
    if (repository !== undefined) continue;
    const verdict = ask(level.git, level.skip);
    if (verdict !== undefined) return verdict === "ignored";
    if (level.repository !== undefined) repository = level;
  }
  const excluded = repository === undefined ? undefined : ask(repository.repository?.exclude, repository.skip);
  return (excluded ?? ask(first.user, repository?.skip ?? first.skip)) === "ignored";
}
