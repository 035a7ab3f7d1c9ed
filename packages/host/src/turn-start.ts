// How a turn begins: with a new prompt, or where an earlier one stopped.
import type { ModelMessage } from "@spillway/checkpoint";
import { createCompactor } from "./compaction.ts";
import type { Turn } from "./run.ts";
import { closeBatch, runTurn } from "./turn.ts";
import type { TurnContext } from "./turn-context.ts";

/** Calls that an earlier turn left open get a result, then the prompt is appended and answered. */
export function promptTurn(prompt: string): Turn {
  return async (context, progress) => {
    await appendPrompt(prompt, context);
    return runTurn(context, progress);
  };
}

/** Goes on with a turn that did not end by itself. One that did is done already, its answer with it. */
export const resumedTurn: Turn = async (context, progress) => {
  const { entries, lastEnd, answer } = context.session.transcript;
  if (entries.length > 0 && lastEnd !== "stop" && answer === undefined) return runTurn(context, progress);
  progress.text = answer === undefined ? "" : textOf(answer);
  return "stop";
};

/** Takes a checkpoint while no turn is going on. @throws CheckpointError CONTEXT_COMPACTION_FAILED, the abort reason. */
export async function compactBetweenTurns(context: TurnContext): Promise<void> {
  await closeBatch(context);
  const { lastEnd } = context.session.transcript;
  await createCompactor(context).compact(lastEnd === "stop" ? "completed_turn" : "active_turn");
}

/** Where the prompt would not fit beside what is there, a checkpoint comes first. */
async function appendPrompt(prompt: string, context: TurnContext): Promise<void> {
  const { session, meter, signal } = context;
  signal.throwIfAborted();
  await closeBatch(context);
  const { transcript } = session;
  const message = { role: "user", content: prompt } as const;
  const isNew = transcript.entries.length === 0 || transcript.entries.at(-1)?.id === transcript.checkpoint?.throughId;
  const tokens = isNew ? 0 : await meter.estimate([...session.messages(), message]);
  if (tokens >= meter.budget.hardLimit) await compactBetweenTurns(context);
  await session.append({ t: "user", message });
}

function textOf({ content }: ModelMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}
