import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModelV3, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { pairingProblems, type ScriptedReply, streamOf } from "../../test/helpers/scripted-model.ts";

export interface PacedModelOptions {
  /** The reply to a request with tools. */
  readonly next: (prompt: LanguageModelV3Prompt) => ScriptedReply;
  /** The reply to one without, which asks for a summary. */
  readonly summarize?: (prompt: LanguageModelV3Prompt) => ScriptedReply;
  /** Milliseconds until the model begins to answer. */
  readonly thinkMs: () => number;
}

/** Follows a script at a model's pace, keeps nothing, and refuses what is not validly paired. */
export function pacedModel({ next, summarize = () => SUMMARY, thinkMs }: PacedModelOptions): LanguageModelV3 {
  let answers = 0;
  return {
    specificationVersion: "v3",
    provider: "test",
    modelId: "paced",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("The loop streams")),
    doStream: async ({ prompt, tools = [], abortSignal }) => {
      const problems = pairingProblems(prompt);
      if (problems.length > 0) throw new Error(`The request is not validly paired: ${problems.join("; ")}`);
      answers += 1;
      const ms = thinkMs();
      if (ms > 0) await sleep(ms, undefined, abortSignal === undefined ? {} : { signal: abortSignal });
      const reply = tools.length === 0 ? summarize(prompt) : next(prompt);
      return { stream: streamOf(reply, answers, abortSignal) };
    },
  };
}

const SUMMARY: ScriptedReply = { text: "The notes were read, searched and counted; nothing is left to be done." };
