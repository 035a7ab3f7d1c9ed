import { summaryMessage } from "./host-text.ts";
import type { Entry, MessageLike, ModelMessage } from "./message.ts";
import { repairPairing } from "./pairing.ts";
import type { Checkpoint } from "./record.ts";

/**
 * What the next request sees: the checkpoint's messages in place of everything up to its `throughId`, then the entries
 * after it, all validly paired. A checkpoint whose `throughId` is not among the entries is ignored.
 */
export function buildContext<M extends MessageLike>(entries: readonly Entry<M>[], checkpoint?: Checkpoint): M[];
export function buildContext(entries: readonly Entry[], checkpoint?: Checkpoint): ModelMessage[] {
  return repairPairing(contextMessages(entries, checkpoint));
}

/** The messages of a context as they were stored, before any repair. */
export function contextMessages(entries: readonly Entry[], checkpoint: Checkpoint | undefined): ModelMessage[] {
  const through = checkpoint === undefined ? -1 : throughIndex(entries, checkpoint);
  const later = entries.slice(through + 1).map(({ message }) => message);
  if (checkpoint === undefined || through < 0) return later;
  return [...leadingSystem(entries), ...checkpointMessages(checkpoint), ...later];
}

/** System messages at the start of a transcript: they are no history and stay in front of every context. */
export function leadingSystem(entries: readonly Entry[]): ModelMessage[] {
  const end = entries.findIndex(({ message }) => message.role !== "system");
  return entries.slice(0, end < 0 ? entries.length : end).map(({ message }) => message);
}

/** The messages that stand for the part of the transcript a checkpoint covers. */
export function checkpointMessages(
  checkpoint: Pick<Checkpoint, "generation" | "family" | "summary" | "fallback" | "lead" | "retained" | "tail">,
): ModelMessage[] {
  const { lead = [], retained, tail = [] } = checkpoint;
  return [summaryMessage(checkpoint), ...lead, ...(retained === undefined ? [] : [retained.message]), ...tail];
}

/** Position of the last entry a checkpoint stands for, -1 if the transcript no longer has it. */
export function throughIndex(entries: readonly Entry[], checkpoint: Pick<Checkpoint, "throughId">): number {
  return entries.findLastIndex(({ id }) => id === checkpoint.throughId);
}
