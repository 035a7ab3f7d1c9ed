import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commonGitFolder, gitSettings, readSmallFile } from "../../src/ignore/git-config.ts";
import { temporaryFolder, writeTree } from "../helpers/file-tree.ts";

const folder = temporaryFolder();
const home = join(folder.path, "home");
const env = { HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
beforeAll(() =>
  writeTree(folder.path, {
    "home/.gitconfig":
      '[core]\n\texcludesFile = ~/my ignores ; comment\n[include]\n\tpath = more.inc\n[user "x"]\n\tname = y\n',
    "home/more.inc": "[core]\n\tignoreCase = true\n",
    "repo/.git/config": '[core]\n\tignorecase = false\n[remote "o"]\n\turl = x\n',
    "worktree/.git": "gitdir: ../repo/.git/worktrees/one\n",
    "repo/.git/worktrees/one/commondir": "../..\n",
    "quoted/.gitconfig": '[CORE]\nExcludesFile = "/a \\"b\\" # c"\n',
    "bare/x": "",
  }),
);
afterAll(() => folder.remove());

describe("gitSettings", () => {
  test("takes the user's excludes file and what its configuration includes", () => {
    expect(gitSettings(undefined, env)).toEqual({ ignoreCase: true, excludesFile: join(home, "my ignores") });
  });

  test("lets the repository have the last word", () => {
    expect(gitSettings(join(folder.path, "repo/.git"), env).ignoreCase).toBe(false);
  });

  test("understands quotes and escapes", () => {
    expect(gitSettings(undefined, { ...env, HOME: join(folder.path, "quoted") }).excludesFile).toBe('/a "b" # c');
  });

  test("knows git's default places", () => {
    const bare = join(folder.path, "bare");
    expect(gitSettings(undefined, { ...env, HOME: bare }).excludesFile).toBe(join(bare, ".config/git/ignore"));
    expect(gitSettings(undefined, { ...env, HOME: bare, XDG_CONFIG_HOME: "/xdg" }).excludesFile).toBe(
      "/xdg/git/ignore",
    );
  });
});

describe("commonGitFolder", () => {
  test("of a worktree is that of its repository", () => {
    expect(commonGitFolder(join(folder.path, "worktree"), true)).toBe(join(folder.path, "repo/.git"));
    expect(commonGitFolder(join(folder.path, "repo"), false)).toBe(join(folder.path, "repo/.git"));
  });
});

describe("readSmallFile", () => {
  test("reads regular files only, and follows links only where it may", () => {
    symlinkSync(join(home, "more.inc"), join(folder.path, "link"));
    expect(readSmallFile(join(folder.path, "link"), { follow: false })).toBeUndefined();
    expect(readSmallFile(join(folder.path, "link"), { follow: true })).toContain("ignoreCase");
    expect(readSmallFile(folder.path, { follow: true })).toBeUndefined();
    expect(readSmallFile(join(folder.path, "missing"), { follow: true })).toBeUndefined();
  });
});
