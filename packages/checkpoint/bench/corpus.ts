import { readFileSync } from "node:fs";
import type { Entry, ModelMessage } from "../src/index.ts";

// Source text of this repository: what tool results are mostly made of.
const source = readFileSync(new URL("../src/pairing.ts", import.meta.url), "utf8");

/** A piece of source text of so many characters, another one for each `seed`. */
export function code(chars: number, seed: number): string {
  const start = (seed * 7919) % source.length;
  const whole = source.repeat(Math.ceil((start + chars) / source.length));
  return `${seed}\n${whole.slice(start, start + chars)}`;
}

/** A long session: prompts, batches of two calls with their results, answers. */
export function session(messages: number): ModelMessage[] {
  const history: ModelMessage[] = [];
  for (let turn = 0; history.length < messages; turn++) {
    const ids = [`call_${turn}_0`, `call_${turn}_1`];
    history.push({ role: "user", content: `Look at file ${turn} and fix what is wrong in it. ${code(200, turn)}` });
    history.push({
      role: "assistant",
      content: ids.map((toolCallId) => ({
        ...{ type: "tool-call" as const, toolCallId, toolName: "Read" },
        input: { path: `src/file-${turn}.ts`, offset: 1 },
      })),
    });
    history.push({
      role: "tool",
      content: ids.map((toolCallId, at) => ({
        ...{ type: "tool-result" as const, toolCallId, toolName: "Read" },
        output: { type: "text" as const, value: code(turn % 10 === 0 ? 30_000 : 1500, turn * 2 + at) },
      })),
    });
    history.push({ role: "assistant", content: `Fixed. ${code(300, turn)}` });
  }
  return history.slice(0, messages);
}

export function entriesFrom(messages: readonly ModelMessage[]): Entry[] {
  return messages.map((message, at) => ({ id: `e${at}`, message }));
}
