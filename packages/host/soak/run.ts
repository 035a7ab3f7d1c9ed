// The long rounds: `node --import tsx soak/run.ts [--only kills,load,faults,mcp] [--minutes N] [--sessions N] …`
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { faultRow } from "./faults/rows.ts";
import { allFaults, runFault } from "./faults.ts";
import { runKills } from "./kills.ts";
import { loadRows } from "./load/rows.ts";
import { runLoad } from "./load.ts";
import { runMcp } from "./mcp.ts";
import { type Row, table } from "./row.ts";

const PROGRAMS = ["kills", "load", "faults", "mcp"] as const;
type Program = (typeof PROGRAMS)[number];

/** Milliseconds until a model begins to answer, from and to: as long as real ones take for a step. */
const THINK_MS = [5_000, 15_000] as const;
const FAULT_SESSIONS = 24;
const FAULT_STEPS = 10;
/** 1 % of the streams. */
const CUT_ONE_OF = 100;

const { values } = parseArgs({
  // pnpm hands on the dashes that end its own options.
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    only: { type: "string", default: PROGRAMS.join(",") },
    /** Of the load. */
    minutes: { type: "string", default: "2" },
    /** Of the load, and of the kills. */
    sessions: { type: "string" },
    /** Of each session that is killed. */
    kills: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1e9) },
  },
});

const log = (line: string): void => console.error(line);
const rows: Row[] = [];
for (const program of programs(values.only)) rows.push(...(await runProgram(program)));
console.log(`Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model.trim() ?? "unknown"}\n`);
console.log(table(rows));
process.exitCode = rows.some(({ verdict }) => verdict === "BROKEN") ? 1 : 0;

function programs(text: string): Program[] {
  return text.split(",").map((name) => {
    const known = PROGRAMS.find((program) => program === name);
    if (known === undefined) throw new RangeError(`Unknown program "${name}": use ${PROGRAMS.join(", ")}`);
    return known;
  });
}

async function runProgram(program: Program): Promise<Row[]> {
  if (program === "kills") {
    const options = { sessions: number("sessions", 30), kills: number("kills", 10), seed: number("seed", 1) };
    return [await runKills({ ...options, log })];
  }
  if (program === "load") {
    const durationMs = number("minutes", 2) * 60_000;
    const report = await runLoad({
      ...{ sessions: number("sessions", 200), durationMs, thinkMs: THINK_MS, log },
      ...{ sampleEveryMs: Math.min(30_000, durationMs / 12), turnsPerSession: 6 },
    });
    return loadRows(report);
  }
  if (program === "mcp") return runMcp(log);
  const found: Row[] = [];
  for (const fault of allFaults(CUT_ONE_OF)) {
    log(`fault: ${fault.name}`);
    found.push(faultRow(await runFault(fault, { sessions: FAULT_SESSIONS, steps: FAULT_STEPS, cutOneOf: CUT_ONE_OF })));
  }
  return found;
}

function number(name: "minutes" | "sessions" | "kills" | "seed", byDefault: number): number {
  const text = values[name];
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new RangeError(`Invalid --${name} "${text}": use a positive number`);
  return value;
}
