// Kills the command line at random points, hundreds of times, over all three wire formats.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCli } from "../test/helpers/built-cli.ts";
import { CHAOS_ANSWER, chaosSession } from "../test/helpers/chaos.ts";
import { CONNECTIONS } from "../test/helpers/connections.ts";
import { judged, type Row } from "./row.ts";

export interface KillOptions {
  readonly sessions: number;
  /** Of each session. */
  readonly kills: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

export async function runKills(options: KillOptions): Promise<Row> {
  const random = seeded(options.seed);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "spillway-soak-")));
  let failures = 0;
  let kills = 0;
  try {
    const cli = [process.execPath, await buildCli(folder)];
    const targets = Object.entries(CONNECTIONS);
    for (let session = 0; session < options.sessions; session += 1) {
      const [name, target] = targets[session % targets.length] ?? [];
      if (target === undefined) continue;
      const report = await chaosSession({ ...target, cli, steps: 6, kills: options.kills, random });
      kills += report.kills;
      const twice = report.effects.filter((times) => times > 1).length;
      const ok = report.problems.length === 0 && twice === 0 && report.code === 0 && report.answer === CHAOS_ANSWER;
      if (!ok) failures += 1;
      options.log(
        `${ok ? "ok" : "FAILED"} ${session + 1} ${name}: ${report.kills} kills, ${report.checkpoints} checkpoints, effects ${report.effects.join(" ")}`,
      );
      if (!ok) options.log(JSON.stringify(report));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const measured = `${kills} kills, ${failures} of ${options.sessions} sessions failed (seed ${options.seed})`;
  return judged("the command killed at random points", measured, "no session fails", failures === 0);
}

/** A small generator (mulberry32), so that a failure can be had again. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
