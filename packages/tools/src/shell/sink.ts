import { type Budget, type Capture, createCapture, type Limits, truncate } from "@spillway/limits";
import { MAX_UNPRINTABLE_SHARE, unprintableShare } from "../printable.ts";
import { vectorLineFeedCounter } from "./count-line-feeds.ts";
import { createFold } from "./fold.ts";

/** Takes one stream of a command: keeps the raw end for the spill and the folded end for the model, counts everything. */
export interface Sink {
  push(chunk: Uint8Array): void;
  /** What was kept so far, cut to `budget`, with what is needed to say what is missing. */
  finish(budget: Budget): SinkOutcome;
}

export interface SinkOutcome {
  /** The kept bytes, raw: what a spill holds. */
  readonly raw: Uint8Array;
  readonly totalBytes: number;
  readonly totalLines: number;
  /** What `raw` holds of the stream. */
  readonly captured: { readonly bytes: number; readonly lines: number };
  readonly kept: Budget["keep"];
  /** Bytes of control sequences and overwritten text that the model does not see. */
  readonly foldedBytes: number;
  /** The kept bytes are no text: a model would be shown replacement characters, one token and more for each byte. */
  readonly binary: boolean;
  /** More than is shown: a fuller copy is worth writing. */
  readonly truncated: boolean;
  /** The text within the budget, with its marker once `spillPath` is known. */
  show(spillPath?: string): { readonly text: string; readonly keptBytes: number; readonly keptLines: number };
}

/** A few odd bytes cost nothing and may be what was asked for. */
const MIN_BINARY_CHARS = 512;

/** Enough for a verdict, and no wait for the main thread. */
const MAX_JUDGED_CHARS = 65_536;

/** @param raw before anything was folded: what a fold takes away of an image were no colours. */
function isBinary(raw: string, keep: "head" | "tail"): boolean {
  if (raw.length < MIN_BINARY_CHARS) return false;
  const judged = keep === "head" ? raw.slice(0, MAX_JUDGED_CHARS) : raw.slice(-MAX_JUDGED_CHARS);
  return unprintableShare(judged) > MAX_UNPRINTABLE_SHARE;
}

export type SinkLimits = Pick<Limits, "captureMaxBytes" | "captureMaxLines" | "spillMaxBytes">;

/** `keep`: the end that survives, here and in the budget that is given at the end. */
export function createSink(keep: "head" | "tail", limits: SinkLimits): Sink {
  const maxLines = limits.captureMaxLines;
  const countLineFeeds = vectorLineFeedCounter();
  const counting = countLineFeeds === undefined ? {} : { countLineFeeds };
  const capture = (maxBytes: number): Capture => createCapture({ maxBytes, maxLines, keep, ...counting });
  const raw = capture(Math.min(limits.captureMaxBytes, limits.spillMaxBytes));
  const fold = createFold();
  let totalBytes = 0;
  let foldedBytes = 0;
  // As long as nothing had to be folded, raw and folded are the same and are kept once.
  let shown: Capture | undefined;
  let droppedBefore = false;

  /** A capture of what `raw` has taken so far, without the unfinished line, which the fold holds. */
  const fork = (): Capture => {
    const forked = capture(limits.captureMaxBytes);
    const held = fold.unfinished().length;
    const kept = raw.bytes();
    const settled = totalBytes - held;
    droppedBefore = kept.length < totalBytes;
    forked.push(
      keep === "head" ? kept.subarray(0, Math.max(0, settled)) : kept.subarray(0, Math.max(0, kept.length - held)),
    );
    return forked;
  };

  return {
    push: (chunk) => {
      if (shown === undefined && fold.isPlain(chunk)) fold.skip(chunk);
      else {
        shown ??= fork();
        const held = fold.unfinished().length;
        const settled = fold.push(chunk);
        foldedBytes += held + chunk.length - settled.length - fold.unfinished().length;
        shown.push(settled);
      }
      raw.push(chunk);
      totalBytes += chunk.length;
    },
    finish: (budget) => {
      if (shown !== undefined) shown.push(fold.finish());
      const bytes = raw.bytes();
      const totals = raw.finish();
      const folded = shown?.finish();
      const dropped = folded === undefined ? totals.truncated : droppedBefore || folded.truncated;
      const text = folded === undefined ? totals.text : folded.text;
      const whole = truncate(text, budget, dropped ? { capture: totals } : {});
      const binary = isBinary(totals.text, keep);
      return {
        raw: bytes,
        totalBytes: totals.totalBytes,
        totalLines: totals.totalLines,
        captured: { bytes: totals.keptBytes, lines: totals.keptLines },
        kept: budget.keep,
        foldedBytes,
        binary,
        truncated: binary || whole.truncated,
        show: (spillPath) => {
          if (binary) return { text: "", keptBytes: 0, keptLines: 0 };
          if (!whole.truncated) return { text: whole.text, keptBytes: whole.keptBytes, keptLines: whole.keptLines };
          return truncate(text, budget, { capture: totals, ...(spillPath !== undefined && { spillPath }) });
        },
      };
    },
  };
}
