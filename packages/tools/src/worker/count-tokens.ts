import { loadCounter } from "../tokens/counter.ts";
import type { JobContext } from "./jobs.ts";

/** Tokens of each text, o200k_base; special tokens count as plain text. The ranks are loaded with the first call of a thread. */
export async function countTokens(texts: readonly string[], context: JobContext): Promise<number[]> {
  context.throwIfCancelled();
  const counter = await loadCounter();
  return texts.map((text) => counter.count(text, context.throwIfCancelled));
}
