import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { BashResult } from "../../src/bash.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

let workspace: Workspace | undefined;
afterEach(async () => {
  await workspace?.remove();
  workspace = undefined;
});

const CAPS = { resultMaxChars: 20_000, resultMaxTokens: 8_000, errorMaxChars: 5_000 };

async function bash(command: string, limits: object = CAPS): Promise<BashResult> {
  workspace = await createWorkspace();
  const outcome = await (await workspace.toolbox({ limits })).call("Bash", { command });
  if (outcome.tool !== "Bash" || outcome.result === undefined) throw new Error("No result");
  return outcome.result as BashResult;
}

describe("commandResult", () => {
  test.each([
    ["a failed call", "seq 1 2000; exit 1", 8_893],
    ["both streams together", "head -c 15000 /dev/zero | tr '\\0' a; head -c 15000 /dev/zero | tr '\\0' b >&2", 15_000],
    ["tokens", "yes 漢字漢字漢字 | head -n 2000", 38_000],
  ])("saves what only a cap of the whole text leaves out: %s", async (_, command, bytes) => {
    const { stdout, stdoutInfo, truncated } = await bash(command);
    expect(truncated).toBe(true);
    const saved = await readFile(stdoutInfo.spillPath ?? "");
    expect(saved).toHaveLength(bytes);
    expect(stdout).toContain(`Full output saved to ${stdoutInfo.spillPath}`);
  });

  test.each([
    ["is within the caps", "seq 1 500; exit 1", CAPS],
    ["is under no cap of the whole text", "seq 1 2000; exit 1", {}],
  ])("saves nothing that %s", async (_, command, limits) => {
    const { stdoutInfo, truncated } = await bash(command, limits);
    expect({ truncated, spillPath: stdoutInfo.spillPath }).toEqual({ truncated: false, spillPath: undefined });
  });
});
