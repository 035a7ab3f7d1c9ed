// What a demo saw happen, gathered from its events, and told. Nothing is claimed that no event showed.

import type { AgentEvent } from "../event.ts";
import { formatBytes, formatTokens } from "./style.ts";

export interface DemoFacts {
  requests: number;
  files: number;
  searches: number;
  oversized?: { readonly totalBytes: number; readonly keptBytes: number; readonly spillPath?: string };
  background?: { readonly id: string; readonly logPath: string };
  /** The model refused a request for its size. */
  overflow?: boolean;
  checkpoint?: { readonly before: number; readonly after: number };
  stopped?: { readonly processes: number };
}

export function createDemoFacts(): DemoFacts {
  return { requests: 0, files: 0, searches: 0 };
}

export function gather(facts: DemoFacts, event: AgentEvent): void {
  switch (event.type) {
    case "step_start":
      facts.requests += 1;
      break;
    case "warning":
      if (event.code === "CONTEXT_OVERFLOW") facts.overflow = true;
      break;
    case "checkpoint":
      facts.checkpoint = { before: event.tokensBefore, after: event.tokensAfter };
      break;
    case "tool_result":
      gatherResult(facts, event);
      break;
  }
}

function gatherResult(facts: DemoFacts, { outcome, toolName }: Extract<AgentEvent, { type: "tool_result" }>): void {
  if (outcome.ok && toolName === "Read") facts.files += 1;
  if (outcome.ok && (toolName === "Grep" || toolName === "Glob")) facts.searches += 1;
  const result = outcome.tool === "Bash" && "result" in outcome ? outcome.result : undefined;
  if (result === undefined) return;
  const { stdoutInfo, id, logPath, ended, endedProcesses } = result;
  if (result.truncated) {
    const { totalBytes, keptBytes, spillPath } = stdoutInfo;
    facts.oversized = { totalBytes, keptBytes, ...(spillPath === undefined ? {} : { spillPath }) };
  }
  if (id !== undefined && logPath !== undefined) facts.background = { id, logPath };
  if (ended === "abort") facts.stopped = { processes: endedProcesses };
}

/** What was looked at after the agent was closed. */
export interface DemoChecks {
  /** Bytes of the spilled copy, if it is there. */
  readonly spillBytes?: number;
  /** Whether the background process is gone; undefined when its number is not known. */
  readonly serverEnded?: boolean;
}

/** One line a fact, in the order of the walk. */
export function tellFacts(facts: DemoFacts, checks: DemoChecks): { readonly ok: boolean; readonly text: string }[] {
  const { oversized, checkpoint, stopped, background } = facts;
  const told: { ok: boolean; text: string }[] = [];
  const looked = [count(facts.searches, "search", "searches"), count(facts.files, "read")].join(" and ");
  told.push({ ok: true, text: `${looked}, each within its own limit` });
  if (oversized !== undefined) {
    const { totalBytes, keptBytes, spillPath } = oversized;
    const sizes = `a command printed ${formatBytes(totalBytes)}; its result kept ${formatBytes(keptBytes)} and says so`;
    told.push({ ok: true, text: sizes });
    if (spillPath !== undefined) {
      const there = checks.spillBytes === undefined ? "is not there" : `is there, ${formatBytes(checks.spillBytes)}`;
      told.push({ ok: checks.spillBytes !== undefined, text: `the saved copy ${there}: ${spillPath}` });
    }
  }
  if (checkpoint === undefined) told.push({ ok: false, text: "no checkpoint was needed, though one was meant to be" });
  else {
    const sizes = `${formatTokens(checkpoint.before)} → ${formatTokens(checkpoint.after)} tokens`;
    const why = facts.overflow ? "the model refused a request that was too long, " : "";
    told.push({ ok: true, text: `${why}a checkpoint made room: ${sizes}; the task and the open results stayed` });
  }
  if (stopped !== undefined) {
    told.push({ ok: true, text: "a command of ten minutes was stopped at once, with everything it had started" });
  }
  if (background !== undefined && checks.serverEnded !== undefined) {
    const state = checks.serverEnded ? "is gone" : "is still running";
    told.push({ ok: checks.serverEnded, text: `the background process ${state} now that the session is closed` });
  }
  told.push({
    ok: true,
    text: `${facts.requests} requests, none with a call that lacks its result: the model would have refused it`,
  });
  return told;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
