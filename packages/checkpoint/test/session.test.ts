import fc from "fast-check";
import { expect, test } from "vitest";
import {
  buildContext,
  type Checkpoint,
  type CheckpointMode,
  checkPairing,
  contextBudget,
  createCheckpoint,
  type Entry,
  estimateContext,
  isCheckpointError,
  type ModelMessage,
  type SummaryRequest,
  type ToolResultOutput,
} from "../src/index.ts";

type Operation =
  | { readonly op: "turn"; readonly prompt: Text; readonly steps: readonly StepPlan[]; readonly image: boolean }
  | {
      readonly op: "compact";
      readonly mode: CheckpointMode;
      readonly fresh: boolean;
      readonly answer: Answer;
      readonly window: number;
    }
  | { readonly op: "reload" };

interface StepPlan {
  readonly text: Text;
  readonly outputs: readonly Text[];
  readonly failed: boolean;
  /** Position of the call whose result never came, if there is one. */
  readonly lost: number;
}

/** A unit and how often: a counterexample stays readable. */
type Text = readonly [unit: string, times: number];

const written = ([unit, times]: Text): string => unit.repeat(times);

type Answer = "good" | "throws" | "empty" | "long";

const anyText: fc.Arbitrary<Text> = fc.tuple(
  fc.constantFrom("a", "word ", "row of words\n", "汉字", "🟡é", "<|endoftext|>", "\ud83d", " ", '"\\'),
  fc.constantFrom(0, 1, 3, 40, 400, 4000, 30_000),
);
const step: fc.Arbitrary<StepPlan> = fc.record({
  text: anyText,
  outputs: fc.array(anyText, { maxLength: 4 }),
  failed: fc.boolean(),
  lost: fc.nat(8),
});
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    arbitrary: fc.record({
      op: fc.constant("turn" as const),
      prompt: anyText,
      steps: fc.array(step, { maxLength: 3 }),
      image: fc.boolean(),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      op: fc.constant("compact" as const),
      mode: fc.constantFrom<CheckpointMode>("active_turn", "active_turn", "completed_turn"),
      fresh: fc.nat(9).map((n) => n === 0),
      answer: fc.constantFrom<Answer>("good", "good", "good", "throws", "empty", "long"),
      window: fc.constantFrom(6000, 16_000, 48_000, 128_000),
    }),
    weight: 3,
  },
  { arbitrary: fc.constant({ op: "reload" as const }), weight: 1 },
);

/** Every message of the run carries its number, or unique call ids, so that a summary request can be searched for it. */
function turnEntries(plan: Extract<Operation, { op: "turn" }>, number: () => number): Entry[] {
  const entries: Entry[] = [];
  const add = (message: ModelMessage) => entries.push({ id: `e${number()}`, message });
  const content = `#${number()}# ${written(plan.prompt)}`;
  const image = { type: "image" as const, image: "iVBORw0KGgo=", mediaType: "image/png" };
  add({ role: "user", content: plan.image ? [{ type: "text", text: content }, image] : content });
  for (const { text, outputs, failed, lost } of plan.steps) {
    const ids = outputs.map(() => `c${number()}`);
    const calls = ids.map((toolCallId) => ({
      type: "tool-call" as const,
      toolCallId,
      toolName: "Read",
      input: { path: written(text) },
    }));
    add({ role: "assistant", content: [{ type: "text", text: `#${number()}# ${written(text)}` }, ...calls] });
    const results = outputs.flatMap((value, at) => {
      if (at === lost) return [];
      const output: ToolResultOutput = { type: failed && at === 0 ? "error-text" : "text", value: written(value) };
      return [{ type: "tool-result" as const, toolCallId: ids[at] ?? "", toolName: "Read", output }];
    });
    for (const result of results) add({ role: "tool", content: [result] });
  }
  return entries;
}

/** What must be found of an entry: its number, or the ids of its results. */
function marksOf({ message }: Entry): string[] {
  if (message.role === "tool")
    return message.content.flatMap((part) => ("toolCallId" in part ? [` ${part.toolCallId}]`] : []));
  return JSON.stringify(message).match(/#\d+#/)?.slice(0, 1) ?? [];
}

function marksInContext(context: readonly ModelMessage[]): Set<string> {
  const marks = new Set<string>();
  for (const message of context) {
    for (const mark of JSON.stringify(message).match(/#\d+#/g) ?? []) marks.add(mark);
    if (message.role !== "tool") continue;
    for (const part of message.content) if (part.type === "tool-result") marks.add(` ${part.toolCallId}]`);
  }
  return marks;
}

/** What a host may keep in memory: nothing before the entry that the next checkpoint goes on from. */
function stillNeeded(entries: readonly Entry[], checkpoint: Checkpoint | undefined): readonly Entry[] {
  const base = checkpoint?.fallback === undefined ? checkpoint : checkpoint.fallback.base;
  const at = entries.findIndex(({ id }) => id === base?.throughId);
  return at < 0 ? entries : entries.slice(at);
}

async function answerTo(answer: Answer, request: SummaryRequest): Promise<string> {
  if (answer === "throws") throw new Error("no connection");
  if (answer === "long") return request.prompt;
  return answer === "empty" ? "" : "a good summary";
}

test("any history through any checkpoints stays paired, bounded, complete and the same after a restart", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 3, maxLength: 12 }), async (operations) => {
      const all: Entry[] = [];
      let entries: readonly Entry[] = [];
      let checkpoint: Checkpoint | undefined;
      let count = 0;
      const number = () => count++;
      const summarised = new Set<string>();
      for (const operation of operations) {
        if (operation.op === "turn") {
          const added = turnEntries(operation, number);
          all.push(...added);
          entries = [...entries, ...added];
        }
        if (operation.op === "reload") {
          const bytes = JSON.stringify(buildContext(entries, checkpoint));
          entries = stillNeeded(JSON.parse(JSON.stringify(entries)), checkpoint);
          checkpoint = checkpoint === undefined ? undefined : JSON.parse(JSON.stringify(checkpoint));
          expect(JSON.stringify(buildContext(entries, checkpoint))).toBe(bytes);
        }
        if (operation.op === "compact" && entries.length > 0) {
          const prompts: string[] = [];
          const budget = contextBudget({ contextWindow: operation.window });
          const before = JSON.stringify(entries);
          const made = await createCheckpoint({
            entries,
            budget,
            mode: operation.mode,
            family: operation.fresh ? "fresh_window" : "summary",
            ...(checkpoint === undefined ? {} : { previous: checkpoint }),
            summarize: (request) => {
              prompts.push(request.prompt);
              expect(estimateContext([{ role: "user", content: request.system + request.prompt }])).toBeLessThan(
                budget.hardLimit,
              );
              return answerTo(operation.answer, request);
            },
          }).catch((error: unknown) => {
            if (!isCheckpointError(error) || error.code !== "CONTEXT_COMPACTION_FAILED") throw error;
            expect(error.details.reason).toMatch(/^(no-progress|irreducible)$/);
          });
          expect(JSON.stringify(entries)).toBe(before);
          if (made !== undefined) {
            const size = estimateContext(buildContext(entries, made));
            expect(size).toBe(made.tokensAfter);
            expect(size).toBeLessThan(budget.hardLimit);
            expect(size).toBeLessThanOrEqual(made.tokensBefore * 0.95);
            expect(JSON.parse(JSON.stringify(made))).toEqual(made);
            checkpoint = made;
            if (made.fallback === undefined) {
              const sent = prompts.join("\n");
              for (const mark of all.flatMap(marksOf)) if (sent.includes(mark) || operation.fresh) summarised.add(mark);
            }
          }
        }
        const context = buildContext(entries, checkpoint);
        expect(checkPairing(context)).toEqual([]);
        expect(checkPairing(buildContext(entries))).toEqual([]);
        if (checkpoint?.fallback !== undefined) continue;
        const present = marksInContext(context);
        const lost = all.flatMap(marksOf).filter((mark) => !present.has(mark) && !summarised.has(mark));
        expect(lost).toEqual([]);
      }
    }),
    { numRuns: Number(process.env.SPILLWAY_SOAK_RUNS ?? 40) },
  );
});
