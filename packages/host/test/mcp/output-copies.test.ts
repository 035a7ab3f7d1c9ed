import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BashResult, ToolOutcome } from "@spillway/tools";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOutputCopies } from "../../src/mcp/output-copies.ts";

let base: string;
let folder: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "spillway-copies-"));
  folder = join(base, "tool-output");
});
afterEach(() => rm(base, { recursive: true, force: true }));

function outcomeOf(changes: Partial<BashResult> = {}): ToolOutcome & { tool: "Bash"; result: BashResult; ok: true } {
  const info = { kept: "head", keptBytes: 4, keptLines: 1, totalBytes: 4, totalLines: 1 } as const;
  const facts = { exitCode: 0, signal: null, ended: "exit", durationMs: 1, endedProcesses: 0 } as const;
  const streams = { stdout: "one\n", stderr: "", stdoutInfo: info, stderrInfo: info, truncated: false };
  return { ok: true, tool: "Bash", result: { ...facts, ...streams, ...changes } };
}

describe("createOutputCopies", () => {
  test("saves each stream that has something, for nobody else to read", async () => {
    const copies = createOutputCopies(folder);
    const saved = await copies.save(outcomeOf());
    const { stdoutInfo, stderrInfo } = saved.result as BashResult;
    expect(await readFile(stdoutInfo.spillPath ?? "", "utf8")).toBe("one\n");
    expect((await stat(stdoutInfo.spillPath ?? "")).mode & 0o077).toBe(0);
    expect(stderrInfo).not.toHaveProperty("spillPath");
  });

  test.each([
    ["was cut, which has its copy", { truncated: true }],
    ["is of a background command, which has its log", { id: "bg-1" }],
    ["is empty", { stdout: "" }],
  ])("saves nothing of output that %s", async (_, changes) => {
    const outcome = outcomeOf(changes);
    expect(await createOutputCopies(folder).save(outcome)).toEqual(outcome);
    expect(existsSync(folder)).toBe(false);
  });

  test("names no copy where none can be written, and none after it was closed", async () => {
    await writeFile(folder, "a file in the way");
    const copies = createOutputCopies(folder);
    expect(await copies.save(outcomeOf())).toEqual(outcomeOf());
    await rm(folder);
    await copies.close();
    expect(await copies.save(outcomeOf())).toEqual(outcomeOf());
    expect(existsSync(folder)).toBe(false);
  });
});
