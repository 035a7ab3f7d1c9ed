import type { TokenCounter } from "@spillway/limits";
import { boundBatch, type RenderShare } from "./batch.ts";
import { isCheckpointError } from "./error.ts";
import { countMessage, countMessages } from "./estimate.ts";
import { recentStart } from "./fallback.ts";
import { summaryMessage } from "./host-text.ts";
import type { ModelMessage } from "./message.ts";
import { repairPairing } from "./pairing.ts";
import type { Checkpoint } from "./record.ts";
import { retainUserMessage } from "./retain.ts";
import type { Scope } from "./scope.ts";
import { storableJson, storableMessages } from "./storable.ts";

/** What is to stand before the carried messages, and which covered ones come along (positions in `live`). */
export interface Draft extends Pick<Checkpoint, "generation" | "family" | "summary" | "fallback"> {
  readonly recent: readonly number[];
}

export interface Frame {
  readonly hardLimit: number;
  readonly retainedTokens: number;
  /** Tokens of what stands in every request: fixed ones and leading system messages. */
  readonly fixedTokens: number;
  readonly counter: TokenCounter;
  readonly render: RenderShare | undefined;
}

export type Carried = Pick<Checkpoint, "lead" | "retained" | "tail">;

/** The messages that cross, fitted beside the draft's text into `limit` tokens. @throws CheckpointError by `boundBatch`. */
export function assemble(scope: Scope, draft: Draft, frame: Frame, limit: number): Carried {
  const { user, batch } = scope;
  const { counter, hardLimit } = frame;
  const recent = draft.recent.flatMap((at) => scope.live[at]?.message ?? []);
  const left =
    limit - frame.fixedTokens - countMessage(summaryMessage(draft), counter) - countMessages(recent, counter);
  const batchSize = batch === undefined ? 0 : countMessages(batch.messages, counter);
  const userSize = user === undefined ? 0 : Math.min(frame.retainedTokens, countMessage(user.message, counter));
  const wanted = Math.min(batchSize, Math.floor(hardLimit / 4));
  const userLeast = Math.min(userSize, MIN_USER_TOKENS);
  const userMax = Math.max(userLeast, Math.min(userSize, Math.max(left - wanted, Math.floor(left / 3))));
  const bounded = batch === undefined ? [] : boundWithin(batch.messages, Math.min(wanted, left - userMax), left, frame);
  const userLeft = Math.max(userLeast, Math.min(userSize, left - countMessages(bounded, counter)));
  const message = user === undefined ? undefined : retainUserMessage(user.message, userLeft, counter);

  const place = user?.at ?? -1;
  const ordered = (keep: (at: number) => boolean): ModelMessage[] => [
    ...draft.recent.flatMap((at) => (keep(at) ? (scope.live[at]?.message ?? []) : [])),
    ...(batch !== undefined && keep(batch.index) ? bounded : []),
  ];
  const lead = storableMessages(repairPairing(ordered((at) => at < place)));
  const tail = storableMessages(repairPairing(ordered((at) => at >= place)));
  return {
    ...(lead.length === 0 ? {} : { lead }),
    ...(user === undefined || message === undefined ? {} : { retained: storableUser(user.id, message) }),
    ...(tail.length === 0 ? {} : { tail }),
  };
}

/** The newest whole steps of the covered range, without the retained message, within the tokens. */
export function recentPositions(scope: Scope, maxTokens: number, counter: TokenCounter): number[] {
  const positions = scope.covered.filter((at) => at !== scope.user?.at);
  const entries = positions.flatMap((at) => scope.live[at] ?? []);
  return positions.slice(recentStart(entries, maxTokens, counter));
}

// A quarter of the limit is what a batch may take; where its envelopes alone need more, it gets what there is.
function boundWithin(messages: readonly ModelMessage[], share: number, left: number, frame: Frame): ModelMessage[] {
  const { counter, render } = frame;
  const options = render === undefined ? { counter } : { counter, render };
  try {
    return boundBatch(messages, { maxTokens: Math.max(0, share), ...options });
  } catch (error) {
    if (!isCheckpointError(error) || left <= share) throw error;
    return boundBatch(messages, { maxTokens: Math.max(0, left), ...options });
  }
}

function storableUser(
  id: string,
  message: Extract<ModelMessage, { role: "user" }>,
): NonNullable<Checkpoint["retained"]> {
  return JSON.parse(storableJson({ id, message }));
}

/** A user message is never cut below a few words: then the context counts as one that cannot shrink. */
const MIN_USER_TOKENS = 64;
