import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { HostError } from "./error.ts";

/** The canonical path of a workspace. @throws HostError CONFIG_INVALID when it is no directory. */
export async function workspaceFolder(root: string): Promise<string> {
  const folder = resolve(root);
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    const fault = found.code === "ENOENT" ? "does not exist" : `cannot be used (${found.code})`;
    throw invalidRoot(root, fault, found);
  }
  if (!found.isDirectory()) throw invalidRoot(root, "is not a directory");
  return realpath(folder);
}

function invalidRoot(root: string, fault: string, cause?: Error): HostError {
  return new HostError("CONFIG_INVALID", `root "${root}" ${fault}`, {
    next: "name an existing directory",
    details: { name: "root", value: root },
    cause,
  });
}
