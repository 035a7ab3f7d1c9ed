/** One way to do the task: returns a number, so that no engine can skip the work. */
export interface Variant {
  readonly name: string;
  run(): number;
}

/** Median milliseconds of each variant, measured in rounds that take turns, each round in another order. */
export function measure(variants: readonly Variant[], rounds: number): number[] {
  const times = variants.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (let place = 0; place < variants.length; place++) {
      const index = (place + round + 1) % variants.length;
      const started = performance.now();
      const outcome = variants[index]?.run();
      const elapsed = performance.now() - started;
      if (outcome === undefined || Number.isNaN(outcome)) throw new Error(`Variant ${index} did not run`);
      // The first round warms the code up.
      if (round >= 0) times[index]?.push(elapsed);
    }
  }
  return times.map(median);
}

/** A markdown table of one task: the first variant is ours, the ratio says how many times longer the others take. */
export function table(task: string, variants: readonly Variant[], rounds: number): string {
  const medians = measure(variants, rounds);
  const ours = medians[0] ?? Number.NaN;
  const rows = variants.map(({ name }, index) => {
    const ms = medians[index] ?? Number.NaN;
    return `| ${name} | ${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} | ${formatRatio(ms / ours)} |`;
  });
  return [`| ${task} | ms | ratio |`, "| --- | ---: | ---: |", ...rows].join("\n");
}

function formatRatio(ratio: number): string {
  return ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
