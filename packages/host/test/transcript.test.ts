import { describe, expect, test } from "vitest";
import { createTranscript, type Transcript, unansweredCalls, unseenBatch } from "../src/transcript.ts";

function transcriptOf(...facts: readonly Record<string, unknown>[]): Transcript {
  const transcript = createTranscript();
  facts.forEach((fact, index) => {
    transcript.add({ v: 1, id: `f${index}`, ts: "t", t: "", ...fact });
  });
  return transcript;
}

const user = { t: "user", message: { role: "user", content: "go" } };
const call = (toolCallId: string): object => ({ type: "tool-call", toolCallId, toolName: "Read", input: {} });
const assistant = (...ids: string[]): Record<string, unknown> => ({
  t: "assistant",
  message: { role: "assistant", content: [{ type: "text", text: "x" }, ...ids.map(call)] },
  finish: ids.length > 0 ? "tool-calls" : "stop",
});
const result = (toolCallId: string, text = "r"): Record<string, unknown> => ({
  t: "result",
  toolCallId,
  outcome: { ok: true, tool: "echo", text },
});

describe("createTranscript", () => {
  test("a batch has no results message until all are there, then one in call order", () => {
    const half = transcriptOf(user, assistant("a", "b"), result("b"));
    expect(half.entries.map(({ message }) => message.role)).toEqual(["user", "assistant"]);
    expect(unansweredCalls(half.batch).map(({ toolCallId }) => toolCallId)).toEqual(["a"]);
    const whole = transcriptOf(user, assistant("a", "b"), result("b"), result("a"));
    expect(whole.entries.at(-1)).toMatchObject({
      id: "f3",
      message: { role: "tool", content: [{ toolCallId: "a" }, { toolCallId: "b" }] },
    });
    expect(unseenBatch(whole)?.assistantId).toBe("f1");
    expect(unseenBatch(transcriptOf(user, assistant("a"), result("a"), assistant()))).toBeUndefined();
  });

  test("the first answer to a call counts, an answer to none is ignored", () => {
    const { entries } = transcriptOf(user, assistant("a"), result("z"), result("a", "first"), result("a", "second"));
    expect(entries).toHaveLength(3);
    expect(JSON.stringify(entries)).toContain("first");
    expect(JSON.stringify(entries)).not.toContain("second");
  });

  test("shows what was decided to be shown, and keeps the whole outcome", () => {
    const transcript = transcriptOf(user, assistant("a"), result("a", "whole"), { t: "shown", texts: { a: "part" } });
    expect(transcript.entries.at(-1)?.message).toMatchObject({ content: [{ output: { value: "part" } }] });
    expect(transcript.batch?.outcomes.get("a")).toMatchObject({ text: "whole" });
    expect(transcript.batch?.isFitted).toBe(true);
  });

  test("knows a finished answer from one that was cut off", () => {
    expect(transcriptOf(user, assistant()).answer).toBeDefined();
    expect(transcriptOf(user, assistant("a")).answer).toBeUndefined();
    expect(transcriptOf(user, { ...assistant(), finish: "length" }).answer).toBeUndefined();
    expect(transcriptOf(user, assistant(), user).answer).toBeUndefined();
  });

  test("skips what is not a fact of this host or not what it claims to be", () => {
    const odd = [
      { t: "future", anything: 1 },
      { t: "user", message: { role: "assistant", content: "no" } },
      { t: "assistant", message: "no" },
      { t: "result", toolCallId: 1 },
      { t: "result", toolCallId: "a", outcome: { ok: true } },
      { t: "shown", texts: { a: 1 } },
      { t: "turn", reason: "bored" },
    ];
    const transcript = transcriptOf(user, ...odd);
    expect(transcript.entries).toHaveLength(1);
    expect(transcript.lastEnd).toBeUndefined();
  });

  test("a checkpoint takes effect only where the entry it stands for is there", () => {
    const transcript = transcriptOf(user, assistant("a"), result("a"), assistant());
    const checkpoint = {
      generation: 1,
      mode: "completed_turn",
      family: "summary",
      summary: "s",
      tokensBefore: 10,
      tokensAfter: 1,
    } as const;
    transcript.setCheckpoint({ ...checkpoint, throughId: "gone" });
    expect(transcript.checkpoint).toBeUndefined();
    expect(transcript.entries).toHaveLength(4);
    transcript.setCheckpoint({ ...checkpoint, throughId: "f3" });
    expect(transcript.entries.map(({ id }) => id)).toEqual(["f3"]);
    expect([...transcript.usedIds]).toEqual(["a"]);
  });
});
