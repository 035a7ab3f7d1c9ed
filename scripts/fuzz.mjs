// Runs the properties of what is hardest to get right with new seeds until the time is over:
// `pnpm fuzz [--budget SECONDS] [--seed N]`. The first seed is that of the tree (the same files, the same seeds), each
// round prints its own, and the first round that fails ends it: `SPILLWAY_SEED=N pnpm exec vitest run FILE` repeats it.
import { execFileSync, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const AREAS = {
  truncation: [
    "limits/test/truncate",
    "limits/test/middle",
    "limits/test/capture",
    "limits/test/cut",
    "limits/test/fit",
  ],
  "Read paging": ["tools/test/read/paging", "tools/test/worker/line-reader"],
  "the Edit language": ["tools/test/edit/apply-ops", "tools/test/edit/apply.", "tools/test/edit/recover"],
  "pairing and compaction": ["checkpoint/test/pairing", "checkpoint/test/anthropic", "checkpoint/test/session"],
  "the pattern translator against rg": [
    "tools/test/pattern.",
    "tools/test/pattern/text-matcher",
    "tools/test/glob-pattern",
  ],
  "journal recovery": ["checkpoint/test/journal-damage"],
};

const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({ options: { budget: { type: "string", default: "60" }, seed: { type: "string" } } });
const budgetMs = 1000 * positive("budget", values.budget);
const first = values.seed === undefined ? seedOfTree() : positive("seed", values.seed);
const files = Object.values(AREAS).flat();
const begin = performance.now();

console.log(`Fuzzing ${Object.keys(AREAS).join(", ")} for ${budgetMs / 1000} s from seed ${first} on`);
let round = 0;
do {
  const seed = first + round;
  const { status, stdout, stderr } = spawnSync(
    join(root, "node_modules/.bin/vitest"),
    ["run", "--reporter=dot", "--no-color", ...files.map((file) => `packages/${file}`)],
    { cwd: root, encoding: "utf8", env: { ...process.env, SPILLWAY_SEED: String(seed) } },
  );
  const summary = /Tests {2}(.*)/.exec(stdout)?.[1] ?? "no summary";
  console.log(`seed ${seed}: ${summary}`);
  if (status !== 0) {
    console.error(`${stdout}\n${stderr}`);
    process.exit(1);
  }
  round += 1;
} while (performance.now() - begin < budgetMs);
console.log(`${round} rounds without a fault`);

function seedOfTree() {
  const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { cwd: root, encoding: "utf8" });
  return Number.parseInt(tree.slice(0, 7), 16);
}

function positive(name, value) {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new RangeError(`--${name} "${value}" is no positive whole number: give one, such as --${name} 60`);
  }
  return number;
}
