import { describe, expect, test } from "vitest";
import { describeCall, describeOutcome, formatDuration } from "../../src/cli/describe.ts";
import type { CallOutcome } from "../../src/event.ts";

describe("describeCall", () => {
  test.each([
    ["Read", { path: "a.ts" }, "Read a.ts"],
    ["Read", { path: "a.ts", offset: 40 }, "Read a.ts from 40"],
    ["Grep", { pattern: "x y", path: "src" }, 'Grep "x y" in src'],
    ["Glob", { pattern: "*.ts" }, 'Glob "*.ts"'],
    ["Bash", { command: "npm test" }, "$ npm test"],
    ["Bash", { id: "bg-1", action: "kill" }, "Bash kill bg-1"],
    ["Edit", { path: "a.ts" }, "Edit a.ts"],
    ["other", {}, "other"],
    ["Read", "not an object", "Read (arguments that cannot be read)"],
    ["Grep", {}, "Grep (arguments that cannot be read)"],
  ])("%s %j", (tool, args, text) => {
    expect(describeCall(tool, args)).toBe(text);
  });
});

describe("describeOutcome", () => {
  const stream = { kept: "head", keptBytes: 2048, keptLines: 10, totalBytes: 2048, totalLines: 10 } as const;
  const command = {
    stdout: "",
    stderr: "",
    exitCode: 0,
    signal: null,
    ended: "exit",
    durationMs: 1,
    truncated: false,
    stdoutInfo: stream,
    stderrInfo: { ...stream, totalBytes: 0, keptBytes: 0 },
    endedProcesses: 0,
  } as const;
  test.each<[string, CallOutcome, string]>([
    ["a text", { ok: true, tool: "echo", text: "a\nb" }, "2 lines"],
    [
      "a failure",
      { ok: false, tool: "Read", error: { code: "PATH_NOT_FOUND", message: "Gone" } },
      "PATH_NOT_FOUND: Gone",
    ],
    ["a command", { ok: true, tool: "Bash", result: command }, "exit 0, 1.5 s, 2 KB"],
    [
      "a cut one",
      {
        ok: true,
        tool: "Bash",
        result: { ...command, truncated: true, stdoutInfo: { ...stream, totalBytes: 4096, spillPath: "/tmp/x.log" } },
      },
      "exit 0, 1.5 s, 2 KB of 4 KB kept, more in /tmp/x.log",
    ],
    [
      "a failed one",
      {
        ok: false,
        tool: "Bash",
        error: { code: "TIMEOUT", message: "Too long" },
        result: { ...command, ended: "timeout", exitCode: null, signal: "SIGTERM", endedProcesses: 2 },
      },
      "ended by timeout, 1.5 s, 2 KB, 2 processes ended (TIMEOUT)",
    ],
    [
      "a background one",
      { ok: true, tool: "Bash", result: { ...command, ended: "running", exitCode: null, id: "bg-1" } },
      "running in the background as bg-1",
    ],
  ])("%s", (_title, outcome, text) => {
    expect(describeOutcome(outcome, 1500)).toBe(text);
  });
});

describe("formatDuration", () => {
  test.each([
    [4.4, "4 ms"],
    [999, "999 ms"],
    [1000, "1 s"],
    [61_234, "61.2 s"],
  ])("%d ms is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
