import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Output } from "../../src/cli/output.ts";
import { createPaint } from "../../src/cli/style.ts";
import { createJsonView, createTextView, gauge } from "../../src/cli/view.ts";
import type { AgentEvent } from "../../src/event.ts";

interface Screen extends Output {
  text(): string;
}

function screen(isTerminal = false): Screen {
  let text = "";
  const write = async (more: string): Promise<void> => {
    text += more;
  };
  return {
    isTerminal,
    width: 40,
    write,
    line: (more = "") => write(`${more}\n`),
    broken: new AbortController().signal,
    text: () => text,
  };
}

const output = (text: string, stream: "stdout" | "stderr" = "stdout"): AgentEvent => ({
  type: "tool_output",
  toolCallId: "c",
  seq: 0,
  stream,
  streamSeq: 0,
  text,
});
const call: AgentEvent = { type: "tool_call", toolCallId: "c", toolName: "Bash", args: { command: "make\nall" } };
const done: AgentEvent = {
  type: "tool_result",
  toolCallId: "c",
  toolName: "Bash",
  outcome: { ok: false, tool: "Bash", error: { code: "ABORTED", message: "Stopped" } },
  chars: 7,
  durationMs: 10,
};

async function show(events: readonly AgentEvent[], isTerminal: boolean): Promise<{ out: string; err: string }> {
  const [stdout, stderr] = [screen(isTerminal), screen(isTerminal)];
  const view = createTextView(stdout, stderr, createPaint(false, {}));
  for (const event of events) await view(event);
  return { out: stdout.text(), err: stderr.text() };
}

describe("createTextView", () => {
  test("keeps the model's words on one stream and everything else on the other", async () => {
    const shown = await show(
      [
        { type: "step_start", step: 1, attempt: 1, contextTokens: 1000, hardLimit: 10_000 },
        { type: "text_delta", text: "I run " },
        { type: "text_delta", text: "it.\u001b[2J" },
        call,
        output("one\n"),
        done,
        { type: "checkpoint", id: "k", generation: 2, tokensBefore: 90_000, tokensAfter: 4000, fallback: "no answer" },
        { type: "warning", code: "W", message: "careful\nnow" },
        { type: "error", code: "E", message: "broken" },
        { type: "done", result: { reason: "error", text: "", steps: 1, usage: { inputTokens: 12_345 } } },
      ],
      false,
    );
    expect(shown.out).toBe("I run it.\n");
    expect(shown.err).toBe(
      [
        "✗ $ make all  ABORTED: Stopped",
        "◆ checkpoint 2: 90k → 4k tokens, without a summary (no answer)",
        "! careful now",
        "✗ E: broken",
        "error after 1 step, 12.3k tokens in",
        "",
      ].join("\n"),
    );
  });

  test("shows a command's lines whole, whatever pieces they come in, and not more than twelve", async () => {
    const many = Array.from({ length: 30 }, (_, n) => `${n}\n`).join("");
    const { err } = await show([call, output("on"), output("warn\n", "stderr"), output("e\ntw"), done], true);
    expect(err.split("\n").slice(1, 4)).toEqual(["  │ warn", "  │ one", "  │ tw"]);
    const long = (await show([call, output(many), output(many), done], true)).err.split("\n");
    expect(long.filter((line) => line.startsWith("  │ "))).toHaveLength(13);
    expect(long[13]).toBe("  │ …");
  });

  test("names a command once: above its first line, or in the question that was asked", async () => {
    const { err } = await show([call, output("one\ntwo\n"), done], true);
    expect(err.split("\n").slice(0, 3)).toEqual(["$ make all", "  │ one", "  │ two"]);
    const asked = { toolCallId: "c", toolName: "Bash", args: {}, reason: "edit", scope: "s" } as const;
    const after = await show([call, { type: "permission_request", ...asked }, output("one\n"), done], true);
    expect(after.err.split("\n").slice(0, 2)).toEqual(["  │ one", "✗ $ make all  ABORTED: Stopped"]);
    const text: AgentEvent = { type: "text_delta", text: "Now this." };
    expect((await show([call, text, { type: "permission_request", ...asked }], true)).out).toBe("Now this.\n");
    expect((await show([call, done], true)).err).toBe("✗ $ make all  ABORTED: Stopped\n");
  });

  test("tells what failed without what the model is told to do next", async () => {
    const error = {
      code: "NOT_ALLOWED",
      message: "The user did not allow this call: go another way",
      next: "go another way",
    };
    const { err } = await show([call, { ...done, outcome: { ok: false, tool: "Bash", error } }], true);
    expect(err).toBe("✗ $ make all  NOT_ALLOWED: The user did not allow this call\n");
  });

  test("tells on a terminal how long a slow call has taken so far, until it has ended or somebody is asked", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const scan: AgentEvent = { type: "tool_call", toolCallId: "s", toolName: "Grep", args: { pattern: "x" } };
    const request = { toolCallId: "c", toolName: "Bash", args: {}, reason: "edit", scope: "s" } as const;
    for (const isTerminal of [true, false]) {
      const stderr = screen(isTerminal);
      const view = createTextView(screen(), stderr, createPaint(false, {}));
      await view(scan);
      await vi.advanceTimersByTimeAsync(7000);
      expect(stderr.text()).toBe(isTerminal ? '… Grep "x"  3 s so far\n… Grep "x"  6 s so far\n' : "");
      await view({ type: "permission_request", ...request });
      await vi.advanceTimersByTimeAsync(60_000);
      await view(scan);
      await view({ ...done, toolCallId: "s", toolName: "Grep" });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(stderr.text().match(/so far/g)?.length ?? 0).toBe(isTerminal ? 2 : 0);
    }
  });

  test("says that a request is sent again", async () => {
    const { err } = await show(
      [{ type: "step_start", step: 1, attempt: 2, contextTokens: 1000, hardLimit: 10_000 }],
      false,
    );
    expect(err).toBe("· asking again\n");
  });
});

describe("createJsonView", () => {
  test("prints an event a line", async () => {
    const stdout = screen();
    const view = createJsonView(stdout);
    await view({ type: "text_delta", text: "a\nb" });
    await view(call);
    expect(
      stdout
        .text()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([{ type: "text_delta", text: "a\nb" }, call]);
  });
});

describe("gauge", () => {
  test.each([
    [0, "step 1 · context ░░░░░░░░░░ 0% of 100k tokens"],
    [31_000, "step 1 · context ███░░░░░░░ 31% of 100k tokens"],
    [140_000, "step 1 · context ██████████ 100% of 100k tokens"],
  ])("%d of 100000", (tokens, text) => {
    expect(gauge(tokens, 100_000, 1)).toBe(text);
  });
});
