// pnpm soak: the long rounds of the tests that kill and race. `--only kills|locks|histories` for one of them.
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { only: { type: "string" } },
});
const areas = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".ts") && name !== "run.ts")
  .map((name) => name.slice(0, -".ts".length))
  .sort();
const chosen = values.only === undefined ? areas : areas.filter((area) => area === values.only);
if (chosen.length === 0) throw new RangeError(`--only "${values.only}" names no soak: use one of ${areas.join(", ")}`);
for (const area of chosen) {
  console.log(`\n## ${area}\n`);
  const { run } = await import(`./${area}.ts`);
  await run();
}
