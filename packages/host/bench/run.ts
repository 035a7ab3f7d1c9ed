import { cpus, loadavg } from "node:os";
import { benchReport } from "./report.bench.ts";
import { benchStart } from "./start.bench.ts";
import { benchStep } from "./step.bench.ts";

const quick = process.argv.includes("--quick");
const load = loadavg()[0]?.toFixed(1);
console.log(
  `${cpus().length} x ${cpus()[0]?.model}, Node ${process.versions.node}, load ${load}; medians, ratio to the first row\n`,
);
for (const bench of [benchStart, benchStep, benchReport]) console.log(`${await bench(quick)}\n`);
