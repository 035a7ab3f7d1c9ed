/** One way to do the task. */
export interface Variant {
  readonly name: string;
  run(): Promise<void>;
}

/** A markdown table: median milliseconds of each variant and the ratio to the first, measured in rounds that take turns. */
export async function table(task: string, variants: readonly Variant[], rounds: number, per = 1): Promise<string> {
  const times = variants.map((): number[] => []);
  // The first round warms caches up.
  for (let round = -1; round < rounds; round += 1) {
    for (const place of variants.keys()) {
      const index = (place + round + 1) % variants.length;
      const started = performance.now();
      await variants[index]?.run();
      if (round >= 0) times[index]?.push((performance.now() - started) / per);
    }
  }
  const medians = times.map(median);
  const rows = variants.map(({ name }, index) => {
    const ms = medians[index] ?? Number.NaN;
    return `| ${name} | ${ms.toFixed(ms < 10 ? 2 : 0)} | ${(ms / (medians[0] ?? Number.NaN)).toFixed(1)} |`;
  });
  return [`| ${task} | ms | ratio |`, "| --- | ---: | ---: |", ...rows].join("\n");
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
