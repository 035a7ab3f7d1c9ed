// Do processes that fight for one journal, and are killed in the middle of it, ever write at the same time?
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openJournal } from "../src/index.ts";
import { startFixture } from "../test/helpers/kill-rounds.ts";

const MINUTES = 2;
const WRITERS = 4;

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "spillway-soak-"));
  const file = join(folder, "journal.jsonl");
  const deadline = performance.now() + MINUTES * 60_000;
  let kills = 0;
  const keepWriting = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const child = startFixture("take-turns.ts", [file, "200"]);
      const closed = once(child, "close");
      await Promise.race([closed, once(child.stdout, "data"), sleep(20_000)]);
      await Promise.race([closed, sleep(Math.random() * 1500)]);
      if (child.kill("SIGKILL")) kills += 1;
      await closed;
    }
  };
  try {
    await Promise.all(Array.from({ length: WRITERS }, keepWriting));
    const journal = await openJournal(file);
    const counted = (await journal.entries()).map(({ n }) => n);
    const damaged = journal.recovery?.totalDamaged ?? 0;
    await journal.close();
    const wrong = counted.findIndex((n, at) => n !== at);
    if (wrong >= 0 || damaged > 0)
      throw new Error(`Line ${wrong + 1} counts ${counted[wrong]}, ${damaged} lines are damaged`);
    console.log(`${counted.length} facts by ${WRITERS} writers at a time, ${kills} kills: each counted once, in order`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
