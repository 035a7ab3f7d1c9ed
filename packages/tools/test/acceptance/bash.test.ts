import { readFile } from "node:fs/promises";
import { BUDGET_SHELL, BUDGET_SHELL_ERR, CAPTURE_MAX_BYTES, SPILL_MAX_BYTES } from "@spillway/limits";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OutputChunk } from "../../src/tool.ts";
import { bash, refusal } from "../helpers/bash.ts";
import { abortOnceRunning, newTag, processesTagged } from "../helpers/processes.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

let workspace: Workspace;

beforeAll(async () => {
  workspace = await createWorkspace();
});

afterAll(() => workspace.remove());

describe("Bash", () => {
  test("1. oversize output is cut with a marker and a fuller copy is spilled", async () => {
    const outcome = await bash(workspace, "seq 1 20000");
    const { spillPath = "" } = outcome.stdoutInfo;
    expect(outcome.truncated).toBe(true);
    expect(outcome.stdout.split("\n").slice(-3)).toEqual([
      "4000",
      "",
      `[truncated: kept the first 4000 of 20000 lines; limit 4000 lines / 96KB. Full output saved to ${spillPath} — Grep it, or Read it with offset/limit.]`,
    ]);
    expect(spillPath).toMatch(/\/data\/scratch\/[^/]+\/tool-output\/stdout-\d+-1\.log$/);
    expect((await readFile(spillPath, "utf8")).endsWith("\n19999\n20000\n")).toBe(true);
  });

  test("2. stderr keeps its last lines when cut, also when it is larger than the capture ceiling", async () => {
    const outcome = await bash(workspace, "seq 1 400000 >&2");
    expect(outcome.stderr).toMatch(
      /^\[truncated: kept the last 4000 of 400000 lines; limit 4000 lines \/ 96KB\. Partial output \(last \d+ of 2688895 bytes, \d+ of 400000 lines\) saved to \/.*\]\n\n396001\n/,
    );
    expect(outcome.stderr.endsWith("\n399999\n400000\n")).toBe(true);
    const spilled = await readFile(outcome.stderrInfo.spillPath ?? "", "utf8");
    expect(spilled.endsWith("\n400000\n")).toBe(true);
    expect(spilled.length).toBeGreaterThan(500_000);
  });

  test("10. the spilled copy is fuller than the excerpt, and what was omitted is reported", async () => {
    expect(CAPTURE_MAX_BYTES).toBeGreaterThan(Math.max(BUDGET_SHELL.maxBytes, BUDGET_SHELL_ERR.maxBytes));
    expect(SPILL_MAX_BYTES).toBeGreaterThan(Math.max(BUDGET_SHELL.maxBytes, BUDGET_SHELL_ERR.maxBytes));
    const { stdoutInfo } = await bash(workspace, "yes 0123456789 | head -n 100000");
    const { keptBytes, keptLines, capturedBytes = 0, capturedLines = 0, spillPath = "" } = stdoutInfo;
    expect(stdoutInfo).toMatchObject({ totalBytes: 1_100_000, totalLines: 100_000 });
    expect(capturedBytes).toBeGreaterThan(keptBytes);
    expect(capturedLines).toBeGreaterThan(keptLines);
    expect(capturedBytes).toBeLessThan(1_100_000);
    expect((await readFile(spillPath)).length).toBe(capturedBytes);
  });

  test("11. stdout and stderr stream separately with stable sequence values", async () => {
    const chunks: OutputChunk[] = [];
    const command = "for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; sleep 0.07; done; yes | head -c 700000";
    const outcome = await bash(workspace, command, { toolCallId: "call-1", onOutput: (chunk) => chunks.push(chunk) });
    expect(chunks.map((chunk) => chunk.seq)).toEqual([...chunks.keys()]);
    expect(chunks.every((chunk) => chunk.toolCallId === "call-1")).toBe(true);
    for (const stream of ["stdout", "stderr"] as const) {
      const own = chunks.filter((chunk) => chunk.stream === stream);
      expect(own.map((chunk) => chunk.streamSeq)).toEqual([...own.keys()]);
    }
    const text = (stream: string): string =>
      chunks.map((chunk) => (chunk.stream === stream ? chunk.text : "")).join("");
    expect(text("stderr")).toBe("err1\nerr2\nerr3\nerr4\nerr5\n");
    expect(text("stdout").length).toBe(CAPTURE_MAX_BYTES);
    expect(text("stdout").startsWith("out1\nout2\nout3\nout4\nout5\ny\ny\n")).toBe(true);
    const omitted = chunks.filter((chunk) => chunk.omittedBytes !== undefined);
    expect(omitted).toEqual([expect.objectContaining({ stream: "stdout", text: "" })]);
    expect(omitted[0]?.omittedBytes).toBe(outcome.stdoutInfo.totalBytes - CAPTURE_MAX_BYTES);
  });

  test("12. the timeout is 60 s by default, and one outside 1 to 21600 s is refused", async () => {
    const box = await workspace.toolbox();
    const description = box.tools.find(({ name }) => name === "Bash")?.description;
    expect(description).toContain("timeout seconds (default 60, 1 to 21600)");
    for (const timeout of [0, -1, 21_601, 1.5, "soon"]) {
      const error = await refusal(workspace, { command: "true", timeout });
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT", details: { argument: "timeout", value: timeout } });
    }
    expect((await refusal(workspace, { command: "true", timeout: 21_601 })).message).toBe(
      'Bash cannot take "timeout" 21601: give at most 21600 seconds',
    );
    for (const timeout of [1, 21_600, "20"]) {
      const outcome = await workspace.call("Bash", { command: "true", timeout });
      expect(outcome.ok).toBe(true);
    }
    const short = await workspace.toolbox({ limits: { bashTimeoutS: 1 } });
    expect(await bash(short, "sleep 100")).toMatchObject({ ended: "timeout", error: { details: { timeoutS: 1 } } });
  });

  test.runIf(process.platform === "linux").each(["timeout", "abort"] as const)(
    "13. a %s stops the complete process tree, and no later chunk is emitted",
    async (by) => {
      const tag = newTag();
      const chunks: OutputChunk[] = [];
      const command =
        "(setsid bash -c 'while :; do echo a; sleep 0.02; done' &); while :; do echo b >&2; sleep 0.02; done & sleep $TAG";
      const outcome = await bash(
        workspace,
        { command, env: { TAG: tag }, ...(by === "timeout" && { timeout: 1 }) },
        { onOutput: (chunk) => chunks.push(chunk), ...(by === "abort" && { signal: abortOnceRunning(tag, 400) }) },
      );
      expect(processesTagged(tag)).toEqual([]);
      const seen = chunks.length;
      expect(outcome).toMatchObject({ ok: false, ended: by });
      expect(outcome.stdout).toContain("a\n");
      expect(outcome.stderr).toContain("b\n");
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(chunks.length).toBe(seen);
    },
  );
});
