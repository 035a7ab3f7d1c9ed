import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readmeExamples, runExample } from "../../../scripts/readme-examples.ts";
import { parseArguments } from "../src/cli/arguments.ts";
import { EXIT } from "../src/cli/exit-code.ts";
import { HOST_ERROR_CODES } from "../src/error.ts";
import { GATE_LIMITS } from "../src/gate.ts";
import { MAX_RETRIES } from "../src/retry.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
const examples = await readmeExamples("packages/host/README.md");
const commands = readme.split("\n").filter((line) => line.startsWith("spillway "));

let home: string;
let before: string | undefined;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "spillway-home-"));
  before = process.env.SPILLWAY_HOME;
  process.env.SPILLWAY_HOME = home;
});
afterAll(async () => {
  if (before === undefined) delete process.env.SPILLWAY_HOME;
  else process.env.SPILLWAY_HOME = before;
  await rm(home, { recursive: true, force: true });
});

describe("README", () => {
  test("stays within 120 lines", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThan(120);
  });

  test.each(examples)("the example at line $line prints what it says", async (example) => {
    const printed = await runExample(example);
    expect(printed).toEqual(example.expected);
  });

  test.each(commands)("%s is a command", (line) => {
    const [, ...words] = (line.split(" #")[0] ?? "").match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
    const outcome = parseArguments(words.map((word) => word.replace(/^['"]|['"]$/g, "")));
    expect(outcome.kind, JSON.stringify(outcome)).toBe("command");
  });

  test("names every exit code, every error code and the numbers of the loop", () => {
    for (const code of Object.values(EXIT)) expect(readme).toMatch(new RegExp(`[ \\n]${code}[ \\n][a-z]`));
    for (const code of HOST_ERROR_CODES) expect(readme).toContain(`\`${code}\``);
    const { total, byClass, perSession } = GATE_LIMITS;
    expect(readme).toContain(
      `At most ${total} calls run in a process (${byClass.read} reads, ${byClass.shell} commands, ${byClass.mutation} changes), ${perSession} in a session`,
    );
    expect(readme).toContain(`at most ${MAX_RETRIES} times`);
  });
});
