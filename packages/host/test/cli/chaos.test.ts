import { expect, test } from "vitest";
import { CHAOS_ANSWER, chaosSession } from "../helpers/chaos.ts";
import { CLI } from "../helpers/cli.ts";
import { anthropic } from "../helpers/wire/anthropic.ts";

test("a session that is killed again and again comes to its end, validly paired, and no command runs twice", async () => {
  const report = await chaosSession({
    cli: CLI,
    format: anthropic,
    connect: (url) => ({
      args: ["--model", "anthropic/claude-test"],
      env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: url },
    }),
    steps: 4,
    kills: 4,
    random: Math.random,
  });
  expect(report).toMatchObject({ problems: [], code: 0, answer: CHAOS_ANSWER });
  expect(Math.max(...report.effects)).toBe(1);
}, 120_000);
