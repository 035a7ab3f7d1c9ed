import type { Ledger } from "./ledger.ts";
import type { Prepared } from "./stage.ts";
import { ANSWER } from "./steps.ts";

/** What the runs that met the fault ended in, each with how often: "stop", or an error's code. */
export function endingsOf(ledgers: readonly Ledger[]): Map<string, number> {
  return countOf(ledgers.map(({ ending }) => ending?.error?.code ?? ending?.reason ?? "no end"));
}

/** What the fault does not explain, in words: each end is a success or a clear error, each failed call says why. */
export function unexplained(ledger: Ledger, prepared: Prepared): string[] {
  const { callCodes = [], runCodes = [], warningCodes = [] } = prepared;
  const problems: string[] = [];
  for (const [id, code] of ledger.results) {
    if (code !== "ok" && !callCodes.includes(code)) problems.push(`${id} failed with ${code}`);
  }
  for (const code of new Set(ledger.warnings)) {
    if (!warningCodes.includes(code)) problems.push(`a warning ${code}`);
  }
  const { ending } = ledger;
  if (ending === undefined) return [...problems, "a run did not end"];
  const { reason, error, text } = ending;
  if (reason === "stop" && text !== ANSWER) problems.push(`a run stopped with "${text}"`);
  if (reason !== "stop" && !runCodes.includes(error?.code ?? reason)) {
    problems.push(`a run ended with ${error?.code ?? reason}: ${error?.message ?? ""}`);
  }
  return problems;
}

/** A resumed run has no more faults to meet; what was begun before may be told as interrupted. */
export function unfinishedProblems(ledger: Ledger): string[] {
  return unexplained(ledger, { ...NOTHING, callCodes: ["INTERRUPTED"] });
}

const NOTHING: Prepared = {
  inject: async () => undefined,
  heal: async () => undefined,
  dispose: async () => undefined,
};

/** Commands whose line in the log contradicts what their session was told. */
export function wrongEffects(ledgers: readonly Ledger[], effects: readonly number[], losesFiles: boolean): string[] {
  return effects.flatMap((times, step) => {
    if (times > 1) return [`step ${step} took effect ${times} times`];
    const isTold = ledgers.some(({ results }) => results.get(`bash${step}`) === "ok");
    return times === 0 && isTold && !losesFiles ? [`step ${step} was told of and took no effect`] : [];
  });
}

export function countOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
