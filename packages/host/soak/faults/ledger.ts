import { join } from "node:path";
import { openJournal } from "@spillway/checkpoint";
import type { AgentEvent, RunResult } from "../../src/event.ts";

/** What one session's reader was told, and so must never be lost. */
export interface Ledger {
  /** Requests that went out: before the first one the prompt was kept. */
  requests: number;
  /** Answers of the model. */
  answers: number;
  /** By call id: "ok" or the code of the failure. */
  readonly results: Map<string, string>;
  readonly checkpoints: string[];
  readonly warnings: string[];
  ending?: RunResult;
}

export function createLedger(): Ledger {
  return { requests: 0, answers: 0, results: new Map(), checkpoints: [], warnings: [] };
}

export function enter(ledger: Ledger, event: AgentEvent): void {
  switch (event.type) {
    case "step_start":
      ledger.requests += 1;
      break;
    case "usage":
      ledger.answers += 1;
      break;
    case "tool_result":
      ledger.results.set(event.toolCallId, event.outcome.ok ? "ok" : event.outcome.error.code);
      break;
    case "checkpoint":
      ledger.checkpoints.push(event.id);
      break;
    case "warning":
      ledger.warnings.push(event.code);
      break;
    case "done":
      ledger.ending = event.result;
      break;
  }
}

/** Facts of the ledger that the session's journal does not hold, in words. */
export async function lostFacts(ledger: Ledger, dataDir: string, sessionId: string): Promise<string[]> {
  const journal = await openJournal(join(dataDir, "sessions", sessionId, "journal.jsonl"));
  try {
    const facts = await journal.entries();
    const ofKind = (kind: string): typeof facts => facts.filter(({ t }) => t === kind);
    const lost: string[] = [];
    if (ledger.requests > 0 && ofKind("user").length === 0) lost.push("the prompt");
    if (ofKind("assistant").length < ledger.answers)
      lost.push(`${ledger.answers - ofKind("assistant").length} answers`);
    const kept = new Map(ofKind("result").map(({ toolCallId, outcome }) => [toolCallId, resultOf(outcome)]));
    for (const [id, result] of ledger.results) if (kept.get(id) !== result) lost.push(`the result of ${id}`);
    const ids = new Set(ofKind("checkpoint").map(({ id }) => id));
    for (const id of ledger.checkpoints) if (!ids.has(id)) lost.push(`checkpoint ${id}`);
    return lost;
  } finally {
    await journal.close();
  }
}

function resultOf(outcome: unknown): string {
  const error: unknown = Reflect.get(Object(outcome), "error");
  return error === undefined ? "ok" : String(Reflect.get(Object(error), "code"));
}
