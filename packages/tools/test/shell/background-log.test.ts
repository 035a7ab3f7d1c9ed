import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openBackgroundLog } from "../../src/shell/background-log.ts";

let base = "";

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "spillway-log-"));
});

afterEach(() => rm(base, { recursive: true, force: true }));

async function contents(): Promise<Record<string, string>> {
  const names = (await readdir(join(base, "log"))).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(base, "log", name), "utf8")])),
  );
}

describe("openBackgroundLog", () => {
  test("writes everything into the head while it has room", async () => {
    const log = await openBackgroundLog(join(base, "log"), { maxFileBytes: 100, maxSegments: 2 });
    log.push(Buffer.from("one\n"));
    log.push(Buffer.from("two\n"));
    await log.close();
    expect(await contents()).toEqual({ "000001.log": "one\ntwo\n" });
    expect(log.isWhole()).toBe(true);
    expect(log.newestPath()).toBe(log.headPath);
    expect((await stat(log.headPath)).mode & 0o777).toBe(0o600);
    expect((await stat(log.folder)).mode & 0o777).toBe(0o700);
  });

  test("goes on in segments at line ends, keeps the head and the newest ones", async () => {
    const log = await openBackgroundLog(join(base, "log"), { maxFileBytes: 10, maxSegments: 2 });
    for (let line = 1; line <= 9; line++) log.push(Buffer.from(`line${line}\n`));
    await log.close();
    expect(await contents()).toEqual({ "000001.log": "line1\n", "000008.log": "line8\n", "000009.log": "line9\n" });
    expect(log.isWhole()).toBe(false);
    expect(log.newestPath()).toBe(join(log.folder, "000009.log"));
  });

  test("cuts a line longer than a file between characters", async () => {
    const log = await openBackgroundLog(join(base, "log"), { maxFileBytes: 10, maxSegments: 9 });
    log.push(Buffer.from("日".repeat(5)));
    await log.close();
    expect(await contents()).toEqual({ "000001.log": "日日日", "000002.log": "日日" });
  });

  test("stays bounded whatever comes", async () => {
    const log = await openBackgroundLog(join(base, "log"), { maxFileBytes: 1_000, maxSegments: 3 });
    for (let round = 0; round < 300; round++) await log.push(Buffer.from("0123456789\n".repeat(30)));
    await log.close();
    const files = Object.values(await contents());
    expect(files.length).toBe(4);
    expect(files.every((text) => text.length <= 1_000)).toBe(true);
  });

  test("asks to wait while the disk is behind", async () => {
    const log = await openBackgroundLog(join(base, "log"), { maxFileBytes: 10_000_000, maxSegments: 1 });
    expect(log.push(Buffer.alloc(10, "a"))).toBeUndefined();
    const wait = log.push(Buffer.alloc(1_048_577, "b"));
    expect(wait).toBeInstanceOf(Promise);
    await wait;
    expect(log.push(Buffer.alloc(10, "c"))).toBeUndefined();
    await log.close();
    expect((await stat(log.headPath)).size).toBe(1_048_597);
  });

  test("says why it ends early and takes further output without an error", async () => {
    const log = await openBackgroundLog(join(base, "log"), { maxFileBytes: 4, maxSegments: 1 });
    await writeFile(join(log.folder, "000002.log"), "in the way");
    await log.push(Buffer.from("one\n"));
    log.push(Buffer.from("two\n"));
    await log.close();
    expect(log.failure()).toBe("EEXIST");
    expect(log.isWhole()).toBe(false);
    expect(log.push(Buffer.from("three\n"))).toBeUndefined();
  });
});
