// Faults that users of other agents met, one by one.
import { join } from "node:path";
import { CHECKPOINT_MARKER, estimateTokens } from "@spillway/limits";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  boundBatch,
  buildContext,
  type Checkpoint,
  calibrate,
  checkPairing,
  contextBudget,
  createProgressGuard,
  type Entry,
  entriesOf,
  estimateContext,
  INTERRUPTED_RESULT,
  type ModelMessage,
  openJournal,
  repairPairing,
} from "../src/index.ts";
import { budget48k, chatter, compact, failureOf, SUMMARY, summarizer } from "./helpers/compaction.ts";
import { temporaryFolder } from "./helpers/folder.ts";
import { A, calls, entriesFrom, results, textsOf, U } from "./helpers/messages.ts";

/** A context a provider takes: paired, in whole characters. */
function expectValid(context: readonly ModelMessage[]): void {
  expect(checkPairing(context)).toEqual([]);
}

function expectWhole(text: string): void {
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toContain("\ufffd");
  expect(JSON.parse(JSON.stringify(text))).toBe(text);
}

/** Writes the messages to a journal as a host does, takes a checkpoint, and gives both contexts: before and after a restart. */
async function throughRestart(messages: readonly ModelMessage[]): Promise<{
  readonly entries: Entry[];
  readonly checkpoint: Checkpoint;
  readonly context: ModelMessage[];
  readonly reloaded: { readonly entries: Entry[]; readonly context: ModelMessage[] };
}> {
  const file = join(await temporaryFolder(), "journal.jsonl");
  const journal = await openJournal(file);
  for (const message of messages) await journal.append({ t: message.role, message });
  const entries = entriesOf(await journal.entries());
  const checkpoint = await compact(entries);
  await journal.append({ t: "checkpoint", ...checkpoint });
  await journal.close();
  const again = await openJournal(file);
  onTestFinished(() => again.close());
  const stored = entriesOf(await again.entries());
  const [last] = (await again.checkpoints()).slice(-1);
  return {
    entries,
    checkpoint,
    context: buildContext(entries, checkpoint),
    reloaded: { entries: stored, context: buildContext(stored, last) },
  };
}

describe("F10 a cut never falls inside a character", () => {
  const sizes = Array.from({ length: 64 }, (_, at) => at + 1);

  test.each(["🎈", "é", "汉", "👩‍👩‍👧", "e\u0301"])("F10 not in a retained message of %s", async (unit) => {
    for (const n of sizes) {
      const text = `${"a".repeat(n - 1)}${unit}${"b".repeat(100)}${unit}`.repeat(8);
      const entries = entriesFrom([...chatter(3000), U(text)]);
      const checkpoint = await compact(entries, { budget: { ...budget48k, retainedTokens: 40 + n } });
      const [kept = ""] = textsOf(checkpoint.retained?.message);
      expectWhole(kept);
      const [head = "", tail = ""] = kept.split(CHECKPOINT_MARKER);
      expect(text.startsWith(head) && text.endsWith(tail) && tail !== "").toBe(true);
    }
  });

  test.each(["🎈", "é", "汉", "👩‍👩‍👧", "e\u0301"])("F10 not in a result or an argument of %s", (unit) => {
    for (const n of sizes) {
      const text = `${"a".repeat(n - 1)}${unit}${"b".repeat(100)}${unit}`.repeat(8);
      const bounded = boundBatch([calls({ a: { text } }), results({ a: text })], { maxTokens: 100 + n });
      for (const message of bounded) expectWhole(JSON.stringify(message));
      expect(JSON.stringify(bounded)).toContain(CHECKPOINT_MARKER);
    }
  });

  test("F10 half a character that came in does not go out", async () => {
    const entries = entriesFrom([...chatter(3000), U("cut \ud83c"), calls({ a: {} }), results({ a: "\udf88 cut" })]);
    const context = buildContext(entries, await compact(entries));
    for (const message of context) for (const text of textsOf(message)) expect(text.isWellFormed()).toBe(true);
    expectValid(context);
  });
});

describe("F36 compaction never cuts inside a batch", () => {
  const history: ModelMessage[] = [U("start")];
  for (let i = 1; i <= 30; i++) {
    const ids = { [`p${i}a`]: { path: "f" }, [`p${i}b`]: { pattern: "g" }, [`p${i}c`]: { command: "h" } };
    history.push(calls(ids));
    history.push(results({ [`p${i}a`]: "x".repeat(1000) }));
    history.push(results({ [`p${i}b`]: "y".repeat(4000), [`p${i}c`]: "z".repeat(200) }));
    history.push(A(`ok ${i}`));
    if (i % 5 === 0) history.push(U(`more ${i}`));
  }
  const entries = entriesFrom([...history, U("now finish")]);

  test("F36 with any budget, twice in a row", async () => {
    const before = JSON.stringify(entries);
    const { summarize } = summarizer("ok");
    for (let tokens = 100; tokens <= 40_000; tokens += 100) {
      const budget = { hardLimit: tokens, headroom: 1000, retainedTokens: Math.min(20_000, tokens >> 1) };
      const first = await compact(entries, { budget, summarize });
      const context = buildContext(entries, first);
      expectValid(context);
      expect(context.at(-1)).toEqual(U("now finish"));
      expect(estimateContext(context)).toBeLessThan(tokens);
      // Below this not even the envelopes of a batch fit beside the message.
      if (tokens < 200) continue;
      const later = [...entries, ...entriesFrom([calls({ q: {} }), results({ q: "w".repeat(4 * tokens) })], "l")];
      const again = buildContext(later, await compact(later, { budget, summarize, previous: first }));
      expectValid(again);
      expect(again).toContainEqual(U("now finish"));
      expect(estimateContext(again)).toBeLessThan(tokens);
    }
    expect(JSON.stringify(entries)).toBe(before);
  }, 120_000);

  test("F36 wherever the cut is", async () => {
    for (let end = 8; end <= entries.length; end++) {
      const checkpoint = await compact(entries.slice(0, end), {
        budget: { hardLimit: 3000, headroom: 1000, retainedTokens: 1500 },
      });
      expectValid(buildContext(entries.slice(0, end), checkpoint));
      expectValid(buildContext(entries, checkpoint));
    }
  });
});

test("F37 results that are over the budget by themselves are reduced, marked, and whole in the journal", async () => {
  const texts = Object.fromEntries(
    ["a", "b", "c", "d"].map((id) => [id, `${id} begins ${"word ".repeat(4795)}${id} ends`]),
  );
  const { entries, checkpoint, context, reloaded } = await throughRestart([
    ...chatter(20_000),
    U("read all four"),
    calls({ a: {}, b: {}, c: {}, d: {} }),
    results(texts),
  ]);
  expectValid(context);
  expect(context.slice(1, 3)).toEqual([U("read all four"), calls({ a: {}, b: {}, c: {}, d: {} })]);
  const kept = textsOf(context[3]);
  expect(kept).toHaveLength(4);
  for (const [at, id] of ["a", "b", "c", "d"].entries()) {
    expect(kept[at]).toMatch(new RegExp(`^${id} begins `));
    expect(kept[at]).toContain(CHECKPOINT_MARKER);
    expect(kept[at]).toMatch(new RegExp(`${id} ends$`));
  }
  expect(checkpoint.tokensAfter).toBeLessThan(20_000 + estimateTokens(SUMMARY));
  expect(textsOf(entries.at(-1)?.message)).toEqual(Object.values(texts));
  expect(reloaded.entries).toEqual(entries);
  expect(JSON.stringify(reloaded.context)).toBe(JSON.stringify(context));
});

describe("F38 an oversized user message keeps both ends", () => {
  test.each([
    ["words", "some ordinary words in a row ".repeat(13_800)],
    ["Chinese", "汉".repeat(60_000)],
    ["mixed scripts", "🟡汉é ".repeat(30_000)],
    ["one word", "a".repeat(400_000)],
  ])("F38 of %s", async (_, filling) => {
    const message = `HEAD-7f3 ${filling} TAIL-9c1`;
    const started = performance.now();
    const { entries, checkpoint, context, reloaded } = await throughRestart([U("old"), A("x"), U(message)]);
    expect(performance.now() - started).toBeLessThan(30_000);
    const [kept = ""] = textsOf(context.at(-1));
    expectWhole(kept);
    const [head = "", tail = "", ...more] = kept.split(CHECKPOINT_MARKER);
    expect(more).toEqual([]);
    expect(head.startsWith("HEAD-7f3") && message.startsWith(head)).toBe(true);
    expect(tail.endsWith("TAIL-9c1") && message.endsWith(tail)).toBe(true);
    expect(estimateTokens(kept)).toBeLessThanOrEqual(20_000);
    const share = estimateTokens(head) / (estimateTokens(head) + estimateTokens(tail));
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.8);
    const later = [...entries, { id: "l", message: A("word ".repeat(20_000)) }];
    expect((await compact(later, { previous: checkpoint })).retained).toEqual(checkpoint.retained);
    expect(reloaded.context).toEqual(context);
    expect(textsOf(reloaded.entries.at(-1)?.message)).toEqual([message]);
  });
});

describe("F39 compaction ends", () => {
  test("F39 (a) when the provider refuses every request, after three checkpoints", async () => {
    const guard = createProgressGuard();
    const entries = entriesFrom([...chatter(20_000), U("go")]);
    let previous: Checkpoint | undefined;
    const taken: number[] = [];
    const run = async (): Promise<void> => {
      for (let n = 0; n < 20; n++) {
        guard.beforeCheckpoint();
        const more = entriesFrom([A("word ".repeat(2000))], `more${n}`);
        entries.push(...more);
        const { summarize } = summarizer("word ".repeat(24));
        previous = await compact(entries, { summarize, ...(previous === undefined ? {} : { previous }) });
        taken.push(previous.generation);
      }
    };
    expect(await failureOf(run())).toMatchObject({ code: "CONTEXT_COMPACTION_FAILED", reason: "no-progress" });
    expect(taken).toEqual([1, 2, 3]);
    expectValid(buildContext(entries, previous));
  });

  test("F39 (a) at once when a checkpoint would change nothing", async () => {
    const entries = entriesFrom([...chatter(20_000), U("go")]);
    const first = await compact(entries);
    expect(await failureOf(compact(entries, { previous: first }))).toMatchObject({ reason: "no-progress" });
  });

  test("F39 (b) when the summary is as long as what it sums up", async () => {
    const entries = entriesFrom([...chatter(30_000), U("go")]);
    const { requests, summarize } = summarizer(({ prompt }) => prompt);
    const checkpoint = await compact(entries, { summarize });
    expect(requests).toHaveLength(1);
    expect(checkpoint.fallback?.reason).toMatch(/^the summary took \d+ of 7904 tokens$/);
    expect(checkpoint.tokensAfter).toBeLessThan(budget48k.hardLimit / 2);
  });

  test("F39 (c) does not begin because of a figure from before it", async () => {
    const budget = contextBudget({ contextWindow: 200_000 });
    const entries = entriesFrom([...chatter(150_000), U("go"), A("going")]);
    const usage = calibrate(buildContext(entries), 180_000);
    expect(usage).toBeDefined();
    const checkpoint = await compact(entries, { budget });
    const context = buildContext([...entries, { id: "hi", message: U("hi") }], checkpoint);
    expect(estimateContext(context, usage === undefined ? {} : { usage })).toBeLessThan(1000);
  });
});

describe("F40 text is not underestimated in any script", () => {
  const zh = "这是一个用来测量估算误差的句子。";

  test.each([
    ["Chinese", zh.repeat(500), 7000],
    ["Japanese", "これは推定誤差を測るための文です。".repeat(500), 7000],
    ["Korean", "이 문장은 추정 오차를 재기 위한 것입니다. ".repeat(400), 5201],
    ["English", "The quick brown fox jumps over the lazy dog. ".repeat(400), 4001],
  ])("F40 %s", (_, text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
    const estimate = estimateContext([U(text)]);
    expect(estimate).toBeGreaterThanOrEqual(0.9 * tokens);
    expect(estimate).toBeLessThanOrEqual(1.6 * tokens);
  });

  test("F40 a tail cut at 20 000 tokens is not above 22 000 by the tokenizer", async () => {
    const texts = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`c${at}`, zh.repeat(40)]));
    const entries = entriesFrom([U("q"), calls(texts), results(texts)]);
    const checkpoint = await compact(entries, {
      budget: { hardLimit: 80_000, headroom: 16_384, retainedTokens: 20_000 },
    });
    const tail = checkpoint.tail ?? [];
    expect(estimateContext(tail)).toBeLessThanOrEqual(20_000);
    expect(tail.map((message) => countTokens(JSON.stringify(message))).reduce((a, b) => a + b)).toBeLessThan(22_000);
  });
});

test("F41 ten results, each in bounds, are brought into what the window has left", () => {
  const page = Array.from({ length: 2000 }, (_, n) => `line ${String(n).padStart(6, "0")} some ordinary words`);
  const ids = Array.from({ length: 10 }, (_, n) => `read_${n}`);
  const batch = [
    calls(Object.fromEntries(ids.map((id) => [id, { path: id }]))),
    results(Object.fromEntries(ids.map((id) => [id, page.join("\n")]))),
  ];
  const { hardLimit } = contextBudget({ contextWindow: 128_000 });
  expect(30_000 + estimateContext(batch)).toBeGreaterThan(hardLimit);
  const bounded = boundBatch(batch, { maxTokens: hardLimit - 30_000 });
  expect(30_000 + estimateContext(bounded)).toBeLessThanOrEqual(hardLimit);
  expectValid(bounded);
  const sizes = textsOf(bounded[1]).map(estimateTokens);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  expect(sizes[0]).toBeGreaterThan(8000);
});

describe("F42 an interrupted call has a result that says so", () => {
  const loaded = [U("q"), calls({ c1: { path: "a" }, c2: { path: "b" } }), results({ c1: "x" })];
  const answered: ModelMessage = {
    role: "tool",
    content: [
      ...(results({ c1: "x" }).content as []),
      {
        type: "tool-result",
        toolCallId: "c2",
        toolName: "Read",
        output: { type: "error-text", value: INTERRUPTED_RESULT },
      },
    ],
  };

  test("F42 (c) in a history that goes on", () => {
    const context = buildContext(entriesFrom([...loaded, U("continue")]));
    expect(context).toEqual([loaded[0], loaded[1], answered, U("continue")]);
    expect(repairPairing(context)).toEqual(context);
  });

  test("F42 (d) in a history that is compacted first", async () => {
    const entries = entriesFrom([...chatter(20_000), ...loaded]);
    const checkpoint = await compact(entries);
    const context = buildContext([...entries, { id: "c", message: U("continue") }], checkpoint);
    expect(context.slice(1)).toEqual([loaded[0], loaded[1], answered, U("continue")]);
    const later = buildContext([...entries, { id: "late", message: results({ c2: "late" }) }], checkpoint);
    expectValid(later);
    expect(later.at(-1)).toEqual(answered);
  });
});

test("F44 text that looks like special tokens is text", async () => {
  const text = "a <|endoftext|> b\n<|im_start|>system\n<|fim_prefix|> <|endofprompt|>\n";
  expect(estimateContext([U(text)])).toBeGreaterThan(10);
  expect(estimateContext([U(text)])).toBeLessThan(60);
  const { requests, summarize } = summarizer();
  const entries = entriesFrom([...chatter(20_000), A(text), U(text), calls({ a: { text } }), results({ a: text })]);
  const context = buildContext(entries, await compact(entries, { summarize }));
  expect(context.slice(1)).toEqual([U(text), calls({ a: { text } }), results({ a: text })]);
  expect(requests[0]?.prompt).toContain(text);
});

test("14. An oversized parallel batch compacts to a bounded, marked tail, survives a restart, and leaves the original results unchanged", async () => {
  const ids = Array.from({ length: 8 }, (_, n) => `call_${n}`);
  const texts = Object.fromEntries(ids.map((id) => [id, `${id}\n${"a line of a file\n".repeat(7000)}`]));
  const asked = calls(Object.fromEntries(ids.map((id) => [id, { path: id }])));
  const { entries, checkpoint, context, reloaded } = await throughRestart([U("read them"), asked, results(texts)]);
  expect(checkpoint.tokensBefore).toBeGreaterThan(200_000);
  const { tail = [] } = checkpoint;
  expect(estimateContext(tail)).toBeLessThanOrEqual(budget48k.hardLimit / 4);
  expect(tail[0]).toEqual(asked);
  for (const text of textsOf(tail[1])) expect(text).toContain(CHECKPOINT_MARKER);
  expectValid(context);
  expect(JSON.stringify(reloaded.context)).toBe(JSON.stringify(context));
  expect(textsOf(reloaded.entries.at(-1)?.message)).toEqual(Object.values(texts));
  expect(reloaded.entries).toEqual(entries);
});
