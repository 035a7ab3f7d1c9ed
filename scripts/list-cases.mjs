// Lists every case that users of other agents reported (F01 to F46) and every acceptance line (1 to 24) with the tests
// whose title begins with it: `pnpm cases` runs them first, `pnpm cases REPORT` takes vitest's JSON report of a run.
// Exits with 1 when one of them has no test that passed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

const IDS = [
  ...Array.from({ length: 46 }, (_, index) => `F${String(index + 1).padStart(2, "0")}`),
  ...Array.from({ length: 24 }, (_, index) => String(index + 1)),
];

const root = resolve(import.meta.dirname, "..");
const tests = passedTests(process.argv[2] === undefined ? freshReport() : readFileSync(process.argv[2], "utf8"));

let missing = 0;
for (const id of IDS) {
  const own = tests.filter(({ titles }) =>
    titles.some((title) => title === id || title.startsWith(id.startsWith("F") ? `${id} ` : `${id}. `)),
  );
  if (own.length === 0) missing += 1;
  console.log(`${id}${own.length === 0 ? ": NO TEST" : ""}`);
  for (const { file, titles } of own) console.log(`  ${file}: ${titles.at(-1)}`);
}
console.log(`\n${IDS.length - missing} of ${IDS.length} cases and acceptance lines have a test that passed`);
process.exitCode = missing === 0 ? 0 : 1;

function passedTests(report) {
  return JSON.parse(report).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed")
      .map(({ ancestorTitles, title }) => ({ file: relative(root, name), titles: [...ancestorTitles, title] })),
  );
}

function freshReport() {
  const folder = mkdtempSync(join(tmpdir(), "spillway-cases-"));
  try {
    const file = join(folder, "report.json");
    const args = ["run", "-t", String.raw`(^| )(F\d\d |\d\d?\. )`, "--reporter=dot", "--reporter=json"];
    spawnSync(join(root, "node_modules/.bin/vitest"), [...args, `--outputFile=${file}`], {
      cwd: root,
      stdio: "inherit",
    });
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
