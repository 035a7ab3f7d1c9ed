import { readFile } from "node:fs/promises";

/** The version in this package's manifest. */
export async function ownVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  return String(Reflect.get(Object(manifest), "version"));
}
