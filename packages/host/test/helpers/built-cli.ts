import { execFile } from "node:child_process";
import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const repository = resolve(import.meta.dirname, "../../../..");
const PACKAGES = ["limits", "tools", "checkpoint", "host"];

/**
 * Compiles the four packages into a folder as they would be installed and gives the command's file: a process that has to
 * translate the sources first takes several times as long to start.
 */
export async function buildCli(folder: string): Promise<string> {
  await Promise.all(PACKAGES.map((name) => build(name, join(folder, "packages", name))));
  return join(folder, "packages/host/dist/cli.js");
}

async function build(name: string, target: string): Promise<void> {
  const source = join(repository, "packages", name);
  await mkdir(join(target, "node_modules/@spillway"), { recursive: true });
  await cp(join(source, "package.json"), join(target, "package.json"));
  for (const other of PACKAGES) {
    await symlink(join(target, "..", other), join(target, "node_modules/@spillway", other), "dir");
  }
  const installed = await readdir(join(source, "node_modules")).catch(() => []);
  for (const dependency of installed.filter((entry) => entry !== "@spillway" && !entry.startsWith("."))) {
    await symlink(join(source, "node_modules", dependency), join(target, "node_modules", dependency), "dir");
  }
  const settings = {
    extends: join(source, "tsconfig.json"),
    compilerOptions: {
      ...{ rootDir: join(source, "src"), outDir: join(target, "dist"), noCheck: true, composite: false },
      ...{ declaration: false, isolatedDeclarations: false, sourceMap: false, inlineSources: false },
      typeRoots: [join(repository, "node_modules/@types")],
    },
    include: [join(source, "src")],
    references: [],
  };
  await writeFile(join(target, "tsconfig.json"), JSON.stringify(settings));
  const compiler = join(repository, "node_modules/.bin/tsc");
  await promisify(execFile)(compiler, ["-p", join(target, "tsconfig.json")], { timeout: 120_000 });
}
