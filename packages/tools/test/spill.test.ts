import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OWNER_FILE } from "../src/shell/session-owner.ts";
import { createSpillStore, type SpillFiles, type SpillStore, sweepDeadSessions } from "../src/spill.ts";

let dataDir = "";

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "spillway-spill-"));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

function store(sessionId = "one", spillMaxBytes = 1_000, files?: SpillFiles): SpillStore {
  return createSpillStore({ dataDir, sessionId, limits: { spillMaxBytes } }, files);
}

describe("createSpillStore", () => {
  test("makes its folder with the first spill, and both for this user alone", async () => {
    const spill = store();
    expect(spill.directory).toBe(join(dataDir, "scratch", "one", "tool-output"));
    expect(await readdir(dataDir)).toEqual([]);
    const path = await spill.save("stdout", Buffer.from("text"));
    expect(path).toMatch(/\/scratch\/one\/tool-output\/stdout-\d{13}-1\.log$/);
    expect(await readFile(path ?? "", "utf8")).toBe("text");
    expect((await stat(path ?? "")).mode & 0o777).toBe(0o600);
    expect((await stat(spill.directory)).mode & 0o777).toBe(0o700);
    expect((await stat(dirname(spill.directory))).mode & 0o777).toBe(0o700);
  });

  test("gives every spill a name of its own", async () => {
    const spill = store();
    const paths = await Promise.all(["a", "b", "c"].map((text) => spill.save("stderr", [Buffer.from(text)])));
    expect(new Set(paths).size).toBe(3);
  });

  test("joins parts and writes no more than a spill may have", async () => {
    const path = await store("one", 5).save("stdout", [Buffer.from("abc"), Buffer.from("defg")]);
    expect(await readFile(path ?? "", "utf8")).toBe("abcde");
  });

  test("gives no path when a file is in the way", async () => {
    await writeFile(join(dataDir, "scratch"), "in the way");
    expect(await store().save("stdout", Buffer.from("text"))).toBeUndefined();
  });

  test("gives no path and leaves no half file when the disk is full", async () => {
    const removed: string[] = [];
    const spill = store("one", 1_000, {
      makeFolder: (path) => mkdir(path, { recursive: true }),
      write: async (path, bytes) => {
        await writeFile(path, bytes.subarray(0, 2));
        throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      },
      remove: async (path) => {
        removed.push(path);
        await rm(path);
      },
    });
    expect(await spill.save("stdout", Buffer.from("text"))).toBeUndefined();
    expect(removed.length).toBe(1);
    expect(await readdir(spill.directory)).toEqual([]);
  });

  test("survives a place where nothing can be written or removed", async () => {
    const refuse = async (): Promise<never> => {
      throw Object.assign(new Error("permission denied"), { code: "EACCES" });
    };
    const spill = store("one", 1_000, { makeFolder: refuse, write: refuse, remove: refuse });
    expect(await spill.save("stdout", Buffer.from("text"))).toBeUndefined();
  });
});

describe("sweepDeadSessions", () => {
  const week = 7 * 86_400_000;

  async function age(sessionId: string, days: number): Promise<void> {
    const folder = join(dataDir, "scratch", sessionId);
    const then = new Date(Date.now() - days * 86_400_000);
    for (const name of await readdir(folder, { recursive: true })) await utimes(join(folder, name), then, then);
    await utimes(folder, then, then);
  }

  async function session(sessionId: string, days: number, live: boolean): Promise<void> {
    const spill = store(sessionId);
    await spill.save("stdout", Buffer.from("text"));
    if (!live) await spill.close();
    await age(sessionId, days);
  }

  test("removes the folders of dead sessions after seven days, and nothing else", async () => {
    await session("dead-old", 8, false);
    await session("dead-young", 6, false);
    await session("live-old", 30, true);
    await sweepDeadSessions(dataDir);
    expect((await readdir(join(dataDir, "scratch"))).sort()).toEqual(["dead-young", "live-old"]);
  });

  test("counts the newest change within the folder", async () => {
    await session("dead-old", 8, false);
    await writeFile(join(dataDir, "scratch", "dead-old", "tool-output", "late.log"), "");
    await sweepDeadSessions(dataDir);
    expect(await readdir(join(dataDir, "scratch"))).toEqual(["dead-old"]);
  });

  test("takes a session for dead whose process is gone or has another start time", async () => {
    await session("gone", 1, false);
    const owner = (pid: number, start: number): string => JSON.stringify({ pid, start, machine: "another boot" });
    await writeFile(join(dataDir, "scratch", "gone", OWNER_FILE), owner(process.pid, 1));
    await sweepDeadSessions(dataDir, Date.now() + week + 1_000);
    expect(await readdir(join(dataDir, "scratch"))).toEqual([]);
  });

  test.each(["", "{", "null", '{"pid":1}', '{"pid":"1","start":2,"machine":"x"}'])(
    "takes a damaged claim %j for none",
    async (claim) => {
      await session("damaged", 1, false);
      await writeFile(join(dataDir, "scratch", "damaged", OWNER_FILE), claim);
      await sweepDeadSessions(dataDir, Date.now() + week + 1_000);
      expect(await readdir(join(dataDir, "scratch"))).toEqual([]);
    },
  );

  test("leaves the folder of a session that this process has taken up again", async () => {
    await session("resumed", 8, false);
    store("resumed");
    await age("resumed", 8);
    await sweepDeadSessions(dataDir);
    expect(await readdir(join(dataDir, "scratch"))).toEqual(["resumed"]);
  });

  test("follows no symbolic link and does not mind what is no folder or not there", async () => {
    const outside = await mkdtemp(join(tmpdir(), "spillway-outside-"));
    await writeFile(join(outside, "kept"), "");
    await sweepDeadSessions(dataDir);
    await mkdir(join(dataDir, "scratch"));
    await symlink(outside, join(dataDir, "scratch", "link"));
    await writeFile(join(dataDir, "scratch", "file"), "");
    await sweepDeadSessions(dataDir, Date.now() + 10 * week);
    expect(await readdir(outside)).toEqual(["kept"]);
    await rm(outside, { recursive: true });
  });
});
