import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createWalk, type Folder, type Walk } from "../src/walk.ts";
import { temporaryFolder, writeTree } from "./helpers/file-tree.ts";
import { rgPath, runRipgrep } from "./helpers/ripgrep.ts";

/** All files of a walk; each second folder is handed over as another thread would get it. */
function files(walk: Walk): string[] {
  const found: string[] = [];
  const pending: Folder[] = [{ path: "", rules: "unknown" }];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const { path } = folder;
    const listing = walk.list(folder);
    found.push(...(listing?.files ?? []).map((name) => path + name));
    const folders = listing?.folders ?? [];
    pending.push(...folders.map((of, index): Folder => (index % 2 === 0 ? of : { path: of.path, rules: "unknown" })));
  }
  return found.sort();
}

const walked = (root: string, base = root): string[] => files(createWalk({ root, base }));

const home = temporaryFolder();
const saved = { HOME: process.env.HOME, XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME };
beforeAll(() => {
  process.env.HOME = home.path;
  delete process.env.XDG_CONFIG_HOME;
});
afterAll(() => {
  for (const [name, value] of Object.entries(saved)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  home.remove();
});

let root: string;
let remove: () => void;
beforeEach(() => {
  ({ path: root, remove } = temporaryFolder());
});
afterEach(() => remove());

const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });
const gitFiles = (): string[] => git("ls-files", "-coz", "--exclude-standard").split("\0").filter(Boolean).sort();
const rgFiles = (): string[] =>
  runRipgrep(["--files", "--hidden", "--no-require-git", "-0", "-g", "!.git"], { cwd: root })
    .toString()
    .split("\0")
    .filter(Boolean)
    .sort();

describe("createWalk", () => {
  test("lists hidden files, and no folder of version control", async () => {
    await writeTree(root, {
      ".hidden/.a": "",
      ".git/config": "",
      "sub/.git": "gitdir: ../x",
      ".hg/x": "",
      "sub/.svn/y": "",
    });
    expect(walked(root)).toEqual([".hidden/.a"]);
  });

  test("follows no symbolic link", async () => {
    await writeTree(root, { "sub/a.ts": "" });
    symlinkSync(".", join(root, "sub/loop"));
    symlinkSync("sub", join(root, "link"));
    symlinkSync("sub/a.ts", join(root, "b.ts"));
    expect(walked(root)).toEqual(["sub/a.ts"]);
  });

  test("applies ignore files without a repository as well", async () => {
    await writeTree(root, { ".gitignore": "*.log", "a.log": "", "a.txt": "" });
    expect(walked(root)).toEqual([".gitignore", "a.txt"]);
  });

  test("lets .ignore overrule .gitignore, also from further up", async () => {
    await writeTree(root, {
      ".ignore": "!kept\n*.tmp",
      "sub/.gitignore": "kept\n!a.tmp",
      "sub/kept": "",
      "sub/a.tmp": "",
    });
    expect(walked(root)).toEqual([".ignore", "sub/.gitignore", "sub/kept"]);
  });

  test("takes the user's excludes last", async () => {
    await writeTree(home.path, { ".gitconfig": "[core]\nexcludesFile = ~/excludes", excludes: "*.bak\n/top\n" });
    await writeTree(root, { "a.bak": "", "b.bak": "", ".gitignore": "!b.bak", top: "", "sub/top": "" });
    git("init", "-q");
    expect(walked(root)).toEqual([".gitignore", "b.bak", "sub/top"]);
    expect(walked(root)).toEqual(gitFiles());
    await writeTree(home.path, { ".gitconfig": "" });
  });

  test("applies the rules of a repository to a workspace in its middle", async () => {
    await writeTree(root, {
      ".gitignore": "/ws/a\n*.log",
      "ws/a": "",
      "ws/b": "",
      "ws/c.log": "",
      "ws/deep/d.log": "",
    });
    git("init", "-q");
    expect(walked(join(root, "ws"))).toEqual(["b"]);
    expect(walked(join(root, "ws/deep"), join(root, "ws"))).toEqual([]);
  });

  test("does not look for rules above a folder that is in no repository", async () => {
    await writeTree(root, { ".gitignore": "*", "ws/a": "" });
    expect(walked(join(root, "ws"))).toEqual(["a"]);
  });

  test("lets nothing above a folder hold that is itself ignored", async () => {
    await writeTree(root, {
      ".gitignore": "node_modules/\n*.map",
      "node_modules/x/a.map": "",
      "node_modules/x/.gitignore": "b",
      "node_modules/x/b": "",
      "src/a.map": "",
    });
    expect(walked(join(root, "node_modules/x"), root)).toEqual([".gitignore", "a.map"]);
    expect(walked(join(root, "src"), root)).toEqual([]);
  });

  test("ends git's rules where another repository begins, and applies that one's own excludes", async () => {
    await writeTree(root, {
      ".gitignore": "*.o",
      ".ignore": "*.tmp",
      "inner/a.o": "",
      "inner/b.x": "",
      "inner/c.tmp": "",
    });
    git("init", "-q");
    git("init", "-q", "inner");
    writeFileSync(join(root, "inner/.git/info/exclude"), "*.x");
    expect(walked(root)).toEqual([".gitignore", ".ignore", "inner/a.o"]);
  });

  test("counts what it cannot read, and not what went away", async () => {
    mkdirSync(join(root, "gone"));
    const walk = createWalk({ root, base: root });
    expect(walk.list({ path: "missing/", rules: undefined })).toBeUndefined();
    expect(walk.seen.unreadable).toBe(0);
    expect(walk.list({ path: `${"x".repeat(300)}/`, rules: undefined })).toBeUndefined();
    expect(walk.seen.unreadable).toBe(1);
  });

  test("reads no ignore file that is a FIFO", () => {
    execFileSync("mkfifo", [join(root, ".gitignore")]);
    writeFileSync(join(root, "a"), "");
    expect(walked(root)).toEqual(["a"]);
  });

  test.each([
    ["everything but files with a dot, and all folders", "*\n!*.*\n!*/\n"],
    ["a folder that no rule below can bring back", "lib/\n!lib/core.c\n"],
    ["its content that a rule can bring back", "lib/*\n!lib/core.c\n"],
    ["CRLF and a byte order mark", "\ufeff*.c\r\n!core.c\r\n"],
  ])("agrees with git on %s", async (_, rules) => {
    await writeTree(root, {
      ".gitignore": rules,
      "notes.md": "",
      toolbin: "",
      "lib/core.c": "",
      "lib/deep/x.h": "",
      "lib/runner": "",
    });
    git("init", "-q");
    expect(walked(root)).toEqual(gitFiles());
  });

  const NAMES = ["a", "b", "ab", "a.c", ".a", "A", "é", "x y", "lib", "a[b]", "#x", "!n", "a\\b", "a*", "c "];
  const PATH = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const TAME = [
    "*",
    "!*",
    "!*/",
    "!*.*",
    "*.c",
    "a",
    "/a",
    "a/",
    "/a/b",
    "**/a",
    "a/**",
    "a/**/b",
    "!a",
    "!b",
    "lib/",
    "/*",
  ];
  const WILD = [
    ...[
      "\\#x",
      "#x",
      "\\!n",
      "[ab]",
      "[!a]",
      "[^a]",
      "[a-b]*",
      "?",
      "a?",
      "**",
      "/**",
      "**/",
      "!/lib",
      "lib/*",
      "*/a",
      "é",
    ],
    ...[
      "a\\[b\\]",
      "a[b]",
      "a\\\\b",
      "[[:alpha:]]",
      "[]a]",
      "[a",
      "\\",
      "c\\ ",
      "c ",
      "**a",
      "a***/b",
      "lib/**/a",
      "a//b",
    ],
  ];
  const tree = (patterns: readonly string[]) => {
    const rules = fc
      .tuple(fc.array(fc.constantFrom(...patterns), { minLength: 1, maxLength: 5 }), fc.constantFrom("\n", "\r\n"))
      .map(([lines, end]) => lines.join(end) + end);
    return fc.record({
      paths: fc.array(PATH, { minLength: 3, maxLength: 14 }),
      rules: fc.array(fc.tuple(fc.constantFrom("", "a/", "lib/", "a/b/"), rules), { minLength: 1, maxLength: 3 }),
      exclude: rules,
    });
  };

  test("agrees with git on any tree and any rules", async () => {
    git("init", "-q");
    await fc.assert(
      fc.asyncProperty(tree([...TAME, ...WILD]), async ({ paths, rules, exclude }) => {
        const box = `case-${Math.random().toString(36).slice(2)}/`;
        const named = [...paths.map((path) => [path, ""]), ...rules.map(([at, text]) => [`${at}.gitignore`, text])];
        await writeTree(join(root, box), Object.fromEntries(named));
        execFileSync("git", ["init", "-q"], { cwd: join(root, box) });
        writeFileSync(join(root, box, ".git/info/exclude"), exclude);
        const args = ["ls-files", "-coz", "--exclude-standard"];
        const expected = execFileSync("git", args, { cwd: join(root, box), encoding: "utf8" }).split("\0");
        expect(walked(join(root, box))).toEqual(expected.filter(Boolean).sort());
      }),
      { numRuns: 60 },
    );
  });

  test.skipIf(rgPath === undefined)("agrees with rg on trees with .ignore files", async () => {
    await fc.assert(
      fc.asyncProperty(tree(TAME), fc.nat(2), async ({ paths, rules }, plain) => {
        const named = rules.map(([at, text], index) => [`${at}${index === plain ? ".ignore" : ".gitignore"}`, text]);
        remove();
        mkdirSync(root);
        await writeTree(root, Object.fromEntries([...paths.map((path) => [path, ""]), ...named]));
        expect(walked(root)).toEqual(rgFiles());
      }),
      { numRuns: 60 },
    );
  });

  const here = spawnSync("git", ["rev-parse", "--show-toplevel"], { cwd: import.meta.dirname, encoding: "utf8" });
  test.skipIf(here.status !== 0)("agrees with git on this very repository", () => {
    const top = here.stdout.trim();
    const list = (...args: string[]): string[] =>
      execFileSync("git", ["ls-files", "-z", ...args], { cwd: top, encoding: "utf8" })
        .split("\0")
        .filter(Boolean);
    const left = new Set([...list("-ci", "--exclude-standard"), ...list("-d")]);
    const expected = [...new Set(list("-co", "--exclude-standard"))].filter((path) => !left.has(path)).sort();
    // Other tests of this repository may run and leave files at this moment.
    const isSource = (path: string): boolean => path.startsWith("packages/tools/src/") || !path.includes("/");
    expect(walked(top).filter(isSource)).toEqual(expected.filter(isSource));
  });
});
