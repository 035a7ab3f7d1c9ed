// Pairing for wire formats in which every result is an item of its own.
import { matchResults, type PairingOptions, type PairingProblem, type Slot, type Step } from "./match.ts";
import { textProblems, wellFormedValue } from "./well-formed.ts";

/** An item and its position in the given array. */
export interface Placed<I> {
  readonly item: I;
  readonly index: number;
}

/** What is left of the items of one step, and what had to go. */
export interface CleanItems<I> {
  readonly items: readonly Placed<I>[];
  readonly problems: readonly PairingProblem[];
}

export interface ItemFormat<I> {
  callIds(item: I): readonly string[];
  /** The id a result answers; undefined for any other item. */
  resultId(item: I): string | undefined;
  /** Whether an item that is no result belongs to the same step as the one before it. */
  isSameStep(item: I, previous: I): boolean;
  /** Takes empty texts out of the items of one step, and items that are empty then. */
  clean(items: readonly Placed<I>[]): CleanItems<I>;
  /** The item with these ids in the place of its own, in order. */
  withCallIds(item: I, ids: readonly string[]): I;
  withResultId(item: I, id: string): I;
  /** The result of a call of the item that has none. */
  interrupted(item: I, id: string): I;
}

export function checkItems<I>(
  items: readonly I[],
  format: ItemFormat<I>,
  options: PairingOptions = {},
): PairingProblem[] {
  const runs = readRuns(items, format);
  const problems = [...matchResults(stepsOf(runs, format), options).problems];
  for (const run of runs) problems.push(...format.clean(run.items).problems);
  items.forEach((item, index) => {
    problems.push(...textProblems(item, index));
  });
  return problems.sort((a, b) => a.index - b.index);
}

export function repairItems<I>(given: readonly I[], format: ItemFormat<I>, options: PairingOptions = {}): I[] {
  const runs = readRuns(wellFormedValue(given), format);
  const { batches } = matchResults(stepsOf(runs, format), options);
  return runs.flatMap((run, position) => {
    if (run.isResults) return [];
    const slots = batches.get(position) ?? [];
    return [...renamed(format.clean(run.items).items, slots, format), ...answers(run, slots, format)];
  });
}

interface Run<I> {
  readonly isResults: boolean;
  readonly items: Placed<I>[];
}

function readRuns<I>(items: readonly I[], format: ItemFormat<I>): Run<I>[] {
  const runs: Run<I>[] = [];
  items.forEach((item, index) => {
    const isResults = format.resultId(item) !== undefined;
    const last = runs.at(-1);
    const previous = last?.items.at(-1)?.item;
    const joins =
      previous !== undefined && last?.isResults === isResults && (isResults || format.isSameStep(item, previous));
    if (joins) last?.items.push({ item, index });
    else runs.push({ isResults, items: [{ item, index }] });
  });
  return runs;
}

function stepsOf<I>(runs: readonly Run<I>[], format: ItemFormat<I>): Step<I>[] {
  return runs.map(({ items }) => ({
    index: items[0]?.index ?? 0,
    calls: items.flatMap(({ item, index }) => format.callIds(item).map((id) => ({ id, index }))),
    results: items.flatMap(({ item, index }) => {
      const id = format.resultId(item);
      return id === undefined ? [] : [{ id, index, value: item }];
    }),
    resultsLead: true,
  }));
}

function renamed<I>(items: readonly Placed<I>[], slots: readonly Slot<I>[], format: ItemFormat<I>): I[] {
  let next = 0;
  return items.map(({ item }) => {
    const ids = format.callIds(item);
    const sent = ids.map((id) => slots[next++]?.sentId ?? id);
    return sent.every((id, at) => id === ids[at]) ? item : format.withCallIds(item, sent);
  });
}

function answers<I>(run: Run<I>, slots: readonly Slot<I>[], format: ItemFormat<I>): I[] {
  const callers = run.items.flatMap(({ item }) => format.callIds(item).map(() => item));
  return slots.flatMap(({ id, sentId, answer }, at) => {
    const caller = callers[at];
    if (answer !== undefined) return [id === sentId ? answer.value : format.withResultId(answer.value, sentId)];
    return caller === undefined ? [] : [format.interrupted(caller, sentId)];
  });
}
