// The only importer of fast-glob and micromatch: they take long to load, so a thread does it when it meets a pattern.
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

export function fastGlob(): typeof import("fast-glob") {
  // Node's cache hands out the same module every time; `require` cannot know its type.
  return load("fast-glob") as typeof import("fast-glob");
}

export function micromatch(): typeof import("micromatch") {
  return load("micromatch") as typeof import("micromatch");
}
