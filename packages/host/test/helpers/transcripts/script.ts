// One made-up session, from which the transcript of every agent is written, and its sums by plain counting: another way
// than the report's, with the events laid side by side.
import { estimateTokens } from "@spillway/limits";

export interface ScriptCall {
  readonly kind: "read" | "search" | "command";
  /** A file, a pattern or a command. */
  readonly about: string;
  readonly output: string;
  readonly isError?: boolean;
}

export type ScriptEvent =
  | { readonly type: "prompt"; readonly text: string }
  | {
      readonly type: "answer";
      readonly text: string;
      readonly calls: readonly ScriptCall[];
      readonly inputTokens: number;
    }
  | { readonly type: "compaction"; readonly summary: string };

export const SESSION_ID = "0b7f1f6e-2f0d-4d3a-9a53-3f7c5f6f0001";
export const CWD = "/work space/<img src=x onerror=alert(1)>";
/** Words that must be in no view: they stand in prompts, outputs, patterns and answers. */
export const SECRET = "zebra-7731";

/** Deterministic: turns with reads of a few files, some again, searches, commands, and a compaction in the middle. */
export function makeScript({
  turns = 6,
  linesPerRead = 60,
}: {
  turns?: number;
  linesPerRead?: number;
} = {}): ScriptEvent[] {
  const events: ScriptEvent[] = [];
  const text = (name: string, lines: number): string =>
    Array.from({ length: lines }, (_, line) => `${line + 1}: ${name} ${SECRET} ${"x".repeat((line * 7) % 50)}`).join(
      "\n",
    );
  for (let turn = 0; turn < turns; turn += 1) {
    events.push({ type: "prompt", text: `Please look at part ${turn} of ${SECRET}` });
    const file = `src/part-${turn % 3}.ts`;
    events.push({
      type: "answer",
      text: `Looking ${SECRET}`,
      inputTokens: 4000 + 900 * turn,
      calls: [
        { kind: "read", about: file, output: text(file, linesPerRead + turn) },
        { kind: "search", about: `pattern ${turn}`, output: text("hit é", 12) },
      ],
    });
    events.push({
      type: "answer",
      text: "",
      inputTokens: 5000 + 900 * turn,
      calls: [
        {
          kind: "command",
          about: `npm run part-${turn}`,
          output: text("out", 25),
          ...(turn === 1 ? { isError: true } : {}),
        },
        // The same file again: it is still there.
        ...(turn % 2 === 0 ? [{ kind: "read", about: file, output: text(file, linesPerRead + turn) } as const] : []),
      ],
    });
    events.push({ type: "answer", text: `Part ${turn} is done`, inputTokens: 6000 + 900 * turn, calls: [] });
    if (turn === Math.floor(turns / 2)) events.push({ type: "compaction", summary: `So far ${SECRET}` });
  }
  return events;
}

export interface ScriptSums {
  readonly requests: number;
  readonly calls: number;
  readonly tokens: number;
  readonly resent: number;
  readonly inputTokens: number;
  readonly byKind: Readonly<
    Record<ScriptCall["kind"], { readonly calls: number; readonly tokens: number; readonly resent: number }>
  >;
  readonly byFile: Readonly<Record<string, { readonly tokens: number; readonly resent: number }>>;
  readonly errors: number;
}

/** For each result, the answers between it and the next compaction are counted one by one. */
export function countScript(events: readonly ScriptEvent[]): ScriptSums {
  const byKind = { read: none(), search: none(), command: none() };
  const byFile: Record<string, { calls: number; tokens: number; resent: number }> = {};
  let errors = 0;
  for (const [at, event] of events.entries()) {
    if (event.type !== "answer") continue;
    const later = events.slice(at + 1);
    const end = later.findIndex(({ type }) => type === "compaction");
    const requests = later.slice(0, end === -1 ? later.length : end).filter(({ type }) => type === "answer").length;
    for (const { kind, about, output, isError } of event.calls) {
      const tokens = estimateTokens(output);
      if (kind === "read") byFile[about] ??= none();
      const file = kind === "read" ? byFile[about] : undefined;
      const sums = [byKind[kind], ...(file === undefined ? [] : [file])];
      for (const sum of sums) {
        sum.calls += 1;
        sum.tokens += tokens;
        sum.resent += tokens * requests;
      }
      if (isError === true) errors += 1;
    }
  }
  const all = Object.values(byKind);
  const answers = events.filter((event) => event.type === "answer");
  return {
    requests: answers.length,
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    resent: all.reduce((sum, { resent }) => sum + resent, 0),
    inputTokens: answers.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    byKind,
    byFile,
    errors,
  };
}

function none(): { calls: number; tokens: number; resent: number } {
  return { calls: 0, tokens: 0, resent: 0 };
}
