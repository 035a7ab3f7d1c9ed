// Kills the command line at random points, hundreds of times, over all three wire formats.
// `node --import tsx soak/run.ts [--sessions N] [--kills N] [--seed N]`
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildCli } from "../test/helpers/built-cli.ts";
import { CHAOS_ANSWER, type ChaosOptions, chaosSession } from "../test/helpers/chaos.ts";
import { anthropic } from "../test/helpers/wire/anthropic.ts";
import { openaiChat } from "../test/helpers/wire/openai-chat.ts";
import { openaiResponses } from "../test/helpers/wire/openai-responses.ts";

type Target = Pick<ChaosOptions, "format" | "connect">;

const TARGETS: Readonly<Record<string, Target>> = {
  anthropic: {
    format: anthropic,
    connect: (url) => ({
      args: ["--model", "anthropic/claude-test"],
      env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: url },
    }),
  },
  "openai chat": { format: openaiChat, connect: (url) => ({ args: ["--base-url", url, "--model", "local"], env: {} }) },
  "openai responses": {
    format: openaiResponses,
    connect: (url) => ({
      args: ["--model", "openai/gpt-test"],
      env: { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: url },
    }),
  },
};

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "30" },
    kills: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1e9) },
  },
});
console.log(`seed ${values.seed}`);
const random = seeded(Number(values.seed));
const folder = await realpath(await mkdtemp(join(tmpdir(), "spillway-soak-")));
let failures = 0;
let kills = 0;
try {
  const cli = [process.execPath, await buildCli(folder)];
  const names = Object.keys(TARGETS);
  for (let session = 0; session < Number(values.sessions); session += 1) {
    const name = names[session % names.length] ?? "";
    const target = TARGETS[name];
    if (target === undefined) continue;
    const report = await chaosSession({ ...target, cli, steps: 6, kills: Number(values.kills), random });
    kills += report.kills;
    const twice = report.effects.filter((times) => times > 1).length;
    const ok = report.problems.length === 0 && twice === 0 && report.code === 0 && report.answer === CHAOS_ANSWER;
    if (!ok) failures += 1;
    console.log(
      `${ok ? "ok" : "FAILED"} ${session + 1} ${name}: ${report.kills} kills, ${report.checkpoints} checkpoints, effects ${report.effects.join(" ")}`,
    );
    if (!ok) console.log(JSON.stringify(report));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${kills} kills, ${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;

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
