import { estimateTokens, type TokenCounter } from "@spillway/limits";

/** Counts texts exactly, out of the main thread. */
export type CountTokens = (texts: string[]) => Promise<number[]>;

/** Lets synchronous code use exact counts: what it asks for is counted first, and asked for again. */
export interface TokenCache {
  /** Exact for a text that was counted or remembered, else a careful estimate. */
  readonly counter: TokenCounter;
  /** Runs `compute` with exact counts of every text it looks at. Where counting fails, with estimates. */
  counted<Value>(compute: (counter: TokenCounter) => Value): Promise<Value>;
  remember(text: string, tokens: number): void;
  /** Forgets what was not looked at since the last call. */
  rotate(): void;
}

/** What a text can weigh above the estimate where nothing is known of it: dense JSON and digits. */
const UNKNOWN_TEXT_FACTOR = 1.4;
/** Counting one text may turn up others; two rounds are the rule. */
const MAX_ROUNDS = 4;

export function createTokenCache(countTokens: CountTokens): TokenCache {
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  let counting: Promise<unknown> = Promise.resolve();

  // One request at a time: each further worker thread would first have to load the tokenizer.
  const countInTurn = (texts: string[]): Promise<number[]> => {
    const counted = counting.then(() => countTokens(texts));
    counting = counted.catch(() => undefined);
    return counted;
  };

  const known = (text: string): number | undefined => {
    const tokens = current.get(text) ?? previous.get(text);
    if (tokens !== undefined) current.set(text, tokens);
    return tokens;
  };
  const counter: TokenCounter = (text) => known(text) ?? Math.ceil(estimateTokens(text) * UNKNOWN_TEXT_FACTOR);

  return {
    counter,
    counted: async (compute) => {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const missing = new Set<string>();
        const value = compute((text) => {
          const tokens = known(text);
          if (tokens === undefined) missing.add(text);
          return tokens ?? counter(text);
        });
        if (missing.size === 0) return value;
        const texts = [...missing];
        try {
          const counts = await countInTurn(texts);
          for (const [index, text] of texts.entries()) current.set(text, counts[index] ?? counter(text));
        } catch {
          // The estimate is what is left; it errs to the safe side.
          return compute(counter);
        }
      }
      return compute(counter);
    },
    remember: (text, tokens) => current.set(text, tokens),
    rotate: () => {
      previous = current;
      current = new Map();
    },
  };
}
