import type { AgentEvent, RunResult } from "../../src/event.ts";

/** What the sessions of a load came to. */
export interface Book {
  calls: number;
  turns: number;
  checkpoints: number;
  /** Whatever should not have been, the first of them in words. */
  readonly problems: string[];
  totalProblems: number;
}

export function createBook(): Book {
  return { calls: 0, turns: 0, checkpoints: 0, problems: [], totalProblems: 0 };
}

export function noteEvent(book: Book, event: AgentEvent): void {
  if (event.type === "checkpoint") book.checkpoints += 1;
  if (event.type === "checkpoint" && event.fallback !== undefined) noteProblem(book, `fallback: ${event.fallback}`);
  if (event.type === "warning") noteProblem(book, `${event.code}: ${event.message}`);
  if (event.type !== "tool_result") return;
  book.calls += 1;
  const { outcome, toolName } = event;
  if (!outcome.ok) noteProblem(book, `${toolName} ${outcome.error.code}: ${outcome.error.message}`);
}

export function noteResult(book: Book, { reason, error }: RunResult): void {
  book.turns += 1;
  if (reason !== "stop") noteProblem(book, `a turn ended with ${reason} ${error?.code ?? ""}: ${error?.message ?? ""}`);
}

export function noteProblem(book: Book, problem: string): void {
  book.totalProblems += 1;
  if (book.problems.length < MAX_PROBLEMS) book.problems.push(problem);
}

const MAX_PROBLEMS = 20;
