import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { canListChildren, endTree } from "../../src/shell/tree-kill.ts";
import { newTag, processesTagged, until } from "../helpers/processes.ts";

const linux = process.platform === "linux";

describe("canListChildren", () => {
  test.each([
    ["linux", "/nowhere", false],
    ["darwin", "/nowhere:", false],
    ["win32", "/nowhere", true],
  ] as const)("on %s with PATH %s: %s", (platform, path, can) => {
    expect(canListChildren(platform, path)).toBe(can);
  });
});

describe.runIf(linux)("endTree", () => {
  test.each([
    ["goes", "sleep $TAG & echo ready; wait", 1_000],
    ["ignores SIGTERM", "trap '' TERM; sleep $TAG & echo ready; wait", 50],
  ])("ends the group of a shell that %s", async (_title, command, graceMs) => {
    const tag = newTag();
    const child = spawn("bash", ["-c", command], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, TAG: tag },
    });
    await once(child.stdout, "data");
    await until(() => processesTagged(tag).length === 2, "two processes");
    expect(await endTree(child.pid ?? 0, graceMs)).toBe(true);
    expect(processesTagged(tag)).toEqual([]);
  });

  test("works without a program that lists children", async () => {
    const path = process.env.PATH;
    const child = spawn("bash", ["-c", "echo ready; sleep 1000"], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(child.stdout, "data");
    process.env.PATH = "/nowhere";
    try {
      expect(await endTree(child.pid ?? 0, 1_000)).toBe(true);
    } finally {
      process.env.PATH = path;
    }
  });
});
