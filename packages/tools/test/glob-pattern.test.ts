import fc from "fast-check";
import fastGlob from "fast-glob";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isToolError } from "../src/error.ts";
import { compileGlob, compileGlobBelow } from "../src/glob-pattern.ts";
import { temporaryFolder, writeTree } from "./helpers/file-tree.ts";

const matches = (pattern: string, path: string): boolean =>
  compileGlob(pattern).matches(path, path.slice(path.lastIndexOf("/") + 1));

describe("compileGlob", () => {
  test.each([
    ["*.ts", "a.ts", true],
    ["*.ts", "deep/er/a.ts", true],
    ["*.ts", "a.tsx", false],
    ["*.{ts,tsx}", "a/b.tsx", true],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/a/b.ts", false],
    ["src/*.ts", "x/src/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/a/b/c.ts", true],
    ["**/*.ts", "a.ts", true],
    ["./src/*.ts", "src/a.ts", true],
    ["src/", "src/a/b.ts", true],
    ["src//a.ts", "src/a.ts", true],
    ["**", "any/file", true],
    ["*", ".hidden", true],
    [".github/**/*.yml", ".github/workflows/ci.yml", true],
    ["**/*", ".a/.b", true],
    ["!*.ts", "a.js", true],
    ["!*.ts", "a.ts", false],
    ["!(*.test).ts", "a.ts", true],
    ["!(*.test).ts", "a.test.ts", false],
    ["+(a|b).ts", "abba.ts", true],
    ["@(a|b).ts", "b.ts", true],
    ["?.ts", "a.ts", true],
    ["[a-c].ts", "b.ts", true],
    ["[!a-c].ts", "b.ts", false],
    ["f{1..12}.ts", "f7.ts", true],
    ["f{1..12}.ts", "f12.ts", true],
    ["f{1..12}.ts", "f13.ts", false],
    ["f{01..12}.ts", "f07.ts", true],
    ["{a..c}.ts", "b.ts", true],
    ["{src,test}/**", "test/x/y", true],
    ["a.ts", "A.ts", false],
    ["\\[id\\].ts", "[id].ts", true],
    ["日*", "日本.md", true],
  ])("%s, %s: %s", (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  test.each([
    ["src/a/*.ts", "src", true],
    ["src/a/*.ts", "src/a", true],
    ["src/a/*.ts", "src/a/b", false],
    ["src/a/*.ts", "src/b", false],
    ["src/**", "src/a/b/c", true],
    ["src/**", "lib", false],
    ["*/a.ts", "x", true],
    ["*/a.ts", "x/y", false],
    ["*.ts", "any/where", true],
    ["{a/b,c}/*.ts", "a/b", true],
    ["!src/**", "lib/x", true],
  ])("%s may match below %s: %s", (pattern, folder, expected) => {
    expect(compileGlob(pattern).mayMatchBelow(folder)).toBe(expected);
  });

  test.each(["", "./", "a".repeat(5000), "{1..99999}"])("refuses %j", (pattern) => {
    let error: unknown;
    try {
      compileGlob(pattern);
    } catch (thrown) {
      error = thrown;
    }
    expect(isToolError(error) && error.code).toBe("INVALID_PATTERN");
  });

  test("a great many braces take neither time nor memory", () => {
    expect(matches(`${"{a,b}".repeat(200)}.ts`, `${"ab".repeat(100)}.ts`)).toBe(true);
    expect(compileGlob(`src/${"{a,b}".repeat(200)}/*.ts`).mayMatchBelow("lib")).toBe(true);
  });

  test("enters none but the folders that the braces name", () => {
    const { mayMatchBelow } = compileGlob("{src,test/{unit,e2e}}/*.ts");
    expect(["src", "test", "test/unit", "test/e2e", "test/other", "lib", "src/deep"].map(mayMatchBelow)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  describe("beside fast-glob", () => {
    const folder = temporaryFolder();
    const paths = ["a", "b.ts", ".c", "a.b", "f1", "f12", "A", "x y", "(g)", "[id]"].flatMap((name) => [
      name,
      `src/${name}`,
      `src/deep/${name}`,
      `.dot/${name}`,
      `lib/src/${name}`,
    ]);
    beforeAll(() => writeTree(folder.path, Object.fromEntries(paths.map((path) => [path, ""]))));
    afterAll(() => folder.remove());

    test("matches the same files, and misses none for the folders it does not enter", () => {
      const part = fc.constantFrom(
        ...[
          "a",
          "b",
          "*",
          "**",
          "?",
          ".ts",
          "src",
          "deep",
          ".",
          "{a,b}",
          "{src,lib}",
          "[ab]",
          "[!a]",
          "!(a)",
          "@(a|b)",
        ],
        ...["+(a|f)", "*(a)", "?(a)", "f", "{1..12}", "1", "lib", "x y", ".dot", ".*", "{a,b.ts}", "[a-z]", "\\[id\\]"],
      );
      const segment = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
      const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
      fc.assert(
        fc.property(pattern, (source) => {
          // Paths like "a/.", stars beside text, escapes beside braces, and files for `*/**` are ways of fast-glob's own.
          fc.pre(!/(?:^|\/)\.{1,2}(?:\/|$)|\*\*[^/]|[^/]\*\*|\/\*\*$|\{.*\\|\\.*\{/.test(source));
          // Where nothing but escapes makes it a pattern, fast-glob looks for a folder of that name.
          fc.pre(!isEscapedPath(source));
          const options = {
            cwd: folder.path,
            dot: true,
            baseNameMatch: true,
            followSymbolicLinks: false,
            suppressErrors: true,
          };
          const glob = compileGlob(source);
          const reached = paths.filter((path) => {
            const folders = path.split("/").slice(0, -1);
            return folders.every((_, index) => glob.mayMatchBelow(folders.slice(0, index + 1).join("/")));
          });
          const found = reached.filter((path) => glob.matches(path, path.slice(path.lastIndexOf("/") + 1)));
          const listed = fastGlob.sync(source, options).map((path) => path.replace(/^\.\//, ""));
          expect(found.sort()).toEqual(listed.sort());
        }),
        { numRuns: 150 },
      );
    });
  });
});

function isEscapedPath(pattern: string): boolean {
  return pattern.includes("\\") && !/[*?[\]{}()!+@|]/.test(pattern.replaceAll(/\\./g, ""));
}

describe("compileGlobBelow", () => {
  test("takes the folder by its very name", () => {
    const name = fc.stringMatching(/^[a-c()[\]{}!+@|*?\\ .'^$-]{1,12}$/);
    fc.assert(
      fc.property(name, name, (folder, other) => {
        const glob = compileGlobBelow(`x/${folder}`, "*.ts");
        expect(glob.matches(`x/${folder}/a.ts`, "a.ts")).toBe(true);
        expect(glob.matches(`x/${folder}/deep/a.ts`, "a.ts")).toBe(false);
        expect(glob.matches(`x/${other}/a.ts`, "a.ts")).toBe(folder === other);
        expect(["x", `x/${folder}`, `x/${folder}/deep`, "y"].map(glob.mayMatchBelow)).toEqual([
          true,
          true,
          false,
          false,
        ]);
      }),
    );
  });
});
