// A session that takes numbered steps, each with one command that leaves a line: what was done, and how often, can be counted.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { WireReply } from "../../test/helpers/wire/format.ts";

export const ANSWER = "All steps are behind us.";
export const PROMPT = "Take the steps.";

/** What a model answers to a request, by what the request tells of: the script needs no memory. */
export function replyTo(request: unknown, steps: number): WireReply {
  const step = stepsTaken(request);
  if (step >= steps) return { text: ANSWER };
  return {
    text: `Step ${step}: three calls.`,
    calls: [
      { id: `bash${step}`, tool: "Bash", args: { command: `echo step-${step} >> log && seq 1 300` } },
      { id: `read${step}`, tool: "Read", args: { path: "note.txt" } },
      { id: `write${step}`, tool: "Write", args: { path: `file-${step}`, content: `made in step ${step}\n` } },
    ],
  };
}

export function summaryOf(request: unknown): string {
  return `Step ${stepsTaken(request) - 1}: taken, as were those before it.`;
}

/** How often each step's command took effect, by step. */
export async function effectsIn(root: string, steps: number): Promise<number[]> {
  const lines = (await readFile(join(root, "log"), "utf8").catch(() => "")).split("\n");
  return Array.from({ length: steps }, (_, step) => lines.filter((line) => line === `step-${step}`).length);
}

/** Steps that the request tells of, in messages or in a summary. */
function stepsTaken(request: unknown): number {
  const told = [...JSON.stringify(request).matchAll(/Step (\d+):/g)].map((match) => Number(match[1]) + 1);
  return Math.max(0, ...told);
}
