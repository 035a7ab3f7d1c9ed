// The pairing rule itself, free of any message format: which result answers which call, and what is out of place.

export type PairingProblemKind =
  | "missing-result"
  | "orphan-result"
  | "duplicate-result"
  | "misplaced-result"
  | "unordered-results"
  | "duplicate-id"
  | "reused-id"
  | "empty-part"
  | "empty-message"
  | "dangling-reasoning"
  | "malformed-text";

/** One violation. `index` is the position in the checked array. */
export interface PairingProblem {
  readonly kind: PairingProblemKind;
  readonly index: number;
  readonly toolCallId?: string;
  readonly message: string;
}

export interface PairingOptions {
  /** Also treats the reuse of a call id in a later turn as a violation; repair renames the later ones. */
  readonly uniqueIds?: boolean;
}

/** What a call without a result is answered with. */
export const INTERRUPTED_RESULT =
  "[interrupted: this call did not finish and its result is missing; it may have taken effect]";

/** One message, or one run of wire items that stands for a message. Every `index` is a position in the given array. */
export interface Step<R> {
  readonly index: number;
  readonly calls: readonly { readonly id: string; readonly index: number }[];
  readonly results: readonly { readonly id: string; readonly index: number; readonly value: R }[];
  /** False if something other than results stands before them in this step. */
  readonly resultsLead: boolean;
}

/** One call: the id it came with, the id to send, and the result that answers it. */
export interface Slot<R> {
  readonly id: string;
  readonly sentId: string;
  readonly answer?: { readonly value: R };
}

export interface Matching<R> {
  /** The slots of each step that has calls, by position in the given steps. */
  readonly batches: ReadonlyMap<number, readonly Slot<R>[]>;
  readonly problems: readonly PairingProblem[];
}

interface OpenSlot<R> {
  readonly step: number;
  readonly index: number;
  readonly id: string;
  readonly sentId: string;
  answer?: { value: R };
  order?: number;
}

// A result answers the newest batch that has its id; an older batch with the same id is closed from then on,
// so a stray result is never credited to the wrong turn.
export function matchResults<R>(steps: readonly Step<R>[], options: PairingOptions = {}): Matching<R> {
  const batches = new Map<number, OpenSlot<R>[]>();
  const newest = new Map<string, OpenSlot<R>[]>();
  const ids: Ids = { used: new Set(), nextSuffix: new Map(), unique: options.uniqueIds === true };
  const problems: PairingProblem[] = [];

  steps.forEach((step, position) => {
    if (step.calls.length > 0) {
      const slots = openSlots(step, position, ids, problems);
      batches.set(position, slots);
      for (const [id, own] of byId(slots)) newest.set(id, own);
    }
    let order = 0;
    for (const { id, index, value } of step.results) {
      const slot = newest.get(id)?.find((candidate) => candidate.answer === undefined);
      if (slot === undefined) {
        problems.push(strayResult(index, id, newest.has(id)));
        continue;
      }
      slot.answer = { value };
      if (position === slot.step + 1 && step.resultsLead) {
        slot.order = order++;
        continue;
      }
      problems.push({
        kind: "misplaced-result",
        index,
        toolCallId: id,
        message: `The result of call "${id}" does not follow its call directly`,
      });
    }
  });

  for (const [position, slots] of batches) problems.push(...batchProblems(steps[position]?.index ?? position, slots));
  return { batches, problems };
}

function byId<R>(slots: readonly OpenSlot<R>[]): Map<string, OpenSlot<R>[]> {
  const groups = new Map<string, OpenSlot<R>[]>();
  for (const slot of slots) {
    const group = groups.get(slot.id);
    if (group === undefined) groups.set(slot.id, [slot]);
    else group.push(slot);
  }
  return groups;
}

interface Ids {
  readonly used: Set<string>;
  readonly nextSuffix: Map<string, number>;
  readonly unique: boolean;
}

function openSlots<R>(step: Step<R>, position: number, ids: Ids, problems: PairingProblem[]): OpenSlot<R>[] {
  const own = new Set(step.calls.map(({ id }) => id));
  const sent = new Set<string>();
  return step.calls.map(({ id, index }) => {
    const twice = sent.has(id);
    const reused = ids.unique && ids.used.has(id);
    if (twice || reused) problems.push(idProblem(index, id, twice));
    const sentId = twice || reused ? freeId(id, ids, own, sent) : id;
    sent.add(sentId);
    ids.used.add(sentId);
    return { step: position, index, id, sentId };
  });
}

function idProblem(index: number, id: string, twice: boolean): PairingProblem {
  return twice
    ? { kind: "duplicate-id", index, toolCallId: id, message: `Two calls of one message share the id "${id}"` }
    : { kind: "reused-id", index, toolCallId: id, message: `The id "${id}" was already used by an earlier call` };
}

// Only ids seen so far count, so the ids of an unchanged beginning stay the same when the history grows.
function freeId(id: string, ids: Ids, own: ReadonlySet<string>, sent: ReadonlySet<string>): string {
  for (let n = ids.unique ? (ids.nextSuffix.get(id) ?? 2) : 2; ; n++) {
    const suffix = `_${n}`;
    const candidate = id.slice(0, MAX_ID_CHARS - suffix.length) + suffix;
    if (own.has(candidate) || sent.has(candidate) || (ids.unique && ids.used.has(candidate))) continue;
    ids.nextSuffix.set(id, n + 1);
    return candidate;
  }
}

// The shortest limit known of a provider (OpenAI Chat Completions).
const MAX_ID_CHARS = 40;

function strayResult(index: number, id: string, known: boolean): PairingProblem {
  return known
    ? {
        kind: "duplicate-result",
        index,
        toolCallId: id,
        message: `The call "${id}" already has a result`,
      }
    : {
        kind: "orphan-result",
        index,
        toolCallId: id,
        message: `The result "${id}" has no call before it`,
      };
}

function batchProblems<R>(index: number, slots: readonly OpenSlot<R>[]): PairingProblem[] {
  const problems: PairingProblem[] = [];
  let last = -1;
  let ordered = true;
  for (const { id, index: at, answer, order } of slots) {
    if (answer === undefined) {
      problems.push({ kind: "missing-result", index: at, toolCallId: id, message: `The call "${id}" has no result` });
    } else if (order !== undefined) {
      if (order < last) ordered = false;
      last = order;
    }
  }
  if (!ordered)
    problems.push({ kind: "unordered-results", index, message: "The results are not in the order of their calls" });
  return problems;
}
