// Before all tests: a folder for what they compile. After them it is removed.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    buildFolder: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "spillway-build-")));
  project.provide("buildFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
