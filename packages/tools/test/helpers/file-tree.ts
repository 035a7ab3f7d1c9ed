import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A fresh canonical folder. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "spillway-test-")));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Writes files below a folder; a path that leads through a file is left out. */
export async function writeTree(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    } catch {
      // A generated tree may use one name for a file and for a folder: the first wins.
    }
  }
}
