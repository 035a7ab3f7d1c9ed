import { describe, expect, test } from "vitest";
import type { BashResult, StreamInfo } from "../../src/bash.ts";
import { bashRendering } from "../../src/render/bash.ts";

function info(text: string, kept: StreamInfo["kept"]): StreamInfo {
  const bytes = Buffer.byteLength(text);
  const lines = text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);
  return { kept, keptBytes: bytes, keptLines: lines, totalBytes: bytes, totalLines: lines };
}

function result(part: Partial<BashResult>): BashResult {
  const { stdout = "", stderr = "" } = part;
  return {
    stdout,
    stderr,
    exitCode: 0,
    signal: null,
    ended: "exit",
    durationMs: 12,
    truncated: false,
    stdoutInfo: info(stdout, "head"),
    stderrInfo: info(stderr, "tail"),
    endedProcesses: 0,
    ...part,
  };
}

function lines(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}\n`).join("");
}

describe("bashRendering.text", () => {
  test.each<[string, Partial<BashResult>, string]>([
    ["output", { stdout: "hello\n" }, "exit code 0, 12 ms\nhello"],
    ["nothing", {}, "exit code 0, 12 ms\n(no output)"],
    ["lines of a Windows program", { stdout: "a\r\nb\r\n" }, "exit code 0, 12 ms\na\r\nb"],
    [
      "what is no text",
      { stdoutInfo: { ...info("", "head"), totalBytes: 9, binary: true }, notice: "Not shown." },
      "exit code 0, 12 ms\nNot shown.",
    ],
    ["both streams", { stdout: "a\n", stderr: "b\n" }, "exit code 0, 12 ms\na\n[stderr]\nb"],
    ["a failure", { exitCode: 7, stderr: "bad", durationMs: 1_234 }, "exit code 7, 1.2 s\n[stderr]\nbad"],
    ["a signal", { ended: "signal", exitCode: null, signal: "SIGSEGV" }, "ended by SIGSEGV, 12 ms\n(no output)"],
    [
      "a timeout",
      { ended: "timeout", exitCode: null, signal: "SIGTERM", endedProcesses: 3, stdout: "x", durationMs: 60_010 },
      "timed out, ended by SIGTERM, 60.0 s; 3 processes ended\nx",
    ],
    [
      "an abort",
      { ended: "abort", exitCode: null, signal: "SIGKILL", endedProcesses: 1 },
      "aborted, ended by SIGKILL, 12 ms; 1 process ended\n(no output)",
    ],
    ["a shell that did not start", { ended: "spawn-failed", exitCode: null, durationMs: 0 }, "not started, 0 ms"],
    [
      "a background command",
      { ended: "running", exitCode: null, id: "bg-1", logPath: "/s/000001.log", notice: "Started." },
      "Background command bg-1: running, 12 ms; log /s/000001.log\n(no output)\nStarted.",
    ],
  ])("shows %s", (_title, part, text) => {
    expect(bashRendering.text(result(part))).toBe(text);
  });
});

describe("bashRendering.take", () => {
  test("gives the same result when all of it fits", () => {
    const whole = result({ stdout: "日本\n", stderr: "🟡" });
    expect(bashRendering.size(whole)).toBe(4);
    expect(bashRendering.take(whole, 4)).toBe(whole);
  });

  test("keeps the head of stdout and the tail of stderr by whole lines, with true numbers", () => {
    const taken = bashRendering.take(result({ stdout: lines(1, 9), stderr: lines(1, 9) }), 50);
    expect(taken.stdout).toBe(
      "line 1\nline 2\nline 3\n\n[truncated: kept the first 3 of 9 lines; limit 9 lines / 0.0KB. Narrow the request to see more.]",
    );
    expect(taken.stderr).toBe(
      "[truncated: kept the last 3 of 9 lines; limit 9 lines / 0.0KB. Narrow the request to see more.]\n\nline 7\nline 8\nline 9\n",
    );
    expect(taken).toMatchObject({
      truncated: true,
      stdoutInfo: { keptLines: 3, totalLines: 9, totalBytes: 63 },
      stderrInfo: { keptLines: 3, keptBytes: 21, totalLines: 9, totalBytes: 63 },
    });
  });

  test("gives one stream what the other does not need", () => {
    const taken = bashRendering.take(result({ stdout: lines(1, 9), stderr: "err\n" }), 60);
    expect(taken.stderr).toBe("err\n");
    expect(taken.stdoutInfo.keptLines).toBe(8);
  });

  test("cuts a cut output again: its old marker goes, the file and what it holds stay", () => {
    const body = lines(1, 4);
    const whole = result({
      stdout: `${body}\n[truncated: kept the first 4 of 900 lines; …]`,
      truncated: true,
      stdoutInfo: {
        kept: "head",
        keptBytes: 28,
        keptLines: 4,
        totalBytes: 9_000,
        totalLines: 900,
        capturedBytes: 5_000,
        capturedLines: 500,
        spillPath: "/spill.log",
      },
    });
    expect(bashRendering.take(whole, 15).stdout).toBe(
      "line 1\nline 2\n\n[truncated: kept the first 2 of 900 lines; limit 4 lines / 0.0KB. Partial output (first 5000 of 9000 bytes, 500 of 900 lines) saved to /spill.log — Grep it, or Read it with offset/limit.]",
    );
  });

  test("shows a piece of one long line, and at no room at all the marker alone", () => {
    const whole = result({ stdout: "🟡".repeat(50) });
    const taken = bashRendering.take(whole, 10);
    expect(taken.stdout.startsWith(`${"🟡".repeat(10)}\n\n[truncated: no complete line fits`)).toBe(true);
    expect(bashRendering.take(whole, 0).stdout).toMatch(/^\[truncated: .*\]$/);
  });

  test("of a piece of a line still tells how long the whole line is, or that it is not known", () => {
    const piece = (totalBytes: number, totalLines: number): string =>
      bashRendering.take(
        result({
          stdout: `${"x".repeat(500)}\n\n[truncated: …]`,
          truncated: true,
          stdoutInfo: { kept: "head", keptBytes: 500, keptLines: 0, totalBytes, totalLines, spillPath: "/spill.log" },
        }),
        40,
      ).stdout;
    expect(piece(900, 1)).toContain("kept 40 bytes of a single 900-byte line. Full output saved to /spill.log");
    expect(piece(9_000, 7)).toContain("kept 40 bytes of a single line of at least 500 bytes, the first of 7 lines.");
  });
});
