// How long does a checkpoint of 10 000 messages take, and how long does it hold the event loop?
import { estimateTokens } from "@spillway/limits";
import { pruneMessages } from "ai";
import { buildContext, contextBudget, createCheckpoint, estimateContext } from "../src/index.ts";
import { entriesFrom, session } from "./corpus.ts";
import { measure, table } from "./rounds.ts";

export async function benchCompaction(quick: boolean): Promise<string> {
  const messages = session(quick ? 1000 : 10_000);
  const entries = entriesFrom(messages);
  const budget = contextBudget({ contextWindow: 200_000 });
  const summarize = async (): Promise<string> => "what was done so far";
  const timings = await measure(
    [
      {
        name: "`createCheckpoint`, an instant summary",
        run: async () => (await createCheckpoint({ entries, budget, mode: "active_turn", summarize })).tokensAfter,
      },
      {
        name: "`createCheckpoint`, the fallback",
        run: async () => {
          const failing = (): Promise<string> => Promise.reject(new Error("down"));
          return (await createCheckpoint({ entries, budget, mode: "active_turn", summarize: failing })).tokensAfter;
        },
      },
      { name: "`buildContext` without a checkpoint", run: () => buildContext(entries).length },
      { name: "`estimateContext`", run: () => estimateContext(messages, { counter: estimateTokens }) },
      {
        name: "`pruneMessages` of `ai` (drops old tool calls, no summary)",
        run: () => pruneMessages({ messages, toolCalls: "before-last-2-messages" }).length,
      },
      { name: "`JSON.stringify` of the messages", run: () => JSON.stringify(messages).length },
    ],
    quick ? 2 : 9,
  );
  const megabytes = (Buffer.byteLength(JSON.stringify(messages)) / 1e6).toFixed(0);
  return table(`${messages.length} messages, ${megabytes} MB`, timings);
}
