import { describe, test } from "vitest";
import { createAgent } from "../src/index.ts";
import { keepWorkers } from "./helpers/host.ts";
import { FAILURE_ROWS, FORMAT_NAMES, failureProblems } from "./helpers/wire/failures.ts";

keepWorkers();

// The fourth, OpenAI chat, differs from compatible servers only in its package: the matrix of versions has it.
const FORMATS = FORMAT_NAMES.filter((name) => name !== "openai chat");
/** `format: row` of what the installed provider packages cannot tell, as `scripts/check-suite.mjs` names it. */
const UNTOLD: readonly string[] = JSON.parse(process.env.SPILLWAY_UNTOLD ?? "[]");

describe.concurrent.each(FORMATS)("a run over %s", (format) => {
  const rows = FAILURE_ROWS.filter(
    ({ name, formats }) => (formats?.includes(format) ?? true) && !UNTOLD.includes(`${format}: ${name}`),
  );

  test.each(rows)(
    "meets $name",
    async (row) => {
      const problems = await failureProblems(row, format, createAgent);
      if (problems.length > 0) throw new Error(problems.join("; "));
    },
    60_000,
  );
});
