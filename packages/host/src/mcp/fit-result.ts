// A result within what a client takes, by real token counts: the estimate is too low for digits, hex, base64 and rare signs.
import { byteLength, estimateTokens, truncate } from "@spillway/limits";
import { fitOutcome, renderForModel, type ToolOutcome } from "@spillway/tools";

export interface FitResultOptions {
  /** Characters of what is shown. */
  readonly maxChars: number;
  /** Tokens of what is shown, o200k_base. */
  readonly maxTokens: number;
  /** What the client hands to the model of an outcome. Default: its text. */
  readonly shown?: (outcome: ToolOutcome) => string;
  readonly countTokens: (text: string) => Promise<number>;
  /** Makes sure that what will be cut can be read elsewhere. */
  readonly keepWhole: (outcome: ToolOutcome) => Promise<ToolOutcome>;
}

/**
 * How much of the cap is aimed at, attempt by attempt. A shorter text can be denser than the one it was taken from, so the
 * first is a little less than all; the last leaves the facts alone.
 */
const SHARES = [0.97, 0.94, 0.85, 0.6, 0];

/** Characters of a failure's text that are not its message. */
const FAILURE_FACTS_CHARS = 200;

/** The outcome made smaller until what is shown of it is within both caps; every number in it is that of the smaller one. */
export async function fitResult(outcome: ToolOutcome, options: FitResultOptions): Promise<ToolOutcome> {
  const { maxChars, maxTokens, shown = (one) => renderForModel(one), keepWhole } = options;
  let excess = await excessOf(shown(outcome), options);
  if (excess === undefined) return outcome;
  if (outcome.result === undefined) return shortFailure(outcome, Math.min(maxChars, maxTokens));
  const whole = await keepWhole(outcome);
  let fitted = whole;
  for (const share of SHARES) {
    const text = renderForModel(fitted);
    const tokensPerEstimate = excess.tokens / Math.max(1, estimateTokens(text));
    const charsPerChar = excess.chars / Math.max(1, text.length);
    fitted = fitOutcome(whole, {
      maxChars: Math.floor((maxChars / charsPerChar) * share),
      maxTokens: Math.floor(maxTokens * share),
      counter: (candidate) => Math.ceil(estimateTokens(candidate) * tokensPerEstimate),
    });
    excess = await excessOf(shown(fitted), options);
    if (excess === undefined) break;
  }
  return fitted;
}

/** The size of a text that is over a cap; undefined when it is not. */
async function excessOf(
  text: string,
  { maxChars, maxTokens, countTokens }: FitResultOptions,
): Promise<{ chars: number; tokens: number } | undefined> {
  // No token has less than one byte: most results need no count.
  const bytes = byteLength(text);
  const tokens = bytes <= maxTokens ? bytes : await countTokens(text);
  return text.length <= maxChars && tokens <= maxTokens ? undefined : { chars: text.length, tokens };
}

/** A failure without a result is its message alone. */
function shortFailure(outcome: ToolOutcome, maxBytes: number): ToolOutcome {
  if (outcome.ok) return outcome;
  const { code, message } = outcome.error;
  const budget = { maxBytes: Math.max(1, maxBytes - FAILURE_FACTS_CHARS), maxLines: maxBytes, keep: "head" } as const;
  return { ok: false, tool: outcome.tool, error: { code, message: truncate(message, budget).text } };
}
