// The whole command line against local servers that speak the three wire formats and refuse what the real ones refuse.
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CliHome, createCliHome } from "../helpers/cli.ts";
import { anthropic } from "../helpers/wire/anthropic.ts";
import type { WireFormat, WireReply } from "../helpers/wire/format.ts";
import { openaiChat } from "../helpers/wire/openai-chat.ts";
import { openaiResponses } from "../helpers/wire/openai-responses.ts";
import { startWireServer, type WireServer } from "../helpers/wire/server.ts";

let home: CliHome;
let server: WireServer | undefined;
beforeEach(async () => {
  home = await createCliHome({ "a.txt": "alpha\n" });
});
afterEach(async () => {
  await server?.close();
  await home.remove();
});

/** Three steps of tools, one of them with calls in parallel, then the answer. */
function task(answers: number): WireReply {
  const steps: WireReply[] = [
    { text: "I write.", calls: [{ id: "w", tool: "Write", args: { path: "hello.txt", content: "hello\n" } }] },
    {
      calls: [
        { id: "r", tool: "Read", args: { path: "hello.txt" } },
        { id: "b", tool: "Bash", args: { command: "cat hello.txt a.txt" } },
      ],
    },
    { calls: [{ id: "g", tool: "Grep", args: { pattern: "hello" } }] },
  ];
  return steps[answers] ?? { text: "All is done." };
}

const FORMATS: [string, WireFormat, (url: string) => { args: string[]; env: Record<string, string> }][] = [
  [
    "Anthropic messages",
    anthropic,
    (url) => ({
      args: ["--model", "anthropic/claude-test"],
      env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: url },
    }),
  ],
  [
    "OpenAI responses",
    openaiResponses,
    (url) => ({ args: ["--model", "openai/gpt-test"], env: { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: url } }),
  ],
  ["OpenAI chat", openaiChat, (url) => ({ args: ["--base-url", url, "--model", "local"], env: {} })],
];

describe("spillway run", () => {
  test.each(FORMATS)(
    "finishes a task over %s, through an overload and a broken stream",
    async (_title, format, setup) => {
      const overloaded = { status: 529, message: "Overloaded", headers: { "retry-after-ms": "10" } };
      server = await startWireServer(format, { script: task, faults: { 1: overloaded, 3: { breakAfter: 2 } } });
      const { args, env } = setup(server.url);
      const { stdout, stderr, code } = await home.run(["run", "say hello", "--mode", "auto", ...args], { env });
      expect(stderr).toContain("retry 1 of 8 in 10 ms");
      expect(server.problems).toEqual([]);
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/^I write\.\n[\s\S]*All is done\.\n$/);
      expect(await readFile(home.path("hello.txt"), "utf8")).toBe("hello\n");
      expect(server.bodies).toHaveLength(6);
      const last = JSON.stringify(server.bodies.at(-1));
      for (const text of ["1:hello", "alpha", "say hello"]) expect(last).toContain(text);
      expect(stdout + stderr).not.toMatch(/warning/i);
    },
  );
});
