// What a loop of the AI SDK has said so far, put together from what it shows of itself before each step.
import { createHash } from "node:crypto";
import type { Checkpoint, Entry } from "@spillway/checkpoint";
import type { ModelMessage } from "ai";

/** The messages of one conversation as the loop made them, and the checkpoint that stands for its beginning. */
export interface RunTranscript {
  readonly entries: Entry<ModelMessage>[];
  /** One a message as it was before it was fitted, to know a conversation again by. */
  readonly keys: string[];
  checkpoint: Checkpoint | undefined;
  /** What the last request carried. */
  sent: readonly ModelMessage[];
}

export function createRunTranscript(): RunTranscript {
  return { entries: [], keys: [], checkpoint: undefined, sent: [] };
}

/** The conversation that these messages go on with, if it is the known one; else a new one. They are part of it afterwards. */
export function beginRun(known: RunTranscript | undefined, messages: readonly ModelMessage[]): RunTranscript {
  const keys = messages.map(keyOf);
  const goesOn = known?.keys.every((key, index) => key === keys[index]) === true;
  const transcript = goesOn ? known : createRunTranscript();
  append(transcript, messages.slice(transcript.keys.length));
  return transcript;
}

/**
 * Takes what the last step added. ai 6 shows the whole history again before each step, ai 7 what the step before was
 * given: the newest assistant message and what follows it are the same in both.
 */
export function addStep(transcript: RunTranscript, messages: readonly ModelMessage[]): void {
  const newest = messages.findLastIndex(({ role }) => role === "assistant");
  if (newest >= 0) append(transcript, messages.slice(newest));
}

function append({ entries, keys }: RunTranscript, messages: readonly ModelMessage[]): void {
  for (const message of messages) {
    entries.push({ id: `m${entries.length + 1}`, message });
    keys.push(keyOf(message));
  }
}

function keyOf(message: ModelMessage): string {
  return createHash("sha256").update(JSON.stringify(message)).digest("base64");
}
