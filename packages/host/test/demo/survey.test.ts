import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { smallFolder } from "../../src/demo/survey.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "spillway-survey-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const LIMITS = { entries: 10, bytes: 1000, folders: 5 };

async function put(...files: [path: string, bytes: number][]): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), "x".repeat(bytes));
  }
}

describe("smallFolder", () => {
  test("is no folder at all where the whole tree is small or empty", async () => {
    expect(await smallFolder(root, LIMITS)).toBeUndefined();
    await put(["a/b.txt", 10]);
    expect(await smallFolder(root, LIMITS)).toBeUndefined();
    expect(await smallFolder(join(root, "missing"), LIMITS)).toBeUndefined();
  });

  test("is the first folder that is small and holds files, where the tree is large", async () => {
    await put(["aaa/big.bin", 2000], ["ccc/x.txt", 5], [".hidden/x.txt", 5]);
    await mkdir(join(root, "bbb"));
    expect(await smallFolder(root, LIMITS)).toBe("ccc");
  });

  test("does not count what the walk leaves out", async () => {
    await put(["node_modules/big.bin", 2000], ["dist/big.bin", 2000], [".git/big.bin", 2000], ["src/a.ts", 5]);
    expect(await smallFolder(root, LIMITS)).toBe("src");
    await writeFile(join(root, ".gitignore"), "# built\n/dist/\nnode_modules\n*.log\n");
    expect(await smallFolder(root, LIMITS)).toBeUndefined();
  });

  test("counts entries as well as bytes, and is an empty folder rather than a large one", async () => {
    for (let n = 0; n < 12; n += 1) await put([`many/${n}.txt`, 1]);
    await mkdir(join(root, "empty"));
    expect(await smallFolder(root, LIMITS)).toBe("empty");
  });
});
