// A session that is the same bytes whenever it is played: ids, times and texts follow from the number of a fact.
import { contextBudget, createCheckpoint, entriesOf, type Fact, type Journal, type NewFact } from "../../src/index.ts";
import { A, calls, U } from "./messages.ts";

const BLOCK = 12;

export interface SessionPlan {
  /** Number of facts. */
  readonly total: number;
  /** The largest text of a message. */
  readonly maxChars: number;
}

/** Plays the session from wherever the journal stands to its end; tells how many facts are on the disk. */
export async function playSession(
  journal: Journal,
  { total, maxChars }: SessionPlan,
  told: (count: number) => void = () => undefined,
): Promise<void> {
  let facts = await journal.entries();
  while (facts.length < total) {
    const next = facts.length;
    if (next % BLOCK === BLOCK - 1) {
      facts = [...facts, await journal.append(await checkpointFact(next, facts))];
      told(facts.length);
      continue;
    }
    // Facts of one batch do not wait for each other.
    const end = Math.min(total, next + 3, next - (next % BLOCK) + BLOCK - 1);
    const group = Array.from({ length: end - next }, (_, at) => plannedFact(next + at, maxChars));
    const appended = await Promise.all(
      group.map(async (fact, at) => {
        const stored = await journal.append(fact);
        told(next + at + 1);
        return stored;
      }),
    );
    facts = [...facts, ...appended];
  }
}

function plannedFact(number: number, maxChars: number): NewFact {
  const turn = Math.floor(number / BLOCK);
  const [a, b] = [`call_${turn}_a`, `call_${turn}_b`];
  const at = number % BLOCK;
  if (at === 0) return stamped(number, { t: "user", message: U(`prompt ${turn} 汉字🟡`) });
  if (at === 1) return stamped(number, { t: "assistant", message: calls({ [a]: { path: "a" }, [b]: { path: "b" } }) });
  if (at === 2) return stamped(number, { t: "start", toolCallId: b });
  if (at === 3) return stamped(number, { t: "result", part: resultPart(b, textOf(number, maxChars)) });
  if (at === 4) return stamped(number, { t: "result", part: resultPart(a, textOf(number, maxChars)) });
  return stamped(number, { t: "assistant", message: A(`answer ${number} ${textOf(number, maxChars)}`) });
}

async function checkpointFact(number: number, facts: readonly Fact[]): Promise<NewFact> {
  const checkpoint = await createCheckpoint({
    entries: entriesOf(facts),
    budget: contextBudget({ contextWindow: 64_000 }),
    mode: "active_turn",
    summarize: async ({ prompt, part, parts }) => `summary ${part}/${parts} of ${prompt.length} characters`,
  });
  return stamped(number, { t: "checkpoint", ...checkpoint });
}

function stamped(number: number, fact: { readonly t: string; readonly [field: string]: unknown }): NewFact {
  return { ...fact, id: `fact-${number}`, ts: new Date(1_767_225_600_000 + number * 1000).toISOString() };
}

function resultPart(toolCallId: string, value: string): Record<string, unknown> {
  return { type: "tool-result", toolCallId, toolName: "Read", output: { type: "text", value } };
}

function textOf(number: number, maxChars: number): string {
  const sizes = [10, 400, 60_000, 3, 600_000, 9000, 200, 3_000_000, 50, 1000, 70_000];
  return "row of 汉字\n".repeat(Math.min(maxChars, sizes[number % sizes.length] ?? 1) / 10);
}
