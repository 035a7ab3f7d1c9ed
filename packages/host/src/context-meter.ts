import {
  type ContextBudget,
  calibrate,
  contextBudget,
  estimateContext,
  type ModelMessage,
  type Overflow,
  type Usage,
} from "@spillway/checkpoint";
import { estimateTokens } from "@spillway/limits";
import type { TokenCache } from "./token-cache.ts";

/** Knows the window, counts what is sent, and learns from what the provider reports. All sizes in tokens. */
export interface ContextMeter {
  readonly budget: ContextBudget;
  readonly usage: Usage | undefined;
  /** System text and tool schemas, which every request carries. */
  fixedTokens(): Promise<number>;
  /** Whether these messages and texts are so far below the limit that no way of counting could reach it. Counts roughly. */
  isFarFromLimit(messages: readonly ModelMessage[], texts?: Iterable<string>): boolean;
  /** What a request with these messages costs. Exact as soon as it could matter; far below the limit a rough count is enough. */
  estimate(messages: readonly ModelMessage[]): Promise<number>;
  /** The same, exact in any case. */
  measure(messages: readonly ModelMessage[]): Promise<number>;
  /**
   * Learns from an accepted request, far below the limit only when it is needed; nobody has to wait for it. Resolves to
   * false when the figure cannot be true: the server did not see all of it.
   */
  observe(messages: readonly ModelMessage[], inputTokens: number | undefined): Promise<boolean>;
  /** Learns from a refused one: where the refusal names no limit, the window is at most what was refused. */
  observeOverflow(messages: readonly ModelMessage[], overflow: Overflow): Promise<void>;
}

export interface MeterOptions {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Sent with every request beside the messages. */
  readonly fixedText: string;
  readonly cache: TokenCache;
}

/** No text weighs more against the rough estimate (base64, digits, dense JSON, emoji). */
const MOST_ABOVE_ESTIMATE = 2.7;
/** Below this share of our count a reported figure means that the server dropped text. */
const BELIEVABLE_SHARE = 0.4;
const SMALLEST_TELLING_COUNT = 3000;

/** What the provider reported of a request, not yet compared with an exact count. */
interface Report {
  readonly messages: readonly ModelMessage[];
  readonly inputTokens: number;
}

export function createContextMeter(options: MeterOptions): ContextMeter {
  const { cache, maxOutputTokens, fixedText } = options;
  const roughFixed = estimateTokens(fixedText);
  let budget = contextBudget({ contextWindow: options.contextWindow, maxOutputTokens });
  let usage: Usage | undefined;
  let roughUsage: Usage | undefined;
  let unread: Report | undefined;
  let learning: Promise<unknown> = Promise.resolve();

  const countRoughly = (messages: readonly ModelMessage[]): number =>
    estimateContext(messages, { fixedTokens: roughFixed, ...(roughUsage === undefined ? {} : { usage: roughUsage }) });

  const isFar = (tokens: number): boolean => tokens * MOST_ABOVE_ESTIMATE < budget.hardLimit;

  const learn = ({ messages, inputTokens }: Report): Promise<number> => {
    unread = undefined;
    const counted = cache.counted((counter) => {
      const fixedTokens = counter(fixedText);
      const previous = usage === undefined ? {} : { previous: usage };
      const learned = calibrate(messages, inputTokens, { counter, fixedTokens, ...previous });
      return { learned, tokens: estimateContext(messages, { counter, fixedTokens }) };
    });
    const learnt = counted.then(({ learned, tokens }) => {
      usage = learned;
      return tokens;
    });
    learning = learnt;
    return learnt;
  };

  const measure = async (messages: readonly ModelMessage[]): Promise<number> => {
    if (unread !== undefined) await learn(unread);
    await learning;
    return cache.counted((counter) =>
      estimateContext(messages, {
        counter,
        fixedTokens: counter(fixedText),
        ...(usage === undefined ? {} : { usage }),
      }),
    );
  };

  return {
    get budget() {
      return budget;
    },
    get usage() {
      return usage;
    },
    fixedTokens: () => cache.counted((counter) => counter(fixedText)),
    isFarFromLimit: (messages, texts = []) => {
      let tokens = countRoughly(messages);
      for (const text of texts) tokens += estimateTokens(text);
      return isFar(tokens);
    },
    estimate: async (messages) => {
      const rough = countRoughly(messages);
      return isFar(rough) ? rough : measure(messages);
    },
    measure,
    observe: async (messages, inputTokens) => {
      if (inputTokens === undefined || inputTokens <= 0) return true;
      const rough = estimateContext(messages, { fixedTokens: roughFixed });
      roughUsage = calibrate(messages, inputTokens, {
        fixedTokens: roughFixed,
        ...(roughUsage === undefined ? {} : { previous: roughUsage }),
      });
      unread = { messages, inputTokens };
      if (isFar(Math.max(rough, inputTokens)) && inputTokens >= rough * BELIEVABLE_SHARE) return true;
      const counted = await learn(unread);
      return counted < SMALLEST_TELLING_COUNT || inputTokens >= counted * BELIEVABLE_SHARE;
    },
    observeOverflow: async (messages, { inputTokens, limit }) => {
      if (inputTokens !== undefined && inputTokens > 0) await learn({ messages, inputTokens });
      const window = budget.hardLimit + budget.headroom;
      const contextWindow = limit ?? (await measure(messages));
      if (contextWindow >= 2 && contextWindow < window) budget = contextBudget({ contextWindow, maxOutputTokens });
    },
  };
}

/**
 * Uncalibrated tokens for the results of a batch: what the window has left, or a quarter of it if that is more. In the
 * second case the request would reach the limit and a checkpoint comes first, which carries a quarter over.
 */
export function roomForResults(used: number, { budget: { hardLimit }, usage }: ContextMeter): number {
  return Math.floor(Math.max(hardLimit - used, Math.floor(hardLimit / 4)) / (usage?.factor ?? 1));
}
