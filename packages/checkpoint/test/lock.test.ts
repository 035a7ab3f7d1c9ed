import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openJournal } from "../src/journal.ts";
import { acquireLock } from "../src/lock.ts";
import { temporaryFolder } from "./helpers/folder.ts";

/** While `act` runs nothing in the folder can be reached, as after its permissions were lost. */
async function outOfReach(folder: string, act: () => Promise<void>): Promise<void> {
  await rename(folder, `${folder}.away`);
  await writeFile(folder, "");
  await act();
  await rm(folder);
  await rename(`${folder}.away`, folder);
}

describe("acquireLock", () => {
  test("a lock whose file could not be removed when it was given back is free for the same process", async () => {
    const folder = join(await temporaryFolder(), "session");
    await mkdir(folder);
    const file = join(folder, "journal.jsonl");
    const first = await acquireLock(file);
    await outOfReach(folder, () => first.release());
    const second = await acquireLock(file);
    await expect(acquireLock(file)).rejects.toMatchObject({ code: "SESSION_LOCKED" });
    await second.release();
  });

  test("a journal can be closed where its lock cannot be removed, and opened again with all it holds", async () => {
    const folder = join(await temporaryFolder(), "session");
    const file = join(folder, "journal.jsonl");
    const journal = await openJournal(file);
    await journal.append({ t: "user", text: "kept" });
    await outOfReach(folder, () => journal.close());
    const again = await openJournal(file);
    expect(await again.entries()).toMatchObject([{ t: "user", text: "kept" }]);
    await again.close();
  });
});

describe("openJournal", () => {
  test("says what is wrong where its folder cannot be made", async () => {
    const base = await temporaryFolder();
    await writeFile(join(base, "file"), "");
    const file = join(base, "file", "session", "journal.jsonl");
    await expect(openJournal(file)).rejects.toMatchObject({
      code: "JOURNAL_UNREADABLE",
      message: expect.stringMatching(/^Cannot open the journal ".*": ENOTDIR.* — choose a file this user may write$/),
    });
  });
});
