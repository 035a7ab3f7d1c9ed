import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { workspaceFolder } from "../src/workspace.ts";
import { createTestHost } from "./helpers/host.ts";

test("is the folder a path leads to", async () => {
  const host = await createTestHost();
  onTestFinished(() => host.remove());
  const link = join(host.root, "..", "link");
  await symlink(host.root, link);
  expect(await workspaceFolder(link)).toBe(host.root);
});

test.each([
  ["missing", "does not exist"],
  ["file", "is not a directory"],
  ["file/below", "cannot be used (ENOTDIR)"],
])("%s as a workspace: %s", async (name, fault) => {
  const host = await createTestHost({ file: "" });
  onTestFinished(() => host.remove());
  const root = host.path(name);
  await expect(workspaceFolder(root)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: `root "${root}" ${fault}: name an existing directory`,
  });
});
