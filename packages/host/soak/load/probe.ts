import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent } from "../../src/event.ts";
import type { Slot } from "./lot.ts";
import { notePath } from "./script.ts";

/** What one small Read took, in milliseconds. */
export interface ProbeSample {
  /** When the call began, by `performance.now()`. */
  readonly at: number;
  /** From the loop's beginning of the call to its kept result. */
  readonly totalMs: number;
  /** The part of it in which the tool ran; the rest is admission and journal. */
  readonly ranMs: number;
  /** `readFile` of a file of the same size, right after; 0 where only the waiting is of interest. */
  readonly bareMs: number;
}

export interface Probe {
  readonly samples: ProbeSample[];
  readonly onEvent: (event: AgentEvent, slot: Slot) => Promise<void>;
}

/**
 * Times calls between two events. What `disturbances` counts in between makes a sample void. With `besideBare` the reader
 * of the events stops for a `readFile`, which only a session with one call at a time can bear.
 */
export function createProbe(disturbances: () => number, besideBare: boolean): Probe {
  const samples: ProbeSample[] = [];
  const begun = new Map<string, { readonly at: number; readonly disturbed: number }>();
  return {
    samples,
    onEvent: async (event, slot) => {
      if (event.type === "tool_call")
        begun.set(`${slot.root} ${event.toolCallId}`, { at: performance.now(), disturbed: disturbances() });
      if (event.type !== "tool_result") return;
      const key = `${slot.root} ${event.toolCallId}`;
      const start = begun.get(key);
      begun.delete(key);
      if (start === undefined) return;
      const end = performance.now();
      if (besideBare) await readFile(join(slot.root, notePath(0)), "utf8");
      const bareMs = besideBare ? performance.now() - end : 0;
      if (disturbances() === start.disturbed)
        samples.push({ at: start.at, totalMs: end - start.at, ranMs: event.durationMs, bareMs });
    },
  };
}
