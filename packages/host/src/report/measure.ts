import { callTarget } from "./call-target.ts";
import { hasCutMark } from "./cut-marks.ts";
import type { Fact, TextFact } from "./fact.ts";

/** Tokens of each text. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[]> | readonly number[];

// Enough that an exact count is asked for a few times a megabyte, little enough that no more than that is held.
const BATCH_CHARS = 512 * 1024;
const BATCH_FACTS = 256;

/** Turns texts into numbers and lets go of them. */
export async function* measure(facts: AsyncIterable<TextFact>, count: CountTexts): AsyncGenerator<readonly Fact[]> {
  let batch: TextFact[] = [];
  let chars = 0;
  for await (const fact of facts) {
    batch.push(fact);
    chars += textOf(fact)?.length ?? 0;
    if (batch.length < BATCH_FACTS && chars < BATCH_CHARS) continue;
    yield await countBatch(batch, count);
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield await countBatch(batch, count);
}

function textOf(fact: TextFact): string | undefined {
  if (fact.kind === "result" || fact.kind === "words") return fact.text;
  return fact.kind === "call" ? argumentText(fact.args) : undefined;
}

function argumentText(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args) ?? "");
}

async function countBatch(batch: readonly TextFact[], count: CountTexts): Promise<Fact[]> {
  const texts = batch.map(textOf);
  const counts = await count(texts.filter((text) => text !== undefined));
  let next = 0;
  return batch.map((fact, index) => {
    const tokens = texts[index] === undefined ? 0 : (counts[next++] ?? 0);
    return inNumbers(fact, tokens);
  });
}

function inNumbers(fact: TextFact, tokens: number): Fact {
  if (fact.kind === "call") {
    const { args, ...rest } = fact;
    return { ...rest, ...callTarget(fact.tool, args), tokens };
  }
  if (fact.kind === "result") {
    const { text, ...rest } = fact;
    return { ...rest, tokens, truncated: fact.truncated || hasCutMark(text) };
  }
  if (fact.kind === "words") return { kind: "words", context: fact.context, tokens };
  return fact;
}
