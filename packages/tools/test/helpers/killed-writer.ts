// Kills a process in the middle of its writes and looks at what it left.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { link, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { TYPESCRIPT_FLAGS } from "../../../../scripts/typescript-flags.ts";
import { createWorkspace } from "./workspace.ts";

export const WRITER_KINDS = [
  "write",
  "write new",
  "write hard links",
  "edit",
  "edit hard links",
  "edit and move",
] as const;
export type WriterKind = (typeof WRITER_KINDS)[number];

const FIXTURE = new URL("../fixtures/endless-writer.ts", import.meta.url).pathname;
const LINES = 3000;

/** Two contents that share no line and differ in length, in turn. */
export function contentOf(turn: number): string {
  return turn % 2 === 0 ? `${"a".repeat(299)}\n`.repeat(LINES) : `${"b".repeat(199)}\n`.repeat(LINES + 500);
}

/** One kill after `delayMs` of writing; throws when a file is neither the old nor the new content, or anything else is left. */
export async function killWriter(kind: WriterKind, delayMs: number): Promise<void> {
  const workspace = await createWorkspace({ "a.txt": contentOf(0) });
  if (kind.endsWith("hard links")) await link(workspace.path("a.txt"), workspace.path("twin.txt"));
  const child = spawn(process.execPath, [...TYPESCRIPT_FLAGS, FIXTURE, workspace.root, kind], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const exited = once(child, "exit");
    await Promise.race([
      once(child.stdout, "data"),
      exited.then(() => Promise.reject(new Error("The writer ended by itself"))),
    ]);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    child.kill("SIGKILL");
    await exited;
    // A session that opens makes whole what is half written.
    await workspace.toolbox();
    await assertWhole(kind, workspace.root);
  } finally {
    child.kill("SIGKILL");
    await workspace.remove();
  }
}

async function assertWhole(kind: WriterKind, root: string): Promise<void> {
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { name, parentPath } of files) {
    if (!/^(a|b|twin)\.txt$/.test(name)) throw new Error(`${kind}: "${name}" was left behind`);
    const content = await readFile(join(parentPath, name), "utf8");
    if (content !== contentOf(0) && content !== contentOf(1)) throw new Error(`${kind}: "${name}" is torn`);
  }
  if (files.length === 0) throw new Error(`${kind}: the file is gone`);
}
