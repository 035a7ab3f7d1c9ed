import { cpus, loadavg } from "node:os";
import { benchBatch } from "./batch.bench.ts";
import { benchCompaction } from "./compaction.bench.ts";
import { benchJournal } from "./journal.bench.ts";
import { benchPairing } from "./pairing.bench.ts";

const quick = process.argv.includes("--quick");
const load = loadavg()[0]?.toFixed(1);
console.log(
  `${cpus().length} x ${cpus()[0]?.model}, Node ${process.versions.node}, load ${load}; medians of processor time (journal: of time), ratio to the first row\n`,
);
for (const bench of [benchCompaction, benchPairing, benchBatch, benchJournal]) console.log(`${await bench(quick)}\n`);
