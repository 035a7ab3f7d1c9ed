import type { AgentEvent } from "../event.ts";
import { describeCall, describeOutcome, formatDuration } from "./describe.ts";
import type { Output } from "./output.ts";
import { createPatience } from "./patience.ts";
import { formatTokens, oneLine, type Paint, plainText } from "./style.ts";

/** Shows the events of a run. Awaited: a slow reader slows the run. */
export type View = (event: AgentEvent) => Promise<void>;

/** Every event as one line of JSON. */
export function createJsonView(stdout: Output): View {
  return (event) => stdout.line(JSON.stringify(event));
}

/** Lines of a command's output that are shown while it runs. */
const LIVE_LINES = 12;

interface LiveOutput {
  readonly call: string;
  lines: number;
  /** A person has read the command already: in the question, or above its first line. */
  isNamed: boolean;
  /** The beginning of a line of each stream whose end has not come yet. */
  readonly rest: Record<"stdout" | "stderr", string>;
}

/**
 * The model's words on `stdout`, everything else on `stderr`: a line per call with its size and what was cut. On a
 * terminal also live output, how long a slow call has taken, the state of the context, and colours.
 */
export function createTextView(stdout: Output, stderr: Output, paint: Paint): View {
  const calls = new Map<string, string>();
  const live = new Map<string, LiveOutput>();
  const lively = stderr.isTerminal;
  let inText = false;

  const endText = async (): Promise<void> => {
    if (inText) await stdout.line();
    inText = false;
  };
  const note = async (text: string): Promise<void> => {
    await endText();
    await stderr.line(text);
  };

  const patience = createPatience((call, elapsedMs) => {
    void note(paint("dim", `… ${call}  ${formatDuration(elapsedMs)} so far`));
  });

  const liveOf = (toolCallId: string): LiveOutput => {
    const call = calls.get(toolCallId) ?? "";
    const state = live.get(toolCallId) ?? { call, lines: 0, isNamed: false, rest: { stdout: "", stderr: "" } };
    live.set(toolCallId, state);
    return state;
  };

  const showLine = async (state: LiveOutput, line: string): Promise<void> => {
    if (!state.isNamed) await note(paint("cyan", state.call));
    state.isNamed = true;
    state.lines += 1;
    if (state.lines > LIVE_LINES + 1) return;
    const shown = state.lines > LIVE_LINES ? "…" : oneLine(line, stderr.width - 6);
    await note(paint("dim", `  │ ${shown}`));
  };

  const showOutput = async (event: Extract<AgentEvent, { type: "tool_output" }>): Promise<void> => {
    const state = liveOf(event.toolCallId);
    if (state.lines > LIVE_LINES) return;
    const lines = plainText(state.rest[event.stream] + event.text).split("\n");
    state.rest[event.stream] = lines.pop() ?? "";
    for (const line of lines) await showLine(state, line);
  };

  const endOutput = async (toolCallId: string): Promise<void> => {
    const state = live.get(toolCallId);
    live.delete(toolCallId);
    for (const rest of Object.values(state?.rest ?? {})) if (state && rest !== "") await showLine(state, rest);
  };

  return async (event) => {
    switch (event.type) {
      case "step_start":
        if (event.attempt > 1) await note(paint("yellow", "· asking again"));
        if (lively) await note(paint("dim", gauge(event.contextTokens, event.hardLimit, event.step)));
        return;
      case "text_delta": {
        inText = true;
        await stdout.write(plainText(event.text));
        return;
      }
      case "tool_call": {
        const call = oneLine(describeCall(event.toolName, event.args), stderr.width - 4);
        calls.set(event.toolCallId, call);
        if (lively) patience.begin(event.toolCallId, call);
        return;
      }
      case "tool_output":
        if (lively) await showOutput(event);
        return;
      case "tool_result": {
        const call = calls.get(event.toolCallId) ?? event.toolName;
        calls.delete(event.toolCallId);
        patience.end(event.toolCallId);
        await endOutput(event.toolCallId);
        const mark = event.outcome.ok ? paint("green", "✓") : paint("red", "✗");
        const facts = oneLine(describeOutcome(event.outcome, event.durationMs), 400);
        await note(`${mark} ${call}  ${paint("dim", facts)}`);
        return;
      }
      case "permission_request":
        // From here on it is a person that is waited for.
        patience.clear();
        await endText();
        liveOf(event.toolCallId).isNamed = true;
        return;
      case "checkpoint": {
        const { generation, tokensBefore, tokensAfter, fallback } = event;
        const why = fallback === undefined ? "" : `, without a summary (${fallback})`;
        const sizes = `${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)} tokens`;
        await note(paint("magenta", `◆ checkpoint ${generation}: ${sizes}${why}`));
        return;
      }
      case "warning":
        await note(paint("yellow", `! ${oneLine(event.message, 1000)}`));
        return;
      case "error":
        await note(paint("red", `✗ ${event.code}: ${oneLine(event.message, 2000)}`));
        return;
      case "done": {
        patience.clear();
        await endText();
        const { reason, steps, usage } = event.result;
        const tokens = usage.inputTokens === undefined ? "" : `, ${formatTokens(usage.inputTokens)} tokens in`;
        const out = usage.outputTokens === undefined ? "" : `, ${formatTokens(usage.outputTokens)} out`;
        await note(paint("dim", `${reason} after ${steps} ${steps === 1 ? "step" : "steps"}${tokens}${out}`));
        return;
      }
      default:
        return;
    }
  };
}

const GAUGE_CELLS = 10;

/** `step 3 · context ███░░░░░░░ 31% of 111.6k tokens`. */
export function gauge(tokens: number, limit: number, step: number): string {
  const share = Math.min(1, tokens / limit);
  const full = Math.round(share * GAUGE_CELLS);
  const bar = "█".repeat(full) + "░".repeat(GAUGE_CELLS - full);
  return `step ${step} · context ${bar} ${Math.round(share * 100)}% of ${formatTokens(limit)} tokens`;
}
