// Files of the size that breaks readers, read with a heap of 256 MB: no call may be slow, stall the main thread or grow.
import { spawn } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const MAX_CALL_MS = 30_000;
const MAX_LATER_MS = 1_000;
const MAX_RSS_BYTES = 500_000_000;
const MAX_P99_MS = 20;

interface Report {
  readonly args: { readonly path: string };
  readonly ms: number;
  readonly p99Ms: number;
  readonly peakRss: number;
  readonly end: string;
  readonly error?: { readonly message: string };
  readonly result: { readonly totalLines: number; readonly lineCount: number; readonly lineChars?: number };
}

interface LargeFile {
  readonly path: string;
  readonly block: Buffer;
  readonly copies: number;
  readonly totalLines: number;
  /** The first call scans; those after it take the index. */
  readonly calls: readonly Record<string, unknown>[];
}

const ROWS = Buffer.from(
  Array.from(
    { length: 20_000 },
    (_, index) => `row ${String(index).padStart(7, "0")} padding padding padding padding\n`,
  ).join(""),
);
const MIXED = Buffer.from("汉字 and words é 🎈\r\n".repeat(20_000));

const FILES: readonly LargeFile[] = [
  {
    path: "rows.log",
    block: ROWS,
    copies: 650,
    totalLines: 13_000_000,
    calls: [{ offset: 1, limit: 5 }, { offset: 12_999_999, limit: 5 }, { offset: -100 }, { offset: 6_500_000 }],
  },
  {
    path: "rows-large.log",
    block: ROWS,
    copies: 2600,
    totalLines: 52_000_000,
    calls: [{ offset: -5 }, { offset: 30_000_000 }],
  },
  {
    path: "line.json",
    block: Buffer.from("0123456789".repeat(50_000)),
    copies: 1000,
    totalLines: 1,
    calls: [{}, { limit: 1, column: 250_000_000 }, { limit: 1, column: 499_999_000 }, { offset: -1 }],
  },
  {
    path: "short.txt",
    block: Buffer.from("x\n".repeat(100_000)),
    copies: 1000,
    totalLines: 100_000_000,
    calls: [{ offset: 50_000_000 }, { offset: -4000 }, { offset: 99_999_999 }],
  },
  {
    path: "mixed.txt",
    block: MIXED,
    copies: 1500,
    totalLines: 30_000_000,
    calls: [{ offset: 15_000_000 }, { offset: -10 }],
  },
  {
    // One byte that is no UTF-8 in every block.
    path: "faulty.log",
    block: Buffer.concat([ROWS, Buffer.of(0xff, 0x0a)]),
    copies: 650,
    totalLines: 13_000_650,
    calls: [{ offset: 13_000_000 }, { offset: 5_000_000 }],
  },
  {
    path: "gbk.txt",
    block: Buffer.from("\xd6\xd0\xce\xc4\xb2\xe2\xca\xd4 line\n".repeat(20_000), "latin1"),
    copies: 1000,
    totalLines: 20_000_000,
    calls: [{ offset: 19_000_000 }, { offset: 2_000_000 }],
  },
];

/** @throws Error that names the call that was too slow, too large or wrong. */
export async function run(): Promise<void> {
  console.log("| file | call | ms | main thread p99, ms | peak memory, MB |\n| --- | --- | ---: | ---: | ---: |");
  for (const file of FILES) {
    const root = await realpath(await mkdtemp(join(tmpdir(), "spillway-soak-")));
    try {
      writeBlocks(join(root, file.path), file);
      const reports = await readIn(
        root,
        file.calls.map((args) => ({ path: file.path, ...args })),
      );
      for (const [index, report] of reports.entries()) check(file, report, index === 0);
      if (reports.length !== file.calls.length) throw new Error(`${file.path}: the process ended before its last call`);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }
}

function check({ path, totalLines }: LargeFile, report: Report, isFirst: boolean): void {
  const { args, ms, p99Ms, peakRss, error, result } = report;
  const call = JSON.stringify(args);
  if (error !== undefined) throw new Error(`${call} failed: ${error.message}`);
  console.log(`| ${path} | ${call} | ${ms.toFixed(1)} | ${p99Ms.toFixed(1)} | ${(peakRss / 1e6).toFixed(0)} |`);
  const limits = [
    [result.totalLines === totalLines, `counts ${result.totalLines} lines, not ${totalLines}`],
    [result.lineCount > 0, "shows no line"],
    [ms < (isFirst ? MAX_CALL_MS : MAX_LATER_MS), `took ${ms.toFixed(0)} ms`],
    [p99Ms < MAX_P99_MS, `held the main thread up for ${p99Ms.toFixed(1)} ms`],
    [peakRss < MAX_RSS_BYTES, `took ${peakRss} bytes of memory`],
  ] as const;
  for (const [isGood, fault] of limits) if (!isGood) throw new Error(`${call} ${fault}`);
}

function writeBlocks(path: string, { block, copies }: LargeFile): void {
  const fd = openSync(path, "w");
  for (let copy = 0; copy < copies; copy++) writeSync(fd, block);
  closeSync(fd);
}

/** The calls in a process with a small heap. */
async function readIn(root: string, calls: readonly object[]): Promise<Report[]> {
  const program = fileURLToPath(new URL("../test/fixtures/read-large-files.ts", import.meta.url));
  const child = spawn(process.execPath, ["--max-old-space-size=256", ...process.execArgv, program, root], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, READ_CALLS: JSON.stringify(calls) },
  });
  const reports: Report[] = [];
  for await (const line of createInterface({ input: child.stdout })) reports.push(JSON.parse(line));
  return reports;
}
