import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where sessions are kept, and which variable said so. */
export function dataFolder(environment: Readonly<Record<string, string | undefined>>): {
  readonly path: string;
  readonly source: string;
} {
  if (environment.SPILLWAY_HOME) return { path: resolve(environment.SPILLWAY_HOME), source: "SPILLWAY_HOME" };
  if (environment.XDG_DATA_HOME) {
    return { path: join(resolve(environment.XDG_DATA_HOME), "spillway"), source: "XDG_DATA_HOME" };
  }
  return { path: join(homedir(), ".local", "share", "spillway"), source: "default" };
}
