/** One way to do the task: returns a number, so that no engine can skip the work. */
export interface Variant {
  readonly name: string;
  run(): number | Promise<number>;
}

export interface Timing {
  readonly name: string;
  /** Median of the rounds. */
  readonly ms: number;
  /** The longest time the event loop had to wait: of each round, then their median. */
  readonly stallMs: number;
}

/** Milliseconds that went by, whoever had the processor: for what waits for the disk. */
export const wallClock = (): number => performance.now();

/** Milliseconds of processor time of all threads: for what only computes, on a machine that others use as well. */
export const cpuClock = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Measures variants in rounds that take turns, each round in another order; the first round warms the code up. */
export async function measure(
  variants: readonly Variant[],
  rounds: number,
  clock: () => number = cpuClock,
): Promise<Timing[]> {
  const times = variants.map((): number[] => []);
  const stalls = variants.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (let place = 0; place < variants.length; place++) {
      const index = (place + round + 1) % variants.length;
      const { ms, stallMs } = await watch(variants[index], clock);
      if (round < 0) continue;
      times[index]?.push(ms);
      stalls[index]?.push(stallMs);
    }
  }
  return variants.map(({ name }, index) => ({
    name,
    ms: median(times[index] ?? []),
    stallMs: median(stalls[index] ?? []),
  }));
}

/** A markdown table: the first variant is ours, the ratio says how many times longer the others take. */
export function table(task: string, timings: readonly Timing[]): string {
  const ours = timings[0]?.ms ?? Number.NaN;
  const rows = timings.map(
    ({ name, ms, stallMs }) => `| ${name} | ${short(ms)} | ${short(ms / ours)} | ${short(stallMs)} |`,
  );
  return [`| ${task} | ms | ratio | longest stall, ms |`, "| --- | ---: | ---: | ---: |", ...rows].join("\n");
}

export function short(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

async function watch(variant: Variant | undefined, clock: () => number): Promise<{ ms: number; stallMs: number }> {
  let stallMs = 0;
  let watching = true;
  let last = clock();
  const tick = (): void => {
    const now = clock();
    stallMs = Math.max(stallMs, now - last);
    last = now;
    if (watching) setImmediate(tick);
  };
  await new Promise((resolve) => setImmediate(resolve));
  last = clock();
  setImmediate(tick);
  const started = clock();
  const outcome = await variant?.run();
  const ms = clock() - started;
  watching = false;
  await new Promise((resolve) => setImmediate(resolve));
  if (outcome === undefined || Number.isNaN(outcome)) throw new Error("A variant did not run");
  return { ms, stallMs: Math.max(stallMs, clock() - last) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
