// Many scripted sessions in one process: what the loop itself costs, holds and leaves behind.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createToolbox } from "@spillway/tools";
import { describePid, markedPids, zombieChildren } from "../test/helpers/call-marks.ts";
import { type Book, createBook } from "./load/book.ts";
import { descriptorsBelow, openGauges, type Reading } from "./load/gauges.ts";
import { createSlot, type LotOptions, type Slot, type SlotOptions } from "./load/lot.ts";
import { createProbe, type ProbeSample } from "./load/probe.ts";
import { type ProcessorUse, startProcessorLog } from "./load/processor.ts";
import { busyScript, greedyScript, probeScript } from "./load/script.ts";

export interface LoadOptions {
  readonly sessions: number;
  /** Milliseconds in which turns are begun. */
  readonly durationMs: number;
  /** Milliseconds a model thinks before each answer of a busy session, from and to. */
  readonly thinkMs: readonly [number, number];
  readonly sampleEveryMs: number;
  readonly turnsPerSession: number;
  readonly log: (line: string) => void;
}

export interface LoadReport {
  readonly book: Book;
  readonly sessions: number;
  readonly seconds: number;
  /** Of the sessions that do nothing but read, while all others work. */
  readonly samples: readonly ProbeSample[];
  /** The same of the session that sends 60 calls at once. */
  readonly greedySamples: readonly ProbeSample[];
  /** Taken while all sessions work. */
  readonly readings: readonly Reading[];
  /** Before the first session, with all open and idle, idle after their work, and after the last was closed. */
  readonly empty: Reading;
  readonly opened: Reading;
  readonly worked: Reading;
  readonly closed: Reading;
  /** Milliseconds the event loop was late, 99 % of the time at most. */
  readonly loopDelayP99: number;
  /** Second by second. */
  readonly processors: readonly ProcessorUse[];
  /** Processes of commands and ended children that nobody asked for, after the end: each as its command line. */
  readonly survivors: readonly string[];
  /** Files of the sessions that are still open after the end. */
  readonly openFiles: readonly string[];
}

/** Small enough for a checkpoint every few turns. */
const CONTEXT_WINDOW = 24_000;
const PROBE_THINK_MS = [1_000, 2_000] as const;
const GREEDY_THINK_MS = [2_000, 4_000] as const;

export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "spillway-load-")));
  const gauges = openGauges();
  // One pool for all of it, as in a process that is never without a session.
  const keeper = await createToolbox({ root: base });
  const over = new AbortController();
  const book = createBook();
  const lot: LotOptions = { base, book, over: over.signal };
  try {
    await warmUp(lot);
    const empty = gauges.read();
    const probe = createProbe(gauges.disturbances, true);
    const greedyProbe = createProbe(gauges.disturbances, false);
    const slots = createSlots(options, lot, { onEvent: probe.onEvent }, { onEvent: greedyProbe.onEvent });
    await inGroups(slots, (slot) => slot.open());
    const opened = gauges.read();
    gauges.readings.length = 0;
    gauges.resetDelay();
    const processors = startProcessorLog();
    const begin = performance.now();
    const working = Promise.all(slots.map((slot) => slot.work()));
    await watch(options, gauges, book);
    processors.close();
    const loopDelayP99 = gauges.delayPercentile(0.99);
    const seconds = (performance.now() - begin) / 1000;
    const readings = [...gauges.readings];
    const [samples, greedySamples] = [[...probe.samples], [...greedyProbe.samples]];
    over.abort();
    await working;
    const worked = gauges.read();
    await inGroups(slots, (slot) => slot.close());
    const closed = gauges.read();
    return {
      ...{ book, sessions: options.sessions, seconds, samples, greedySamples, readings, empty, opened, worked, closed },
      ...{
        loopDelayP99,
        processors: processors.uses,
        survivors: await survivorsAfterMoment(),
        openFiles: descriptorsBelow(base),
      },
    };
  } finally {
    over.abort();
    gauges.close();
    await keeper.close({ remove: true });
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Of twenty sessions one only reads; one of all is greedy; the others work. */
function createSlots(
  options: LoadOptions,
  lot: LotOptions,
  probe: Pick<SlotOptions, "onEvent">,
  greedy: Pick<SlotOptions, "onEvent">,
): Slot[] {
  const probes = Math.max(1, Math.round(options.sessions / 20));
  const shared = { contextWindow: CONTEXT_WINDOW, turnsPerSession: options.turnsPerSession };
  return Array.from({ length: options.sessions }, (_, at) => {
    if (at === 0) {
      const large = { contextWindow: 4 * CONTEXT_WINDOW };
      return createSlot(
        { ...shared, ...large, ...greedy, name: "greedy", script: greedyScript, thinkMs: GREEDY_THINK_MS },
        lot,
      );
    }
    if (at <= probes) {
      return createSlot({ ...shared, ...probe, name: `probe${at}`, script: probeScript, thinkMs: PROBE_THINK_MS }, lot);
    }
    return createSlot({ ...shared, name: `busy${at}`, script: busyScript, thinkMs: options.thinkMs }, lot);
  });
}

/** Loads what the first turn and the first checkpoint of a process load. */
async function warmUp(lot: LotOptions): Promise<void> {
  const over = new AbortController();
  const slot = createSlot(
    {
      ...{ name: "warm", script: busyScript, thinkMs: [0, 0], contextWindow: CONTEXT_WINDOW, turnsPerSession: 1000 },
      onEvent: ({ type }) => {
        if (type === "checkpoint") over.abort();
      },
    },
    { ...lot, book: createBook(), over: over.signal },
  );
  await slot.open();
  await slot.work();
  await slot.close();
}

async function watch(
  { durationMs, sampleEveryMs, log }: LoadOptions,
  gauges: ReturnType<typeof openGauges>,
  book: Book,
): Promise<void> {
  const end = performance.now() + durationMs;
  for (let left = durationMs; left > 0; left = end - performance.now()) {
    await sleep(Math.min(sampleEveryMs, left));
    const { at, heap, descriptors, children } = gauges.read();
    const { turns, calls, checkpoints, totalProblems } = book;
    log(
      `${Math.round(at / 1000)} s: ${turns} turns, ${calls} calls, ${checkpoints} checkpoints, ${totalProblems} problems, heap ${Math.round(heap / 1e6)} MB, ${descriptors} descriptors, ${children} children`,
    );
  }
}

/** Processes that are there to stay: what has just ended may take a moment to be asked for. */
async function survivorsAfterMoment(): Promise<readonly string[]> {
  for (let look = 0; ; look += 1) {
    const pids = [...markedPids(), ...zombieChildren()];
    if (pids.length === 0 || look === 50) return pids.map(describePid);
    await sleep(100);
  }
}

/** A few at a time: what is measured is how many sessions are there, not how fast they come. */
async function inGroups(slots: readonly Slot[], act: (slot: Slot) => Promise<void>): Promise<void> {
  for (let at = 0; at < slots.length; at += 10) await Promise.all(slots.slice(at, at + 10).map(act));
}
