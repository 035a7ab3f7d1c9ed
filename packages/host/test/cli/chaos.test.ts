import { expect, test } from "vitest";
import { CHAOS_ANSWER, chaosSession } from "../helpers/chaos.ts";
import { CLI } from "../helpers/cli.ts";
import { CONNECTIONS } from "../helpers/connections.ts";

test.each(Object.entries(CONNECTIONS))(
  "a session over %s that is killed comes to its end, validly paired, and no command runs twice",
  async (_name, connection) => {
    const report = await chaosSession({ cli: CLI, ...connection, steps: 3, kills: 1, random: Math.random });
    expect(report).toMatchObject({ problems: [], code: 0, answer: CHAOS_ANSWER });
    expect(Math.max(...report.effects)).toBeLessThanOrEqual(1);
  },
  120_000,
);
