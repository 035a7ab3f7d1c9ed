import { estimateTokens, type TokenCounter, takeTokens } from "@spillway/limits";
import type { ToolOutcome } from "./outcome.ts";
import { bashRendering } from "./render/bash.ts";
import { editRendering } from "./render/edit.ts";
import { globRendering } from "./render/glob.ts";
import { grepRendering } from "./render/grep.ts";
import { readRendering } from "./render/read.ts";
import { writeRendering } from "./render/write.ts";
import type { Rendering, ToolName } from "./tool.ts";

export interface RenderOptions {
  /** The share of the context the text may take, by `counter`. */
  readonly maxTokens?: number;
  /** Default: `estimateTokens`. */
  readonly counter?: TokenCounter;
}

export interface FitOptions extends RenderOptions {
  /** Characters (code points) the whole text may have. */
  readonly maxChars?: number;
}

/** Any tool's rendering; the table below ties each to its tool's name. */
interface AnyRendering extends Omit<Rendering<never>, "take"> {
  take(result: never, maxChars: number): object;
}

const RENDERINGS: Readonly<Record<ToolName, AnyRendering>> = {
  Read: readRendering,
  Glob: globRendering,
  Grep: grepRendering,
  Bash: bashRendering,
  Write: writeRendering,
  Edit: editRendering,
};

/**
 * The text a model sees of an outcome, the same for every host. With a share it is made smaller by whole lines and every
 * number in it (marker, notice, next call) is that of the smaller text; it never fails.
 */
export function renderForModel(outcome: ToolOutcome, options: RenderOptions = {}): string {
  const text = textOf(fitOutcome(outcome, options));
  const { maxTokens, counter = estimateTokens } = options;
  if (maxTokens === undefined || counter(text) <= maxTokens) return text;
  return takeWithin(text, maxTokens, counter);
}

/** The outcome made smaller until its text is within the caps; the facts it cannot do without stay. */
export function fitOutcome(outcome: ToolOutcome, options: FitOptions): ToolOutcome {
  const {
    maxTokens = Number.POSITIVE_INFINITY,
    maxChars = Number.POSITIVE_INFINITY,
    counter = estimateTokens,
  } = options;
  const fits = (candidate: ToolOutcome): boolean => {
    const text = textOf(candidate);
    return charCount(text) <= maxChars && counter(text) <= maxTokens;
  };
  if (outcome.result === undefined || fits(outcome)) return outcome;
  const rendering = renderingOf(outcome.tool);
  const take = (chars: number): ToolOutcome =>
    ({ ...outcome, result: rendering.take(outcome.result as never, chars) }) as ToolOutcome;
  let low = 0;
  let high = rendering.size(outcome.result as never);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(take(middle))) low = middle;
    else high = middle - 1;
  }
  return take(low);
}

function textOf(outcome: ToolOutcome): string {
  const rendering = renderingOf(outcome.tool);
  if (outcome.ok) return rendering.text(outcome.result as never);
  const { code, message, details } = outcome.error;
  const lines = [`Error ${code}: ${message}`];
  if (details?.arguments !== undefined) lines.push(`Arguments: ${JSON.stringify(details.arguments)}`);
  if (outcome.result !== undefined) lines.push(rendering.text(outcome.result as never));
  return lines.join("\n");
}

function renderingOf(tool: ToolName): AnyRendering {
  return RENDERINGS[tool];
}

function charCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}

/** Last resort for a share below what the facts alone take. */
function takeWithin(text: string, maxTokens: number, counter: TokenCounter): string {
  let tokens = maxTokens;
  let taken = takeTokens(text, tokens, "head");
  while (tokens > 0 && counter(taken) > maxTokens) {
    tokens = Math.floor(tokens * 0.8);
    taken = takeTokens(text, tokens, "head");
  }
  return taken;
}
