import type { FaultReport } from "../faults.ts";
import { judged, type Row } from "../row.ts";

export function faultRow({ name, skipped, endings, calls, retries, fact, problems }: FaultReport): Row {
  if (skipped !== undefined) return { what: name, measured: skipped, verdict: "SKIPPED" };
  const told = [
    `runs: ${counted(endings)}`,
    `calls: ${counted(calls)}`,
    ...(retries > 0 ? [`${retries} retries`] : []),
    ...(fact === "" ? [] : [fact]),
    ...(problems.length > 0 ? [`${problems.length} problems: ${problems.slice(0, 3).join("; ")}`] : []),
  ];
  return judged(name, told.join(", "), "clear ends, nothing lost, all resumed", problems.length === 0);
}

function counted(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, times]) => `${times} ${what}`).join(" ");
}
