import { symlinkSync, utimesSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderForModel } from "../src/render.ts";
import { globOk, searchError } from "./helpers/search-call.ts";
import { createWorkspace, type Workspace } from "./helpers/workspace.ts";

const FILES = [
  "src/new.ts",
  "src/deep/old.ts",
  "src/index.tsx",
  "readme.md",
  ".github/workflows/ci.yml",
  "app/(shop)/[id]/page.tsx",
  "app/(shop)/[id]/layout.tsx",
  "node_modules/dep/package.json",
  "logs/a.log",
  ".gitignore",
];

describe("Glob", () => {
  let w: Workspace;
  beforeAll(async () => {
    w = await createWorkspace(Object.fromEntries(FILES.map((name) => [name, ""])));
    await w.write(".gitignore", "node_modules/\n*.log\n");
    for (const [index, name] of FILES.entries()) utimesSync(w.path(name), 1_700_000_000 - index, 1_700_000_000 - index);
    symlinkSync("readme.md", w.path("link.md"));
    symlinkSync("src", w.path("linked"));
  });
  afterAll(() => w.remove());

  test.each([
    [{ pattern: "*.ts" }, ["src/new.ts", "src/deep/old.ts"]],
    [{ pattern: "src/*" }, ["src/new.ts", "src/index.tsx"]],
    [{ pattern: "src/**/*.{ts,tsx}" }, ["src/new.ts", "src/deep/old.ts", "src/index.tsx"]],
    [{ pattern: "*.ts", path: "src/deep" }, ["src/deep/old.ts"]],
    [{ pattern: "./*" }, ["readme.md", ".gitignore"]],
    [{ pattern: "src/" }, ["src/new.ts", "src/deep/old.ts", "src/index.tsx"]],
    [{ pattern: ".github/**/*.yml" }, [".github/workflows/ci.yml"]],
    [{ pattern: "*.yml" }, [".github/workflows/ci.yml"]],
    [{ pattern: "!(*.ts)", path: "src" }, ["src/index.tsx"]],
    [{ pattern: "app/(shop)/[id]/page.tsx" }, ["app/(shop)/[id]/page.tsx"]],
    [{ pattern: "app/(shop)/[id]/*.tsx" }, ["app/(shop)/[id]/page.tsx", "app/(shop)/[id]/layout.tsx"]],
    [{ pattern: "*.tsx", path: "app/(shop)/[id]" }, ["app/(shop)/[id]/page.tsx", "app/(shop)/[id]/layout.tsx"]],
    [{ pattern: "*.json", path: "node_modules" }, ["node_modules/dep/package.json"]],
    [{ pattern: "node_modules/dep/package.json" }, ["node_modules/dep/package.json"]],
    [{ pattern: "logs/a.log" }, ["logs/a.log"]],
    [{ pattern: "link.md" }, ["link.md"]],
    [{ pattern: "*.ts", path: "linked/deep" }, ["src/deep/old.ts"]],
    [{ pattern: "../src/*.ts", path: "app" }, ["src/new.ts"]],
  ])("%j", async (args, expected) => {
    expect(await globOk(w, args)).toEqual({ matches: expected, count: expected.length, truncated: false });
  });

  test("takes absolute patterns inside the workspace", async () => {
    expect((await globOk(w, { pattern: `${w.root}/src/**/*.tsx` })).matches).toEqual(["src/index.tsx"]);
    expect((await globOk(w, { pattern: `${w.root}/*.md` })).matches).toEqual(["readme.md"]);
    const all = (await globOk(w, { pattern: "**" })).matches;
    expect(all).toContain("src/deep/old.ts");
    for (const pattern of [w.root, `${w.root}/`]) expect((await globOk(w, { pattern })).matches).toEqual(all);
    expect((await globOk(w, { pattern: w.path("src/deep"), path: "src/deep" })).matches).toEqual(["src/deep/old.ts"]);
    expect(await searchError(w, "Glob", { pattern: "/etc/*.conf" })).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
  });

  test("tells how several patterns are written", async () => {
    expect((await globOk(w, { pattern: "*.ts,*.tsx" })).notice).toBe(
      'No files. Several patterns are written as one: "{*.ts,*.tsx}".',
    );
    expect((await globOk(w, { pattern: "{*.ts,*.tsx}", path: "src" })).count).toBe(3);
  });

  test("pages on, newest first", async () => {
    const first = await globOk(w, { pattern: "**/*.ts*", limit: 2 });
    expect(first).toEqual({
      matches: ["src/new.ts", "src/deep/old.ts"],
      count: 2,
      truncated: true,
      next: { pattern: "**/*.ts*", limit: 2, offset: 2 },
      notice:
        'There are more files: narrow the pattern, or go on with Glob {"pattern":"**/*.ts*","limit":2,"offset":2}.',
    });
    const second = await globOk(w, first.next ?? {});
    expect(second.matches).toEqual(["src/index.tsx", "app/(shop)/[id]/page.tsx"]);
    expect((await globOk(w, second.next ?? {})).matches).toEqual(["app/(shop)/[id]/layout.tsx"]);
  });

  test("says what was left out when nothing matches", async () => {
    const result = await globOk(w, { pattern: "dep/*.json" });
    expect(result).toMatchObject({ matches: [], count: 0, truncated: false });
    expect((await globOk(w, { pattern: "*.json" })).notice).toBe(
      "No files. 2 ignored files or folders were left out; a folder that is named as path is searched.",
    );
    expect((await globOk(w, { pattern: "*.zip", path: "src" })).notice).toBe("No files.");
  });

  test("a missing root is an error, and so is a root that is no folder", async () => {
    expect(await searchError(w, "Glob", { pattern: "*", path: "scr" })).toMatchObject({ code: "PATH_NOT_FOUND" });
    const file = await searchError(w, "Glob", { pattern: "*", path: "readme.md" });
    expect(file.code).toBe("INVALID_ARGUMENT");
    expect(file.message).toContain('"readme.md" is a file');
  });

  test("reduces a limit over the maximum and says so", async () => {
    const result = await globOk(w, { pattern: "*.md", limit: 5000 });
    expect(result.notice).toContain("limit 5000 was reduced to the maximum 1000");
  });

  test("names its numbers in its description", async () => {
    const box = await w.toolbox({ limits: { globLimit: 11, globMaxLimit: 22 } });
    const description = box.tools.find(({ name }) => name === "Glob")?.description;
    expect(description).toContain("Returns 11 paths");
    expect(description).toContain("at most 22");
  });

  test("renders one path a line", async () => {
    expect(renderForModel(await w.call("Glob", { pattern: "*.ts" }))).toBe("src/new.ts\nsrc/deep/old.ts");
    expect(renderForModel(await w.call("Glob", { pattern: "*.zip", path: "src" }))).toBe("[No files.]");
  });

  test("an aborted call settles", async () => {
    const controller = new AbortController();
    const box = await w.toolbox();
    const call = box.call("Glob", { pattern: "**" }, { signal: controller.signal });
    controller.abort();
    expect(await call).toMatchObject({ ok: false, error: { code: "ABORTED" } });
  });
});
