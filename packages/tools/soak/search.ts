// Compares what patterns find with what rg finds, some thousand times.
import fc from "fast-check";
import { sameBlocksAsRipgrep, sameLinesAsRipgrep } from "../test/helpers/pattern-properties.ts";
import { rgPath } from "../test/helpers/ripgrep.ts";

const ROUNDS = 3000;

export async function run(): Promise<void> {
  if (rgPath === undefined) return;
  fc.assert(sameLinesAsRipgrep(), { numRuns: ROUNDS });
  console.log(`${ROUNDS} patterns on single lines: what rg finds`);
  fc.assert(sameBlocksAsRipgrep(), { numRuns: ROUNDS });
  console.log(`${ROUNDS} patterns across lines: what rg finds`);
}
