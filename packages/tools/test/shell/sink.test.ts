import { BUDGET_SHELL, BUDGET_SHELL_ERR } from "@spillway/limits";
import { describe, expect, test } from "vitest";
import { createSink, type SinkLimits } from "../../src/shell/sink.ts";

const limits: SinkLimits = { captureMaxBytes: 200, captureMaxLines: 1_000, spillMaxBytes: 200 };
const head = { maxBytes: 40, maxLines: 4, keep: "head" } as const;
const tail = { maxBytes: 40, maxLines: 4, keep: "tail" } as const;

function finish(keep: "head" | "tail", chunks: readonly string[], sinkLimits: SinkLimits = limits) {
  const sink = createSink(keep, sinkLimits);
  for (const chunk of chunks) sink.push(Buffer.from(chunk));
  return sink.finish(keep === "head" ? head : tail);
}

describe("createSink", () => {
  test("gives a short stream as it is", () => {
    const outcome = finish("head", ["one\n", "two"]);
    expect(outcome).toMatchObject({ totalBytes: 7, totalLines: 2, foldedBytes: 0, truncated: false });
    expect(outcome.show()).toMatchObject({ text: "one\ntwo", keptBytes: 7, keptLines: 2 });
    expect(Buffer.from(outcome.raw).toString()).toBe("one\ntwo");
  });

  test("cuts to the budget and says where the rest is", () => {
    const outcome = finish("head", ["1\n2\n3\n4\n5\n"]);
    expect(outcome).toMatchObject({ truncated: true, totalLines: 5, captured: { bytes: 10, lines: 5 } });
    expect(outcome.show("/spill.log").text).toBe(
      "1\n2\n3\n4\n\n[truncated: kept the first 4 of 5 lines; limit 4 lines / 0.0KB. Full output saved to /spill.log — Grep it, or Read it with offset/limit.]",
    );
  });

  test("keeps the end of a stream that is larger than the capture", () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`);
    const outcome = finish("tail", lines);
    expect(outcome.totalLines).toBe(100);
    expect(outcome.captured.bytes).toBeLessThanOrEqual(200);
    expect(Buffer.from(outcome.raw).toString().endsWith("line 99\nline 100\n")).toBe(true);
    expect(outcome.show("/spill.log").text).toMatch(
      /^\[truncated: kept the last 4 of 100 lines; .* Partial output \(last \d+ of 792 bytes, \d+ of 100 lines\) saved to \/spill\.log — .*\]\n\nline 97\nline 98\nline 99\nline 100\n$/,
    );
  });

  test("shows the last state of a progress bar that is far larger than the capture, without a marker", () => {
    const frames = Array.from({ length: 500 }, (_, index) => `\r\x1b[32m${index}%\x1b[0m`);
    const outcome = finish("head", ["start\n", ...frames, "\ndone\n"]);
    expect(outcome.show().text).toBe("start\n499%\ndone\n");
    expect(outcome).toMatchObject({ truncated: false, totalLines: 3 });
    expect(outcome.totalBytes).toBe(outcome.foldedBytes + "start\n499%\ndone\n".length);
  });

  test("applies the budget to the folded text and spills the raw one", () => {
    const coloured = Array.from({ length: 6 }, (_, index) => `\x1b[31m${index}\x1b[0m\n`);
    const outcome = finish("head", coloured);
    expect(outcome.truncated).toBe(true);
    expect(outcome.show("/s").text.startsWith("0\n1\n2\n3\n\n[truncated: kept the first 4 of 6 lines")).toBe(true);
    expect(Buffer.from(outcome.raw).toString()).toBe(coloured.join(""));
  });

  test.each(["head", "tail"] as const)("folds what comes after plain output, %s", (keep) => {
    const outcome = finish(keep, ["plain\n", "10%", "\r20%", "\r30%\nend"]);
    expect(outcome.show().text).toBe("plain\n30%\nend");
    expect(outcome.foldedBytes).toBe(8);
  });

  test("folds after so much plain output that the head is full", () => {
    const outcome = finish("head", ["x\n".repeat(300), "10%\r20%\n"]);
    expect(outcome.show().text.startsWith("x\nx\nx\nx\n\n[truncated: kept the first 4 of 301 lines;")).toBe(true);
    expect(outcome.foldedBytes).toBe(4);
  });

  test("folds after so much plain output that the tail has gone round", () => {
    const outcome = finish("tail", ["x\n".repeat(300), "10%\r20%\n"]);
    expect(outcome.show().text.endsWith("\n\nx\nx\nx\n20%\n")).toBe(true);
    expect(outcome.foldedBytes).toBe(4);
  });

  test("holds no more for the spill than the spill may have", () => {
    const outcome = finish("head", ["x".repeat(500)], { captureMaxBytes: 200, captureMaxLines: 10, spillMaxBytes: 64 });
    expect(outcome.raw.length).toBe(64);
    expect(outcome.captured).toEqual({ bytes: 64, lines: 1 });
  });

  test("adds up: kept, folded and captured bytes within the totals at the default numbers", () => {
    const sink = createSink("head", { captureMaxBytes: 524_288, captureMaxLines: 200_000, spillMaxBytes: 524_288 });
    for (let round = 0; round < 64; round++) sink.push(Buffer.from("0123456789abcde\n".repeat(4_096)));
    const outcome = sink.finish(BUDGET_SHELL);
    expect(outcome).toMatchObject({
      totalBytes: 4_194_304,
      totalLines: 262_144,
      captured: { bytes: 524_288, lines: 32_768 },
    });
    const shown = outcome.show("/s");
    expect(shown.keptBytes).toBeLessThanOrEqual(98_304);
    expect(shown.keptLines).toBe(4_000);
    expect(BUDGET_SHELL_ERR.keep).toBe("tail");
  });
});
