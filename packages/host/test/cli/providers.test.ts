// The whole command line against local servers that speak the three wire formats and refuse what the real ones refuse.
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CliHome, createCliHome } from "../helpers/cli.ts";
import { CONNECTIONS } from "../helpers/connections.ts";
import type { WireReply } from "../helpers/wire/format.ts";
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

describe("spillway run", () => {
  test.each(Object.entries(CONNECTIONS))(
    "finishes a task over %s, through an overload and a broken stream",
    async (_title, { format, connect }) => {
      const overloaded = { status: 529, message: "Overloaded", headers: { "retry-after-ms": "10" } };
      server = await startWireServer(format, { script: task, faults: { 1: overloaded, 3: { breakAfter: 2 } } });
      const { args, env } = connect(server.url);
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
