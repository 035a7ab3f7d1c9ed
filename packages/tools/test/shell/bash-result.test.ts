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

  test("shows nothing of output that is no text, saves it, and says so", async () => {
    const result = await bash("head -c 3000 /dev/zero; echo fine >&2", {});
    const { spillPath = "" } = result.stdoutInfo;
    expect(result).toMatchObject({
      stdout: "",
      stderr: "fine\n",
      truncated: true,
      stdoutInfo: { binary: true, keptBytes: 0, keptLines: 0, totalBytes: 3000 },
      notice: `stdout is no text (3000 bytes) and is not shown; it was saved to ${spillPath}. Read it if it is text in another encoding, or look at it with a program like file or xxd.`,
    });
    expect(await readFile(spillPath)).toEqual(Buffer.alloc(3000));
  });

  test("is no text also where a fold takes most of it for terminal sequences", async () => {
    const { stdout, stdoutInfo } = await bash("for n in $(seq 300); do printf '\\033]\\1\\2\\3abc\\007A'; done", {});
    expect({ stdout, binary: stdoutInfo.binary }).toEqual({ stdout: "", binary: true });
  });

  test("text in another encoding comes back by Read of what was saved", async () => {
    workspace = await createWorkspace();
    const toolbox = await workspace.toolbox();
    const gbk = Buffer.from("d6d0cec4cac7b2e2cad40a".repeat(80), "hex");
    const bytes = [...gbk].map((byte) => `\\x${byte.toString(16)}`).join("");
    const printed = await toolbox.call("Bash", { command: `printf '${bytes}'` });
    const { spillPath } = (printed as { result: BashResult }).result.stdoutInfo;
    const page = await toolbox.call("Read", { path: spillPath });
    expect(page).toMatchObject({ ok: true, result: { content: expect.stringContaining("1:中文是测试") } });
  });

  test.each([
    ["names between NUL characters", "for n in $(seq 1 500); do printf 'name%s\\0' $n; done"],
    ["colours", "for n in $(seq 1 500); do printf '\\033[31m%s\\033[0m' $n; done"],
    ["a few odd bytes", "head -c 100 /dev/zero"],
  ])("shows %s", async (_, command) => {
    const { stdout, stdoutInfo } = await bash(command, {});
    expect(stdoutInfo.binary).toBe(undefined);
    expect(stdout.length).toBeGreaterThanOrEqual(100);
  });

  test.each([
    ["is within the caps", "seq 1 500; exit 1", CAPS],
    ["is under no cap of the whole text", "seq 1 2000; exit 1", {}],
  ])("saves nothing that %s", async (_, command, limits) => {
    const { stdoutInfo, truncated } = await bash(command, limits);
    expect({ truncated, spillPath: stdoutInfo.spillPath }).toEqual({ truncated: false, spillPath: undefined });
  });
});
