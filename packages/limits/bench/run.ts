import { cpus, loadavg } from "node:os";
import { benchCapture } from "./capture.bench.ts";
import { benchTokens } from "./tokens.bench.ts";
import { benchTruncate } from "./truncate.bench.ts";

const quick = process.argv.includes("--quick");
const load = loadavg()[0]?.toFixed(1);
console.log(
  `${cpus().length} x ${cpus()[0]?.model}, Node ${process.versions.node}, load ${load}; medians, ratio to the first row\n`,
);
for (const bench of [benchTruncate, benchCapture, benchTokens]) console.log(`${bench(quick)}\n`);
