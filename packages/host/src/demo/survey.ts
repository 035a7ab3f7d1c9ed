// Where a demo can look around: a tree that is walked and searched in a second, however large the folder is.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** What a part of a folder may hold at most to be walked and searched by the demo. */
export interface SurveyLimits {
  readonly entries: number;
  readonly bytes: number;
  readonly folders: number;
}

const LIMITS: SurveyLimits = { entries: 4000, bytes: 64 * 1024 * 1024, folders: 40 };

/**
 * A folder inside `root`, relative to it, that is small enough; `undefined` when the whole of `root` is, or when none of
 * the first ones is. Looks at a bounded number of entries.
 */
export async function smallFolder(root: string, limits: SurveyLimits = LIMITS): Promise<string | undefined> {
  const skipped = await skippedNames(root);
  if ((await measure(root, skipped, limits)) !== "large") return undefined;
  const children = await readdir(root, { withFileTypes: true }).catch(() => []);
  const folders = children.filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith(".") && !skipped.has(entry.name),
  );
  let empty: string | undefined;
  for (const { name } of folders.slice(0, limits.folders)) {
    const found = await measure(join(root, name), skipped, limits);
    if (found === "small") return name;
    if (found === "empty") empty ??= name;
  }
  return empty;
}

/** Names that the walk will not enter: git's own folder, and what the ignore file at the top names plainly. */
async function skippedNames(root: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(root, ".gitignore"), "utf8").catch(() => "");
  const names = text.split("\n").flatMap((line) => /^\/?([\w.-]+)\/?\s*$/.exec(line)?.[1] ?? []);
  return new Set([".git", ...names]);
}

async function measure(
  folder: string,
  skipped: ReadonlySet<string>,
  limits: SurveyLimits,
): Promise<"empty" | "small" | "large"> {
  const waiting = [folder];
  let entries = 0;
  let bytes = 0;
  let files = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const parent = next;
    const found = await readdir(parent, { withFileTypes: true }).catch(() => []);
    const children = found.filter(({ name }) => !skipped.has(name));
    entries += children.length;
    if (entries > limits.entries) return "large";
    for (const child of children) {
      if (child.isDirectory()) waiting.push(join(parent, child.name));
      if (!child.isFile()) continue;
      files += 1;
      bytes += await stat(join(parent, child.name)).then(
        ({ size }) => size,
        () => 0,
      );
      if (bytes > limits.bytes) return "large";
    }
  }
  return files === 0 ? "empty" : "small";
}
