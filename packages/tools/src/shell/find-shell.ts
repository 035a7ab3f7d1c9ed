import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { ToolError } from "../error.ts";

const USUAL_FOLDERS = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];
const GIT_FOR_WINDOWS = ["C:\\Program Files\\Git\\bin", "C:\\Program Files (x86)\\Git\\bin"];

/**
 * The absolute path of bash: the first on the host's PATH, else in the usual places.
 * @throws ToolError SHELL_NOT_FOUND
 */
export function findShell(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const name = platform === "win32" ? "bash.exe" : "bash";
  const usual = platform === "win32" ? GIT_FOR_WINDOWS : USUAL_FOLDERS;
  const onPath = (env.PATH ?? env.Path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  // System32 holds the launcher of the Linux subsystem, which would run the command in another file system.
  const folders = [...onPath, ...usual].filter((folder) => !/\\system32\\?$/i.test(folder));
  const found = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (found !== undefined) return found;
  throw new ToolError("SHELL_NOT_FOUND", "bash was not found on this machine", {
    next: platform === "win32" ? "ask the user to install Git for Windows" : "ask the user to install the package bash",
    details: { searched: [...new Set(folders)] },
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not for this user: the next folder.
    return false;
  }
}
