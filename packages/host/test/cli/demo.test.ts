import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CliHome, createCliHome } from "../helpers/cli.ts";

let home: CliHome;
beforeEach(async () => {
  home = await createCliHome();
});
afterEach(async () => {
  await chmod(home.root, 0o755);
  await home.remove();
});

/** Everything below a folder with its size and time. */
async function listing(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const stats = await Promise.all([".", ...names].map((name) => stat(join(folder, name), { bigint: true })));
  return stats.map(({ size, mtimeNs, ino }, index) => `${names[index - 1] ?? "."} ${size} ${mtimeNs} ${ino}`).sort();
}

describe("spillway demo", () => {
  test("walks over a folder, shows every fact it promises, and writes nothing into it", async () => {
    await mkdir(home.path("src"));
    for (const name of ["README.md", "src/a.ts", "src/b.ts"]) {
      await writeFile(home.path(name), "the import of a function\n".repeat(50));
    }
    const before = await listing(home.root);
    const { stdout, stderr, code } = await home.run(["demo"]);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("demo model: scripted, no AI, no network; nothing is written into the folder");
    for (let step = 1; step <= 6; step += 1) expect(stdout).toContain(`Demo step ${step} of 6`);
    const told = stdout.slice(stdout.indexOf("What happened"));
    expect(told).not.toContain("✗");
    for (const fact of [
      /✓ 2 searches and 4 reads/,
      /✓ a command printed 465\.8 KB; its result kept 96 KB/,
      /✓ the saved copy is there, 465\.8 KB: \//,
      /✓ the model refused a request that was too long, a checkpoint made room: [\d.]+k → [\d.]+k tokens/,
      /✓ a command of ten minutes was stopped at once/,
      /✓ the background process is gone/,
      /✓ 8 requests, none with a call that lacks its result/,
    ]) {
      expect(told).toMatch(fact);
    }
    expect(await listing(home.root)).toEqual(before);
  });

  test("works on an empty folder that cannot be written", async () => {
    await chmod(home.root, 0o555);
    const { stdout, code } = await home.run(["demo", "."]);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("nothing to read here, so only a search.");
    expect(stdout).toContain("a checkpoint made room");
    expect(await readdir(home.root)).toEqual([]);
  });

  test("says which folder cannot be used", async () => {
    const { stdout, stderr, code } = await home.run(["demo", "/no/such"]);
    expect(code).toBe(2);
    expect(stderr).toBe('spillway: root "/no/such" does not exist: name an existing directory\n');
    expect(stdout).not.toContain("What happened");
  });
});
