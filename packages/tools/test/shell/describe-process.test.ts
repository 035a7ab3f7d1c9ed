import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { describeProcess, nameList } from "../../src/shell/describe-process.ts";
import { allProcesses, until } from "../helpers/processes.ts";

describe.runIf(process.platform === "linux")("describeProcess", () => {
  test("shows a short command line without control characters, and the pid", async () => {
    const child = spawn("bash", ["-c", `read -r line\n: '\tb\x1b[31m${"x".repeat(100)}'`]);
    const { pid = 0 } = child;
    await until(() => allProcesses().some((found) => found.pid === pid && found.command.includes("xxx")), "bash");
    const shown = "bash -c read -r line : ' b [31m";
    expect(describeProcess({ pid, name: "bash" })).toBe(`${shown}${"x".repeat(60 - shown.length)}… (pid ${pid})`);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(describeProcess({ pid, name: "bash" })).toBe(`bash (pid ${pid})`);
  });
});

describe("nameList", () => {
  test.each([
    [["a"], "a"],
    [["a", "b", "c", "d", "e"], "a, b, c, d, e"],
    [["a", "b", "c", "d", "e", "f", "g"], "a, b, c, d, e and 2 more"],
  ])("of %j is %s", (names, list) => {
    expect(nameList(names)).toBe(list);
  });
});
