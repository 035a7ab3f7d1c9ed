// pnpm --filter @spillway/tools bench [-- --quick] [--only read|tokens|grep|glob|bash|edit]
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
});
const areas = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".bench.ts"))
  .map((name) => name.slice(0, -".bench.ts".length))
  .sort();
const chosen = values.only === undefined ? areas : areas.filter((area) => area === values.only);
if (chosen.length === 0)
  throw new RangeError(`--only "${values.only}" names no benchmark: use one of ${areas.join(", ")}`);
for (const area of chosen) {
  console.log(`\n## ${area}\n`);
  const { run } = await import(`./${area}.bench.ts`);
  await run({ quick: values.quick });
}
