// Before the tests: brings the built packages up to date, since threads, child processes and the other packages run what
// users run. Takes half a second a package when nothing changed. Type errors are the business of `typecheck`.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const BUILD_ORDER = ["limits", "checkpoint", "tools", "host"];

export async function setup(): Promise<void> {
  for (const name of BUILD_ORDER) await build(name);
}

async function build(name: string): Promise<void> {
  const folder = join(root, "packages", name);
  const output = await new Promise<string>((done) => {
    execFile(join(root, "node_modules/.bin/tsc"), ["-p", folder], { timeout: 120_000 }, (_, stdout) => done(stdout));
  });
  if (!existsSync(join(folder, "dist/index.js"))) throw new Error(`"${name}" could not be built: ${output}`);
}
