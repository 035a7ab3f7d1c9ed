import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { outputPipes } from "../../src/shell/output-pipes.ts";

describe.runIf(process.platform === "linux")("outputPipes", () => {
  test("names two sockets, the same ones when the shell is gone already", async () => {
    const child = spawn("sleep", ["1000"], { stdio: ["ignore", "pipe", "pipe"] });
    const streams = [child.stdout, child.stderr];
    const seen = [...outputPipes(child.pid ?? 0, streams)];
    expect(seen).toEqual([expect.stringMatching(/^socket:\[\d+\]$/), expect.stringMatching(/^socket:\[\d+\]$/)]);
    const nobody = 2 ** 30;
    expect([...outputPipes(nobody, streams)].map((target) => target.length)).toEqual(
      seen.map((target) => target.length),
    );
    child.kill("SIGKILL");
    await once(child, "close");
    expect(outputPipes(nobody, streams).size).toBe(0);
  });
});
