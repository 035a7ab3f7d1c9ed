import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { isAlive, isRunning, ownProcess, parseStat, readProcess } from "../../src/shell/process-id.ts";

const fields = "S 10 20 30 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 987654 5 6";
const linux = process.platform === "linux";

describe("parseStat", () => {
  test.each([
    ["a plain name", `42 (sleep) ${fields}\n`, "sleep"],
    ["a name with spaces and parentheses", `42 (a) R 1 (b) c) ${fields}\n`, "a) R 1 (b) c"],
    ["a name with a line feed", `42 (two\nlines) ${fields}\n`, "two\nlines"],
  ])("reads %s", (_title, line, name) => {
    expect(parseStat(line)).toEqual({ pid: 42, name, state: "S", parent: 10, group: 20, session: 30, start: 987654 });
  });

  test.each(["", "42 sleep S 1", "42 (sleep) S 1 2"])("gives nothing for %j", (line) => {
    expect(parseStat(line)).toBeUndefined();
  });
});

describe.runIf(linux)("readProcess", () => {
  test("knows this process and its parent", () => {
    expect(readProcess(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid });
  });

  test("gives nothing for a pid that nobody has", () => {
    expect(readProcess(2 ** 30)).toBeUndefined();
  });
});

describe("isAlive", () => {
  test.each([
    ["S", true],
    ["D", true],
    ["T", true],
    ["Z", false],
    ["X", false],
  ])("state %s: %s", (state, alive) => {
    expect(isAlive({ pid: 1, start: 1, name: "x", state, parent: 0, group: 0, session: 0 })).toBe(alive);
  });
});

describe("isRunning", () => {
  test("is true of this process", () => {
    expect(isRunning(ownProcess())).toBe(true);
  });

  test.runIf(linux)("is false of another process that had the pid before", () => {
    const { pid, start } = ownProcess();
    expect(isRunning({ pid, start: start - 1 })).toBe(false);
  });

  test("is false of a process that has ended", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    const { pid = 0 } = child;
    const start = readProcess(pid)?.start ?? 0;
    await once(child, "exit");
    expect(isRunning({ pid, start })).toBe(false);
  });
});
