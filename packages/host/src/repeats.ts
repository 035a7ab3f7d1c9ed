import { createHash } from "node:crypto";

/** A guard's advice after a failed call: text for the model, and whether the turn must end. */
export interface GuardAdvice {
  readonly text?: string;
  readonly stop?: { readonly code: "REPEATED_FAILURE" | "MUTATION_RETRY_BUDGET_EXHAUSTED"; readonly message: string };
}

/** What a guard is told about a finished call. */
export interface FinishedCall {
  readonly tool: string;
  readonly args: unknown;
  readonly ok: boolean;
  /** Error code and text: two failures with the same code and text failed the same way. */
  readonly failure?: { readonly code: string; readonly text: string };
}

export const REPEATS_BEFORE_ADVICE = 3;
export const REPEATS_BEFORE_STOP = 5;

/** Counts identical failures of one turn; calls of one step count once, and a changed file forgives everything. */
export interface RepeatGuard {
  /** The calls of one step in call order; advice by index where there is any. */
  observe(calls: readonly FinishedCall[]): (GuardAdvice | undefined)[];
}

export function createRepeatGuard(): RepeatGuard {
  const counts = new Map<string, number>();
  return {
    observe(calls) {
      if (calls.some((call) => call.ok && (call.tool === "Write" || call.tool === "Edit"))) counts.clear();
      const counted = new Set<string>();
      return calls.map((call) => {
        if (call.failure === undefined) return undefined;
        const key = digest([call.tool, call.args, call.failure.code, call.failure.text]);
        if (!counted.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
        counted.add(key);
        return adviseRepeat(call, counts.get(key) ?? 0);
      });
    },
  };
}

function adviseRepeat(call: FinishedCall, count: number): GuardAdvice | undefined {
  if (count < REPEATS_BEFORE_ADVICE) return undefined;
  const text = `[This very call failed the same way ${count} times. Sending it again will not help: change the arguments or take another way.]`;
  if (count < REPEATS_BEFORE_STOP) return { text };
  const message = `The same ${call.tool} call failed the same way ${count} times (${call.failure?.code}); the turn was ended`;
  return { text, stop: { code: "REPEATED_FAILURE", message } };
}

const GUARDED_EDIT_CODES: ReadonlySet<string> = new Set(["EDIT_TAG_MISMATCH", "EDIT_TAG_UNKNOWN", "EDIT_LINES_UNSEEN"]);

export const MUTATION_RETRY_BUDGET = 3;

/** Counts edits of one path that keep missing the file's state in one prompt (spec 3.8). */
export interface MutationGuard {
  observe(calls: readonly (FinishedCall & { readonly path?: string })[]): (GuardAdvice | undefined)[];
}

export function createMutationGuard(): MutationGuard {
  const freePass = new Set<string>();
  const counts = new Map<string, number>();
  return {
    observe(calls) {
      return calls.map((call) => {
        if (call.path === undefined) return undefined;
        if (call.ok) {
          if (call.tool === "Edit" || call.tool === "Write" || call.tool === "Read") counts.delete(call.path);
          return undefined;
        }
        if (call.tool !== "Edit" && call.tool !== "Write") return undefined;
        if (!freePass.has(call.path)) {
          if (call.failure !== undefined && GUARDED_EDIT_CODES.has(call.failure.code)) freePass.add(call.path);
          return undefined;
        }
        const count = (counts.get(call.path) ?? 0) + 1;
        counts.set(call.path, count);
        return count < MUTATION_RETRY_BUDGET ? undefined : exhausted(call.path, count);
      });
    },
  };
}

function exhausted(path: string, count: number): GuardAdvice {
  return {
    text: `[${count} edits of this file failed in a row. Stop editing it: say what you tried and what stands in the way.]`,
    stop: {
      code: "MUTATION_RETRY_BUDGET_EXHAUSTED",
      message: `${count} edits of "${path}" failed in a row; the turn was ended`,
    },
  };
}

// A failed command's text may be large: the map keeps digests, not texts.
function digest(value: unknown): string {
  return createHash("sha1").update(canonicalJson(value)).digest("base64");
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
