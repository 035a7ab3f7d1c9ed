// How fast are facts on the disk, and how fast are they back?
import { appendFile, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Journal, openJournal } from "../src/index.ts";
import { code } from "./corpus.ts";
import { measure, table, wallClock } from "./rounds.ts";

export async function benchJournal(quick: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "spillway-bench-"));
  try {
    return `${await benchAppends(folder, quick ? 50 : 500)}\n\n${await benchReading(folder, quick ? 500 : 10_000)}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const factOf = (n: number): { t: string; text: string } => ({ t: "result", text: code(4000, n) });

async function benchAppends(folder: string, count: number): Promise<string> {
  const journal = await openJournal(join(folder, "journal.jsonl"));
  const plain = join(folder, "plain.jsonl");
  const handle = await open(join(folder, "synced.jsonl"), "a");
  const timings = await measure(
    [
      { name: "`append`, one after the other", run: () => oneByOne(count, (n) => journal.append(factOf(n))) },
      {
        name: "write and `fdatasync`, one after the other",
        run: () =>
          oneByOne(count, async (n) => {
            await handle.write(`${JSON.stringify(factOf(n))}\n`);
            await handle.datasync();
          }),
      },
      {
        name: "`append`, all at once",
        run: async () => {
          await Promise.all(Array.from({ length: count }, (_, n) => journal.append(factOf(n))));
          return count;
        },
      },
      {
        name: "`appendFile`, nothing synced",
        run: () => oneByOne(count, (n) => appendFile(plain, `${JSON.stringify(factOf(n))}\n`)),
      },
    ],
    3,
    wallClock,
  );
  await handle.close();
  await journal.close();
  return table(`${count} facts of 4 KB`, timings);
}

async function oneByOne(count: number, append: (n: number) => Promise<unknown>): Promise<number> {
  for (let n = 0; n < count; n++) await append(n);
  return count;
}

async function benchReading(folder: string, count: number): Promise<string> {
  const file = join(folder, "read.jsonl");
  await fill(await openJournal(file), count);
  const timings = await measure(
    [
      {
        name: "`openJournal`, `entries`, `close`",
        run: async () => {
          const journal = await openJournal(file);
          const { length } = await journal.entries();
          await journal.close();
          return length;
        },
      },
      {
        name: "`readFile`, split, `JSON.parse`",
        run: async () => {
          const lines = (await readFile(file, "utf8")).split("\n");
          return lines.filter((line) => line !== "").map((line) => JSON.parse(line)).length;
        },
      },
    ],
    count > 1000 ? 7 : 2,
    wallClock,
  );
  return table(`a journal of ${count} facts, ${Math.round((count * 4.4) / 1000)} MB`, timings);
}

async function fill(journal: Journal, count: number): Promise<void> {
  for (let at = 0; at < count; at += 500) {
    await Promise.all(Array.from({ length: Math.min(500, count - at) }, (_, n) => journal.append(factOf(at + n))));
  }
  await journal.close();
}
