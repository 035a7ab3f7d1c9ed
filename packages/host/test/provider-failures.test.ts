import { describe, test } from "vitest";
import { createAgent } from "../src/index.ts";
import { keepWorkers } from "./helpers/host.ts";
import { FAILURE_ROWS, FORMAT_NAMES, failureProblems } from "./helpers/wire/failures.ts";

keepWorkers();

// The fourth, OpenAI chat, differs from compatible servers only in its package: the matrix of versions has it.
const FORMATS = FORMAT_NAMES.filter((name) => name !== "openai chat");

describe.concurrent.each(FORMATS)("a run over %s", (format) => {
  const rows = FAILURE_ROWS.filter(({ formats }) => formats?.includes(format) ?? true);

  test.each(rows)(
    "meets $name",
    async (row) => {
      const problems = await failureProblems(row, format, createAgent);
      if (problems.length > 0) throw new Error(problems.join("; "));
    },
    60_000,
  );
});
