import { lstatSync, mkdirSync, realpathSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "./errno.ts";
import { fileChanged } from "./file-changed.ts";
import { fromFolderErrno } from "./folder.ts";

/**
 * Makes a canonical folder and those above it. Gives the first one that was made, undefined when all were there.
 * @param path what errors call the file that is to lie in it.
 */
export function makeFolders(folder: string, path: string): string | undefined {
  const missing: string[] = [];
  const made: string[] = [];
  try {
    for (let at = folder; !isFolder(at); at = dirname(at)) missing.push(at);
    for (const next of missing.toReversed()) if (makeFolder(next)) made.push(next);
  } catch (error) {
    removeFolders(made.at(-1) ?? folder, made[0]);
    throw fromFolderErrno(error, folder, path);
  }
  const [first] = made;
  if (first !== undefined && realpathSync.native(folder) !== folder) {
    removeFolders(folder, first);
    throw fileChanged(path);
  }
  return first;
}

function isFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return stat !== undefined;
  throw Object.assign(new Error("ENOTDIR"), { code: "ENOTDIR", errno: -20 });
}

/** False when somebody else made it meanwhile. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST" && isFolder(path)) return false;
    throw error;
  }
}

/** Takes back what `makeFolders` made, as long as it is empty. */
export function removeFolders(folder: string, first: string | undefined): void {
  if (first === undefined) return;
  try {
    for (let at = folder; at.startsWith(first); at = dirname(at)) rmdirSync(at);
  } catch {
    // Somebody put something into it meanwhile: then it stays.
  }
}
