// Does a session that is killed hundreds of times end with the journal and the context of one that never was?
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killRounds, seeded } from "../test/helpers/kill-rounds.ts";

const MINUTES = 4;
const MAX_SESSIONS = 20;

export async function run(): Promise<void> {
  const deadline = performance.now() + MINUTES * 60_000;
  const total = { sessions: 0, kills: 0, torn: 0 };
  while (total.sessions < MAX_SESSIONS && performance.now() < deadline) {
    const seed = Math.floor(Math.random() * 1e9);
    const folder = await mkdtemp(join(tmpdir(), "spillway-soak-"));
    try {
      const { kills, torn } = await killRounds({
        folder,
        plan: { total: 144, maxChars: 3_000_000 },
        kills: 40,
        random: seeded(seed),
      });
      total.sessions += 1;
      total.kills += kills;
      total.torn += torn;
      console.log(`session ${total.sessions}, seed ${seed}: ${kills} kills, ${torn} torn lines`);
    } catch (cause) {
      throw new Error(`Seed ${seed}`, { cause });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  console.log(`${total.kills} kills over ${total.sessions} sessions, ${total.torn} torn lines: nothing lost`);
}
