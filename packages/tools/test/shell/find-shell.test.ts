import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findShell } from "../../src/shell/find-shell.ts";

let base = "";

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "spillway-shell-"));
  for (const name of ["first", "second", "folder"]) await mkdir(join(base, name));
  await writeFile(join(base, "first", "bash"), "not executable");
  await writeFile(join(base, "second", "bash"), "#!/bin/sh\n");
  await chmod(join(base, "second", "bash"), 0o755);
  await mkdir(join(base, "folder", "bash"));
});

afterAll(() => rm(base, { recursive: true, force: true }));

describe("findShell", () => {
  test("takes the first executable file named bash on the PATH", () => {
    const PATH = ["relative", join(base, "missing"), join(base, "folder"), join(base, "second")].join(":");
    expect(findShell({ PATH })).toBe(join(base, "second", "bash"));
  });

  test("looks in the usual places when the PATH has none", () => {
    expect(findShell({ PATH: base })).toMatch(/^\/(usr\/)?(local\/)?bin\/bash$|^\/opt\/homebrew\/bin\/bash$/);
  });

  test("says what to install when there is none", () => {
    expect(() => findShell({ PATH: base }, "win32")).toThrow(
      expect.objectContaining({
        code: "SHELL_NOT_FOUND",
        message: "bash was not found on this machine: ask the user to install Git for Windows",
      }),
    );
  });
});
