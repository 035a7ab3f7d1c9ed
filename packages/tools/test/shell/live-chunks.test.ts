import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLiveChunks, type LiveChunks } from "../../src/shell/live-chunks.ts";
import type { OutputChunk } from "../../src/tool.ts";

let chunks: OutputChunk[] = [];

function live(maxBytes = 1_000, onOutput = (chunk: OutputChunk): void => void chunks.push(chunk)): LiveChunks {
  return createLiveChunks({ toolCallId: "call", maxBytes, onOutput });
}

function textOf(stream: "stdout" | "stderr"): string {
  return chunks
    .filter((chunk) => chunk.stream === stream)
    .map((chunk) => chunk.text)
    .join("");
}

beforeEach(() => {
  chunks = [];
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("createLiveChunks", () => {
  test("forwards the first bytes at once and the next ones together after 50 ms", () => {
    const output = live();
    output.push("stdout", Buffer.from("a"));
    vi.advanceTimersByTime(1);
    expect(chunks.map((chunk) => chunk.text)).toEqual(["a"]);
    for (const text of ["b", "c", "d"]) output.push("stdout", Buffer.from(text));
    vi.advanceTimersByTime(40);
    expect(chunks.length).toBe(1);
    vi.advanceTimersByTime(20);
    expect(chunks.map((chunk) => chunk.text)).toEqual(["a", "bcd"]);
  });

  test("numbers over both streams in order of arrival and within each, without holes", () => {
    const output = live();
    output.push("stdout", Buffer.from("out1"));
    vi.advanceTimersByTime(60);
    output.push("stderr", Buffer.from("err1"));
    output.push("stdout", Buffer.from("out2"));
    vi.advanceTimersByTime(60);
    output.finish();
    expect(chunks.map(({ seq, stream, streamSeq, text }) => [seq, stream, streamSeq, text])).toEqual([
      [0, "stdout", 0, "out1"],
      [1, "stderr", 0, "err1"],
      [2, "stdout", 1, "out2"],
    ]);
  });

  test("never splits a character, whatever the chunks are", () => {
    const output = live();
    for (const byte of Buffer.from("a日🟡é")) {
      output.push("stdout", Buffer.from([byte]));
      vi.advanceTimersByTime(60);
    }
    output.finish();
    expect(chunks.every((chunk) => chunk.text.isWellFormed() && !chunk.text.includes("\ufffd"))).toBe(true);
    expect(textOf("stdout")).toBe("a日🟡é");
  });

  test("forwards a prefix of each stream and says in one last chunk how much it left out", () => {
    const output = live(10);
    output.push("stdout", Buffer.from("0123456"));
    vi.advanceTimersByTime(60);
    output.push("stdout", Buffer.from("789abcdef"));
    output.push("stderr", Buffer.from("err"));
    for (let round = 0; round < 100; round++) {
      output.push("stdout", Buffer.from("more"));
      vi.advanceTimersByTime(60);
    }
    output.finish();
    expect(textOf("stdout")).toBe("0123456789");
    expect(textOf("stderr")).toBe("err");
    const last = chunks.filter((chunk) => chunk.omittedBytes !== undefined);
    expect(last).toEqual([expect.objectContaining({ stream: "stdout", text: "", omittedBytes: 406 })]);
    expect(chunks.at(-1)).toBe(last[0]);
  });

  test.each([
    [1, "日本", "", 6],
    [4, "日本", "日", 3],
    [5, "日本", "日", 3],
    [2, "a🟡", "a", 4],
  ])("omits the whole character that a prefix of %i bytes cuts", (maxBytes, text, forwarded, omittedBytes) => {
    const output = live(maxBytes);
    for (const byte of Buffer.from(text)) {
      output.push("stdout", Buffer.from([byte]));
      vi.advanceTimersByTime(60);
    }
    output.finish();
    expect(textOf("stdout")).toBe(forwarded);
    expect(chunks.at(-1)?.omittedBytes).toBe(omittedBytes);
  });

  test("shows an unfinished character at the end of the stream as U+FFFD", () => {
    const output = live();
    output.push("stdout", Buffer.from([0x61, 0xe6, 0x97]));
    output.finish();
    expect(textOf("stdout")).toBe("a\ufffd");
  });

  test("forwards nothing after its end", () => {
    const output = live();
    output.push("stdout", Buffer.from("a"));
    output.finish();
    output.push("stdout", Buffer.from("b"));
    vi.advanceTimersByTime(1_000);
    expect(textOf("stdout")).toBe("a");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("goes on without a listener that throws", () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const output = live(1_000, () => {
      throw new Error("listener");
    });
    output.push("stdout", Buffer.from("a"));
    vi.advanceTimersByTime(60);
    output.push("stdout", Buffer.from("b"));
    output.finish();
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });

  test("goes on without an async listener that rejects", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const heard: string[] = [];
    const output = live(1_000, async ({ text }) => {
      heard.push(text);
      throw new Error("listener");
    });
    output.push("stdout", Buffer.from("a"));
    await vi.advanceTimersByTimeAsync(60);
    output.push("stdout", Buffer.from("b"));
    output.finish();
    expect(heard).toEqual(["a"]);
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });
});
