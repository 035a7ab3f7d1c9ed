import { describe, expect, test } from "vitest";
import { DEMO_LAST_PROMPT, type DemoPrompt, demoPrompt, nextAction } from "../../src/demo/script.ts";

function prompt(
  texts: readonly string[],
  results: Readonly<Record<string, string>> = {},
  endsWithUser = false,
): DemoPrompt {
  return { texts, results: new Map(Object.entries(results)), endsWithUser };
}
const behind = (step: number): string => `Demo step ${step} of 6: done`;

describe("nextAction", () => {
  test("walks through its steps by what the prompt holds", () => {
    const tools = [0, 1, 2, 3, 4, 5, 6].map((step) =>
      nextAction(prompt([demoPrompt(), ...(step === 0 ? [] : [behind(step)])])).calls.map(({ tool }) => tool),
    );
    expect(tools).toEqual([["Glob"], ["Grep"], ["Bash"], ["Bash"], ["Bash"], ["Bash"], []]);
  });

  test("reads the files it found, a few of them", () => {
    const found = "[4 files]\na.md\nsrc/b.ts\npicture.png\nc.json\nd.py";
    const { calls } = nextAction(prompt([demoPrompt(), behind(1)], { Glob: found }));
    expect(calls.map(({ args }) => args.path ?? args.pattern)).toEqual([
      "a.md",
      "src/b.ts",
      "c.json",
      "the|import|function",
    ]);
  });

  test("looks around in the folder it is told, however that is called", () => {
    const { calls } = nextAction(prompt([demoPrompt('a "b" \\ c')]));
    expect(calls[0]?.args.path).toBe('a "b" \\ c');
    expect(nextAction(prompt([demoPrompt()])).calls[0]?.args).not.toHaveProperty("path");
  });

  test("reads the end of the saved copy that the marker names", () => {
    const marker = "[truncated: kept … Full output saved to /data/out 1.log — Grep it, or Read it with offset/limit.]";
    expect(nextAction(prompt([behind(3), marker])).calls).toEqual([
      { tool: "Read", args: { path: "/data/out 1.log", offset: -250 } },
    ]);
  });

  test("says that it was stopped only when it was", () => {
    const stopped = "Error ABORTED: Command was aborted and ended (SIGTERM)";
    expect(nextAction(prompt([behind(6), DEMO_LAST_PROMPT], { Bash: stopped }, true)).text).toContain("You stopped me");
    for (const result of [{}, { Bash: "Error NOT_ALLOWED: The user did not allow this call" }]) {
      expect(nextAction(prompt([behind(6), "go on"], result, true)).text).not.toContain("stopped");
    }
  });

  test("does not claim to have thought", () => {
    expect(nextAction(prompt([behind(6), DEMO_LAST_PROMPT], {}, true)).text).toContain("I am a script");
    expect(nextAction(prompt([behind(6)])).text).toContain("I am a script");
  });
});
