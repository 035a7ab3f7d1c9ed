import type { LoadReport } from "../load.ts";
import { judged, type Row, told } from "../row.ts";
import { mean, percentile, slope } from "./figures.ts";
import type { ProbeSample } from "./probe.ts";
import { othersWhile, type ProcessorUse } from "./processor.ts";

/** What a small Read may take more than `readFile`, 99 % of the time, in milliseconds. */
const READ_OVERHEAD_MS = 50;
/** A second in which others have more than this share of the machine says little about this process. */
const OTHERS = 0.1;
const READ_ROW = "small Read, more than `readFile`";
/** Samples that say something about their slowest hundredth. */
const ENOUGH = 200;
/** What may have grown over the second half of a run, as a share of the mean. */
const GROWTH = 0.1;
/** What comes and goes in any case. */
const HEAP_PLAY = 8e6;
const DESCRIPTOR_PLAY = 10;
/** What an idle process of this kind keeps of a load that is over. */
const KEPT_HEAP = 30e6;
/** Of threads that were not there before. */
const KEPT_DESCRIPTORS = 40;

export function loadRows(report: LoadReport): Row[] {
  const { book, sessions, seconds, readings, empty, opened, worked, closed } = report;
  const { samples, greedySamples, processors, loopDelayP99, survivors, openFiles } = report;
  const quiet = samples.filter(({ at, totalMs }) => othersWhile(processors, at, at + totalMs) < OTHERS);
  const isQuiet = quiet.length >= ENOUGH;
  const judgedSamples = isQuiet ? quiet : samples;
  const overheadP99 = percentile(judgedSamples.map(overhead), 0.99);
  const which = isQuiet ? `, while others had less than ${percent(OTHERS)} of the processors` : "";
  const late = readings.slice(Math.floor(readings.length / 2));
  const heap = growth(late.map(({ at, heap }) => [at, heap]));
  const descriptors = growth(late.map(({ at, descriptors }) => [at, descriptors]));
  const each = (from: number, to: number): string => mb((to - from) / sessions);
  return [
    told(
      "load",
      `${sessions} sessions for ${Math.round(seconds)} s: ${book.turns} turns, ${book.calls} calls, ${book.checkpoints} checkpoints`,
    ),
    told(
      "processors",
      `${percent(mean(processors.map(({ own }) => own)))} busy with it, ${percent(mean(processors.map(({ others }) => others)))} with others`,
    ),
    judged(
      "errors",
      book.totalProblems === 0 ? "0" : `${book.totalProblems}: ${book.problems.slice(0, 3).join("; ")}`,
      "0",
      book.totalProblems === 0,
    ),
    readRow(
      overheadP99,
      `${spread(judgedSamples.map(overhead))} of ${judgedSamples.length}${which}`,
      isQuiet,
      processors,
    ),
    told("the same, all of them", `${spread(samples.map(overhead))} of ${samples.length}`),
    told("`readFile` alone, beside", spread(judgedSamples.map(({ bareMs }) => bareMs))),
    judged(
      "waiting and journal: a quiet session beside a greedy one",
      `p50 ${ms(percentile(samples.map(waiting), 0.5))} beside ${ms(percentile(greedySamples.map(waiting), 0.5))}`,
      "the greedy one waits longer",
      percentile(samples.map(waiting), 0.5) < percentile(greedySamples.map(waiting), 0.5),
    ),
    told("event loop late", `p99 ${ms(loopDelayP99)}`),
    judged(
      "heap, second half",
      `${mb(mean(late.map(({ heap }) => heap)))}, ${signed(heap / 1e6)} MB`,
      "flat (10 % or 8 MB)",
      isFlat(heap, mean(late.map(({ heap }) => heap)), HEAP_PLAY),
    ),
    judged(
      "descriptors, second half",
      `${Math.round(mean(late.map(({ descriptors }) => descriptors)))}, ${signed(descriptors)}`,
      "flat (10 % or 10)",
      isFlat(descriptors, mean(late.map(({ descriptors }) => descriptors)), DESCRIPTOR_PLAY),
    ),
    told(
      "memory of an idle session",
      `${each(empty.heap, opened.heap)} opened, ${each(empty.heap, worked.heap)} after its work`,
    ),
    told(
      "resident",
      `${mb(empty.resident)} empty, ${mb(opened.resident)} opened, ${mb(worked.resident)} after the work`,
    ),
    judged(
      "after the last session: heap",
      `${mb(closed.heap)} of ${mb(empty.heap)} before`,
      "30 MB more at most",
      closed.heap - empty.heap < KEPT_HEAP,
    ),
    judged(
      "after the last session: descriptors",
      `${closed.descriptors} of ${empty.descriptors} before`,
      "40 more at most",
      closed.descriptors - empty.descriptors <= KEPT_DESCRIPTORS,
    ),
    judged("after the last session: files still open", `${openFiles.length}`, "0", openFiles.length === 0),
    judged(
      "after the last session: processes",
      [survivors.length, ...survivors].join(" "),
      "0",
      survivors.length === 0,
    ),
  ];
}

function spread(values: readonly number[]): string {
  return `p50 ${ms(percentile(values, 0.5))}, p99 ${ms(percentile(values, 0.99))}`;
}

/** Where others have the machine nearly all the time, a bound that is not kept is not judged. */
function readRow(p99: number, measured: string, isQuiet: boolean, processors: readonly ProcessorUse[]): Row {
  const row = judged(READ_ROW, measured, `p99 under ${READ_OVERHEAD_MS} ms`, p99 < READ_OVERHEAD_MS);
  const others = mean(processors.map((use) => use.others));
  if (row.verdict === "ok" || isQuiet || others < OTHERS) return row;
  return {
    ...row,
    measured: `${measured}; not judged: others had ${percent(others)} of the processors`,
    verdict: "SKIPPED",
  };
}

function overhead({ totalMs, bareMs }: ProbeSample): number {
  return totalMs - bareMs;
}

function waiting({ totalMs, ranMs }: ProbeSample): number {
  return totalMs - ranMs;
}

/** The rise of the straight line through the points, from the first to the last. */
function growth(points: readonly (readonly [number, number])[]): number {
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  return slope(points) * (last - first);
}

function isFlat(rise: number, average: number, play: number): boolean {
  return rise <= Math.max(average * GROWTH, play);
}

function ms(value: number): string {
  return `${Math.abs(value) < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 10e6 ? 2 : 0)} MB`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
}
