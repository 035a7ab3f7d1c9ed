// Finds the file that a path means when only the writing of its characters differs.
import { basename, dirname, join } from "node:path";

/** The names in a folder, or why there are none to suggest. */
export type Entries = readonly string[] | "missing" | "file" | "unreadable";

/**
 * The existing path that reads the same as a missing one; undefined when there is none or more than one.
 * @param path absolute, missing.
 * @param namesIn the names in a folder.
 */
export function respell(path: string, namesIn: (folder: string) => Entries): string | undefined {
  const folder = dirname(path);
  if (folder === path) return undefined;
  const names = namesIn(folder);
  if (names === "missing") {
    const other = respell(folder, namesIn);
    return other === undefined ? undefined : childOf(other, basename(path), namesIn(other));
  }
  return childOf(folder, basename(path), names);
}

function childOf(folder: string, wanted: string, names: Entries): string | undefined {
  if (typeof names === "string") return undefined;
  if (names.includes(wanted)) return join(folder, wanted);
  const plain = plainWriting(wanted);
  const same = names.filter((name) => plainWriting(name) === plain);
  return same.length === 1 ? join(folder, same[0] ?? "") : undefined;
}

/** Composed and decomposed letters, blanks of any width and typographic quotation marks are written one way. */
function plainWriting(name: string): string {
  return name
    .normalize("NFC")
    .replaceAll(/\p{Zs}/gu, " ")
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201c\u201d]/g, '"');
}
