import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contains, type Located, locate, type PathPolicy } from "../src/path.ts";

let base: string;
let policy: PathPolicy;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "spillway-path-")));
  await mkdir(join(base, "w/src"), { recursive: true });
  await mkdir(join(base, "out"));
  await mkdir(join(base, "w-sibling"));
  await writeFile(join(base, "w/src/index.ts"), "");
  await writeFile(join(base, "w/package.json"), "");
  await writeFile(join(base, "out/secret.txt"), "");
  await writeFile(join(base, "w-sibling/x"), "");
  policy = { workspace: join(base, "w"), scratch: join(base, "data/scratch/s1"), granted: [], secrets: "refuse" };
});

afterEach(() => rm(base, { recursive: true, force: true }));

function at(path: string, access: "read" | "write" = "read", over: Partial<PathPolicy> = {}): Located {
  return locate({ path, policy: { ...policy, ...over }, access });
}

describe("locate", () => {
  test.each(["src/index.ts", "./src/index.ts", "src/../src/index.ts", "src//index.ts"])("resolves %s", (path) => {
    expect(at(path)).toEqual({
      absolute: join(base, "w/src/index.ts"),
      path: "src/index.ts",
      root: "workspace",
      kind: "file",
    });
  });

  test("resolves an absolute path inside the workspace and the workspace itself", () => {
    expect(at(join(base, "w/package.json")).path).toBe("package.json");
    expect(at(".")).toMatchObject({ path: ".", kind: "directory" });
  });

  test.each(["../out/secret.txt", "src/../../out/secret.txt", "../w-sibling/x", "/etc/passwd", ".."])(
    "refuses %s as outside",
    (path) => {
      expect(() => at(path)).toThrow(expect.objectContaining({ code: "PATH_OUTSIDE_WORKSPACE" }));
    },
  );

  test("refuses links that leave, whether to a file, through a folder, dangling, or in a chain", async () => {
    await symlink(join(base, "out/secret.txt"), join(base, "w/file-link"));
    await symlink(join(base, "out"), join(base, "w/folder-link"));
    await symlink(join(base, "out/not-yet"), join(base, "w/dangling"));
    await symlink("dangling", join(base, "w/chain"));
    for (const path of ["file-link", "folder-link/secret.txt", "folder-link/new", "dangling", "chain"]) {
      for (const access of ["read", "write"] as const) {
        expect(() => at(path, access), path).toThrow(expect.objectContaining({ code: "PATH_OUTSIDE_WORKSPACE" }));
      }
    }
  });

  test("follows links that stay inside to the real file", async () => {
    await symlink("src", join(base, "w/link"));
    await symlink("later.txt", join(base, "w/dangling"));
    expect(at("link/index.ts").path).toBe("src/index.ts");
    expect(at("dangling", "write")).toMatchObject({ path: "later.txt", kind: "missing" });
  });

  test("reports a loop of links", async () => {
    await symlink("b", join(base, "w/a"));
    await symlink("a", join(base, "w/b"));
    expect(() => at("a")).toThrow(expect.objectContaining({ code: "PATH_NOT_FOUND" }));
  });

  test("says external for a granted path and refuses its neighbours", async () => {
    const granted = [join(base, "out/secret.txt")];
    await writeFile(join(base, "out/other.txt"), "");
    expect(at("../out/secret.txt", "read", { granted })).toEqual({
      absolute: join(base, "out/secret.txt"),
      path: join(base, "out/secret.txt"),
      root: "external",
      kind: "file",
    });
    expect(() => at("../out/other.txt", "read", { granted })).toThrow("outside");
  });

  test("shows scratch paths absolute, also inside the workspace", async () => {
    const scratch = join(base, "w/.data/scratch/s1");
    await mkdir(scratch, { recursive: true });
    await writeFile(join(scratch, "out.log"), "");
    expect(at(".data/scratch/s1/out.log", "read", { scratch })).toMatchObject({
      path: join(scratch, "out.log"),
      root: "scratch",
    });
  });

  test("names the closest siblings of a missing file", () => {
    expect(() => at("src/indx.ts")).toThrow('"src/indx.ts" does not exist: did you mean "src/index.ts"?');
    expect(() => at("pakage.json")).toThrow('did you mean "package.json"?');
    writeFileSync(join(base, "w/li\nne.ts"), "");
    expect(() => at("line.ts")).toThrow('did you mean "li\\nne.ts"?');
    expect(() => at("nowhere/x.ts")).toThrow('"nowhere" does not exist either');
    expect(() => at("src/index.ts/x")).toThrow(
      '"src/index.ts/x" does not exist: "src/index.ts" is a file, name that one, or look around with Glob',
    );
  });

  test.each([
    ["a narrow no-break space", "Screenshot 1.02.33\u202fPM.txt", "Screenshot 1.02.33 PM.txt"],
    ["decomposed letters", "cafe\u0301/re\u0301sume\u0301.txt", "caf\u00e9/r\u00e9sum\u00e9.txt"],
    ["composed letters", "caf\u00e9.txt", "cafe\u0301.txt"],
    ["a typographic apostrophe", "l\u2019eau.txt", "l'eau.txt"],
  ])("finds a file whose name has %s by the name that reads the same", async (_, real, asked) => {
    await mkdir(dirname(join(base, "w", real)), { recursive: true });
    await writeFile(join(base, "w", real), "");
    expect(at(asked)).toMatchObject({ absolute: join(base, "w", real), path: real, kind: "file" });
  });

  test("gives a new file the name that was asked for, whatever lies beside it", async () => {
    await writeFile(join(base, "w/a\u202fb.txt"), "");
    expect(at("a b.txt", "write")).toMatchObject({ path: "a b.txt", kind: "missing" });
  });

  test("does not choose between two names that read the same, and finds nothing that is outside or secret", async () => {
    await writeFile(join(base, "w/a\u202fb.txt"), "");
    await writeFile(join(base, "w/a\u00a0b.txt"), "");
    expect(() => at("a b.txt")).toThrow(expect.objectContaining({ code: "PATH_NOT_FOUND" }));
    await symlink(join(base, "out/secret.txt"), join(base, "w/x\u202fy"));
    expect(() => at("x y")).toThrow(expect.objectContaining({ code: "PATH_OUTSIDE_WORKSPACE" }));
    await mkdir(join(base, "w/d\u202fd"));
    await writeFile(join(base, "w/d\u202fd/.env"), "");
    expect(() => at("d d/.env")).toThrow(expect.objectContaining({ code: "SENSITIVE_PATH" }));
    await symlink("gone", join(base, "w/g\u202fg"));
    expect(() => at("g g")).toThrow(expect.objectContaining({ code: "PATH_NOT_FOUND" }));
  });

  test("names what a dangling link leads to, not the neighbours of its target as if they were its own", async () => {
    await symlink("src/indx.ts", join(base, "w/dangling"));
    expect(() => at("dangling")).toThrow(
      expect.objectContaining({
        code: "PATH_NOT_FOUND",
        message: expect.stringMatching(/^"dangling" is a symbolic link to ".*\/src\/indx\.ts", which does not exist: /),
      }),
    );
  });

  test.skipIf(process.geteuid?.() === 0)("says so when the folder of a missing file may not be listed", async () => {
    await mkdir(join(base, "w/closed"), { mode: 0o300 });
    expect(() => at("closed/x.ts")).toThrow('"closed" may not be listed');
  });

  test("takes a missing file for writing", () => {
    expect(at("new/deep/file.ts", "write")).toEqual({
      absolute: join(base, "w/new/deep/file.ts"),
      path: "new/deep/file.ts",
      root: "workspace",
      kind: "missing",
    });
  });

  test.each(["", "a\0b"])("refuses %j as an argument", (path) => {
    expect(() => at(path)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  test("refuses a name longer than the file system allows", () => {
    for (const path of ["x".repeat(5000), "z/".repeat(50_000)]) {
      expect(() => at(path)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    }
  });

  test("refuses secrets by name for reading, also behind an innocent link", async () => {
    await writeFile(join(base, "w/.env"), "KEY=1");
    await symlink(".env", join(base, "w/notes.txt"));
    for (const path of [".env", "notes.txt"]) {
      expect(() => at(path)).toThrow(expect.objectContaining({ code: "SENSITIVE_PATH" }));
      expect(at(path, "read", { secrets: "allow" }).path).toBe(".env");
    }
  });
});

describe("contains", () => {
  test.each([
    ["/a", "/a", true],
    ["/a", "/a/b", true],
    ["/a", "/ab", false],
    ["/", "/a", true],
    ["/a/b", "/a", false],
  ])("%s and %s: %s", (folder, path, expected) => {
    expect(contains(folder, path)).toBe(expected);
  });
});
