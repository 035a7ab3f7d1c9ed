import type { MessageLike, UserMessage } from "./message.ts";
import type { Checkpoint } from "./record.ts";

// Every text this package puts into a user message opens with one of these, so that none is taken for a person's words.
const CHECKPOINT_OPENING = "[context checkpoint";
export const REMINDER_OPENING = "[context reminder";

export const NOTHING_EARLIER = "(No earlier messages.)";
export const FRESH_WINDOW_SUMMARY =
  "The history before this point was reset and no summary of it was written. Files and everything else outside this conversation are as they were left: look there before you assume.";

/** The user message that opens a context after a checkpoint. A system message would be refused by some providers. */
export function summaryMessage(
  checkpoint: Pick<Checkpoint, "generation" | "family" | "summary" | "fallback">,
): UserMessage {
  const { generation, family, summary, fallback } = checkpoint;
  return {
    role: "user",
    content: `${CHECKPOINT_OPENING} ${generation}: ${factOf(family, fallback?.reason)}]\n\n${summary}`,
  };
}

export function isHostText(message: MessageLike): boolean {
  const first = typeof message.content === "string" ? message.content : textOf(message.content[0]);
  return first.startsWith(CHECKPOINT_OPENING) || first.startsWith(REMINDER_OPENING);
}

function factOf(family: Checkpoint["family"], reason: string | undefined): string {
  if (family === "fresh_window") return "earlier messages were cleared";
  if (reason === undefined) return "earlier messages were replaced by this summary";
  return `no summary could be written (${reason}); earlier messages were reduced to what follows`;
}

function textOf(part: { readonly type: string; readonly text?: unknown } | undefined): string {
  return typeof part?.text === "string" ? part.text : "";
}
