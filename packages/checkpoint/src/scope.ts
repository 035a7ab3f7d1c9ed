import { leadingSystem, throughIndex } from "./context.ts";
import type { Entry, ModelMessage, UserMessage } from "./message.ts";
import type { Checkpoint, CheckpointContent, CheckpointMode } from "./record.ts";
import { newestUserIndex, type OpenBatch, openBatch } from "./retain.ts";

/** What a checkpoint is about: the live part of a transcript, split into what crosses and what is summarised. */
export interface Scope {
  /** The last checkpoint whose text is no fallback: what `live` goes on from. */
  readonly base: CheckpointContent | undefined;
  /** What no summary covers yet, oldest first: carried messages of the checkpoint before, then newer entries. */
  readonly live: readonly Entry[];
  /** The newest message a person wrote, where the mode lets it cross. */
  readonly user: { readonly at: number; readonly id: string; readonly message: UserMessage } | undefined;
  /** The open batch, where the mode lets it cross. */
  readonly batch: OpenBatch | undefined;
  /** Positions in `live` of what is to be summarised: all but the open batch. */
  readonly covered: readonly number[];
}

export function readScope(entries: readonly Entry[], mode: CheckpointMode, before: Checkpoint | undefined): Scope {
  const through = before === undefined ? -1 : throughIndex(entries, before);
  const previous = through < 0 ? undefined : before;
  const base = summaryBase(entries, previous, through);
  const finished = previous?.mode === "completed_turn" ? through - base.from : -1;
  const at = mode === "active_turn" ? newestUserIndex(base.live) : -1;
  const newest = at > finished ? base.live[at] : undefined;
  const user = newest?.message.role === "user" ? { at, id: newest.id, message: newest.message } : undefined;
  const batch = mode === "active_turn" ? openBatch(base.live) : undefined;
  const covered = base.live.flatMap(({ message }, position) => {
    const isOpen = batch !== undefined && position >= batch.index && message.role !== "user";
    return isOpen ? [] : [position];
  });
  return { base: base.content, live: base.live, user, batch, covered };
}

interface Base {
  readonly content: CheckpointContent | undefined;
  readonly live: readonly Entry[];
  /** Position in the entries of the first of `live`, as if all of these were entries. */
  readonly from: number;
}

// After a fallback the originals are summarised anew, from the last real summary on: an outage of the model costs
// nothing in the end.
function summaryBase(entries: readonly Entry[], previous: Checkpoint | undefined, through: number): Base {
  const earlier = previous?.fallback === undefined ? previous : previous.fallback.base;
  const earlierThrough = earlier === undefined ? -1 : throughIndex(entries, earlier);
  const hasOriginals = earlier === undefined ? through !== 0 : earlierThrough >= 0;
  const content = hasOriginals ? earlier : previous;
  // Without the originals at least the last of them is there: it may have been cut.
  const start = hasOriginals ? earlierThrough + 1 : through;
  if (content === undefined) {
    const from = leadingSystem(entries).length;
    return { content, live: entries.slice(from), from };
  }
  const carried = carriedEntries(entries, content);
  return { content, live: [...carried, ...entries.slice(start)], from: start - carried.length };
}

// Carried messages as entries again. Those a host wrote, or that belong to finished work, are no one's newest message;
// the retained one comes back whole.
function carriedEntries(entries: readonly Entry[], content: CheckpointContent): Entry[] {
  const { throughId, lead = [], retained, tail = [] } = content;
  const carry = (part: string, messages: readonly ModelMessage[]): Entry[] =>
    messages.map((message, at) => ({ id: `${throughId}/${part}/${at}`, message, note: true }));
  const original = entries.find(({ id }) => id === retained?.id)?.message;
  const user = retained === undefined ? [] : [{ id: retained.id, message: original ?? retained.message }];
  return [...carry("lead", lead), ...user, ...carry("tail", tail)];
}
